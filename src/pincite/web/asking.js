// The question box: it asks, shows the steps while they happen, and hands over the result. Stop ends the work.

import { announce, byId, failure, icon, make } from "./dom.js";
import { call, events } from "./api.js";
import { counted, oneLine } from "./words.js";

/** What a step says in a line; what is only drafted is called unchecked. */
function stepOf({ event, data }) {
  switch (event) {
    case "question": {
      const words = data.question.keywords.map((keyword) => oneLine(keyword.text));
      return ["Understood", `${data.question.shape}${words.length ? `; searching for ${words.join(", ")}` : ""}`];
    }
    case "candidates":
      return ["Reading", `${counted(data.n_lines, "line")} of ${counted(data.candidates.length, "place")}`];
    case "draft":
      if (data.is_partial) return ["Writing", `not checked yet: ${oneLine(data.texts.at(-1) ?? "…")}`];
      return ["Drafted", `${counted(data.texts.length, "item")}, not checked yet`];
    case "verdicts":
      return [
        "Checked",
        `${counted(data.items.length, "item")} held${data.rejected.length ? `, ${data.rejected.length} dropped` : ""}`,
      ];
    case "round":
      return ["Looked again", oneLine(data.round.action)];
    default:
      return null;
  }
}

export class Asking {
  /** `scope` gives the ids of the documents to ask, `onResult` hears every result. */
  constructor({ scope, onResult }) {
    this.scope = scope;
    this.onResult = onResult;
    this.form = byId("ask");
    this.input = byId("question");
    this.output = byId("output");
    this.running = null;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.running) this.stop();
      else this.ask(this.input.value);
    });
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.ask(this.input.value);
      }
      if (event.key === "Escape" && this.running) this.stop();
      if (event.key === "ArrowUp" && !this.input.value && this.last) {
        event.preventDefault();
        this.input.value = this.last;
        this.grow();
      }
    });
    this.input.addEventListener("input", () => this.grow());
  }

  /** The box is as high as its text, to a third of the window. */
  grow() {
    this.input.style.height = "auto";
    this.input.style.height = `${Math.min(this.input.scrollHeight + 2, innerHeight / 3)}px`;
  }

  stop() {
    this.running?.abort();
  }

  async ask(text) {
    const question = text.trim();
    if (!question) return this.input.focus();
    this.stop();
    const running = (this.running = new AbortController());
    this.form.classList.add("running");
    byId("ask-button").replaceChildren("Stop");
    const steps = make("ol", { class: "steps", "aria-label": "What is being done" });
    this.output.replaceChildren(
      make("section", { class: "working" }, make("p", { class: "asked", dir: "auto" }, oneLine(question)), steps),
    );
    this.step(steps, "question-sent", ["Asking", "reading the question"]);
    announce("Asking");
    try {
      await this.follow({ question, ...this.options() }, steps, running.signal);
    } catch (problem) {
      if (running !== this.running) return;
      if (problem.name === "AbortError") {
        this.output.replaceChildren(make("p", { class: "dim centred" }, "Stopped. Nothing was answered."));
        announce("Stopped");
      } else {
        this.output.replaceChildren(failure(problem, () => this.ask(question)));
      }
    } finally {
      if (running === this.running) {
        this.running = null;
        this.form.classList.remove("running");
        byId("ask-button").replaceChildren("Ask");
      }
    }
  }

  async follow(body, steps, signal) {
    for await (const one of events("ask", { method: "POST", body, signal })) {
      if (one.event === "done") {
        this.show(one.data.result?.result ? one.data.result : one.data);
        return;
      }
      const said = stepOf(one);
      if (said) this.step(steps, one.event, said);
    }
    throw new DOMException("The stream ended", "AbortError");
  }

  /** A step is added below; while an answer is being written its line changes. */
  step(steps, name, [lead, text]) {
    const last = steps.lastElementChild;
    const made = make(
      "li",
      { dataset: { step: name } },
      make("span", { class: "lead" }, lead),
      make("span", { class: "said", dir: "auto" }, text),
    );
    if (last?.dataset.step === name) last.replaceWith(made);
    else steps.append(made);
  }

  /** What the reader set beside the question. */
  options() {
    const shape = byId("shape").value;
    const where = byId("where").value.trim();
    const ids = this.scope();
    return { ...(shape ? { shape } : {}), ...(where ? { where } : {}), ...(ids.length ? { doc_ids: ids } : {}) };
  }

  /** The box is free for the next question; the arrow up brings the last one back, to be changed. */
  show(result) {
    this.last = result.question;
    this.input.value = "";
    this.input.placeholder = "Ask another question";
    this.grow();
    this.onResult(result);
    const said =
      result.result === "answer" ? `Answer: ${counted(result.items.length, "item")}` : `No answer. ${result.message}`;
    announce(said);
  }

  /** Show the stored result of an earlier question. */
  async recall(traceId) {
    this.stop();
    this.output.replaceChildren(
      make("div", { class: "skeleton", role: "status" }, make("span", { class: "unseen" }, "Loading the answer")),
    );
    try {
      this.show(await call(["answers", traceId]));
    } catch (problem) {
      this.output.replaceChildren(failure(problem, () => this.recall(traceId)));
    }
  }
}

/** What stands in the middle before anything was asked. */
export function welcome(hasDocuments, { add }) {
  const steps = [
    ["ask", "Ask", "in your own words"],
    ["check", "Every item is quoted", "and the quote is looked up in the document by code"],
    ["page", "Click a mark", "and read the lines on the page"],
  ];
  return make(
    "section",
    { class: "welcome" },
    make("h2", {}, hasDocuments ? "Ask your documents" : add ? "Add documents to begin" : "No documents yet"),
    make(
      "p",
      {},
      hasDocuments
        ? "The answer comes with the page and lines it stands on, or it does not come."
        : !add
          ? "Whoever may write here adds them."
          : "PDF, Word, PowerPoint, Excel, Markdown, HTML, e-books, text and code: drop them here or choose them.",
    ),
    hasDocuments
      ? make(
          "ul",
          {},
          steps.map(([name, lead, rest]) =>
            make("li", {}, icon(name), make("span", {}, make("b", {}, lead), ` ${rest}`)),
          ),
        )
      : add && make("button", { type: "button", class: "primary", on: { click: add } }, "Choose files"),
  );
}
