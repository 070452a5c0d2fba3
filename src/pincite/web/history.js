// What was asked before, newest first: a click shows the stored answer again.

import { call } from "./api.js";
import { byId, failure, make, rove } from "./dom.js";
import { REASONS, manyLines, moment } from "./words.js";

const AT_ONCE = 50;

export class History {
  constructor({ recall }) {
    this.recall = recall;
    this.list = byId("history");
    this.foot = byId("history-foot");
    this.settle = rove(this.list, ".asked-before");
  }

  async load() {
    try {
      this.list.replaceChildren();
      this.add(await call("traces", { query: { limit: AT_ONCE } }));
    } catch (problem) {
      this.foot.replaceChildren(failure(problem, () => this.load()));
    }
  }

  add({ traces, next }) {
    this.list.append(...traces.map((one) => this.row(one)));
    this.settle();
    const more =
      next &&
      make("button", { type: "button", class: "quiet wide", on: { click: () => this.more(next) } }, "Show more");
    this.foot.replaceChildren(
      more || "",
      this.list.childElementCount ? "" : make("p", { class: "dim" }, "Nothing was asked yet."),
    );
  }

  async more(after) {
    try {
      this.add(await call("traces", { query: { limit: AT_ONCE, after } }));
    } catch (problem) {
      this.foot.replaceChildren(failure(problem, () => this.more(after)));
    }
  }

  row(one) {
    const said = one.result === "answer" ? "answered" : (REASONS[one.result] ?? one.result).toLowerCase();
    return make(
      "li",
      {},
      make(
        "button",
        { type: "button", class: "asked-before", tabindex: "-1", on: { click: () => this.recall(one.trace_id) } },
        make("span", { class: "asked-text", dir: "auto" }, manyLines(one.question)),
        make("span", { class: "doc-facts" }, `${moment(one.asked_at)} · ${said}`),
      ),
    );
  }
}
