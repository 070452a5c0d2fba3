// The documents of a collection: the list with its states, a filter, what is asked, deletion after a question.

import { call } from "./api.js";
import { announce, byId, failure, icon, iconButton, make, rove, toast } from "./dom.js";
import { confirmed } from "./menu.js";
import { counted, moment, oneLine, size } from "./words.js";

const AT_ONCE = 100;

/** What a reader should know of a document before trusting its silence. */
function stateOf(record) {
  const {
    scanned_pages: scanned = [],
    unreadable_pages: unreadable = [],
    warnings = [],
  } = record.parsing_summary ?? {};
  if (record.status === "failed") return { word: "failed", tint: "bad", detail: warnings[0] ?? "It could not be read" };
  if (record.status === "no_text")
    return { word: "no text", tint: "warn", detail: "There is no text in it: scans need OCR" };
  if (unreadable.length)
    return {
      word: `${counted(unreadable.length, "page")} unread`,
      tint: "warn",
      detail: `Could not be read: pages ${unreadable.slice(0, 12).join(", ")}`,
    };
  if (scanned.length) return { word: "scanned", tint: "plain", detail: `${counted(scanned.length, "scanned page")}` };
  return null;
}

export class Documents {
  /** `open` shows a document, `onScope` hears which are to be asked, `onTotal` how many there are, `onRemoved` which is gone. */
  constructor({ open, onScope, onTotal, onRemoved }) {
    Object.assign(this, { open, onScope, onTotal, onRemoved });
    this.list = byId("documents");
    this.foot = byId("documents-foot");
    this.filter = byId("filter");
    this.canWrite = true;
    this.records = new Map();
    this.chosen = new Set();
    this.settle = rove(this.list, ".doc-open");
    this.filter.addEventListener("input", () => this.soon());
    this.list.addEventListener("keydown", (event) => this.key(event));
  }

  name(id) {
    return this.records.get(id)?.name ?? id;
  }

  /** Fetch the list anew; what was seen stays until the new one is there. */
  async load() {
    const asked = (this.asked = {});
    if (!this.list.childElementCount)
      this.list.replaceChildren(
        ...[1, 2, 3].map(() => make("li", { class: "skeleton row-skeleton", "aria-hidden": "true" })),
      );
    this.list.setAttribute("aria-busy", "true");
    try {
      const said = await call("documents", { query: { q: this.filter.value.trim(), limit: AT_ONCE } });
      if (asked !== this.asked) return;
      const held = this.held();
      this.list.replaceChildren();
      this.add(said);
      held();
      this.total = said.total;
      if (!this.filter.value.trim()) this.onTotal(said.total);
    } catch (problem) {
      if (asked === this.asked) {
        this.list.replaceChildren();
        this.foot.replaceChildren(failure(problem, () => this.load()));
      }
    } finally {
      if (asked === this.asked) this.list.removeAttribute("aria-busy");
    }
  }

  /** Fetch the list soon: where many files come in at once it is not fetched for each. */
  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.load(), 300);
  }

  /** What takes the reader back to where they were in the list, once it was made anew. */
  held() {
    const { scrollTop } = this.list;
    const at = document.activeElement;
    const id = this.list.contains(at) ? at.closest(".doc")?.dataset.doc : null;
    const part = [".doc-choose", ".doc-open", ".doc-delete"].find((name) => at?.matches(name));
    return () => {
      this.list.scrollTop = scrollTop;
      if (id && part) this.list.querySelector(`[data-doc="${CSS.escape(id)}"] ${part}`)?.focus();
    };
  }

  add({ documents, next, total }) {
    for (const record of documents) this.records.set(record.doc_id, record);
    this.list.append(...documents.map((record) => this.row(record)));
    this.settle();
    const filter = this.filter.value.trim();
    const more =
      next &&
      make("button", { type: "button", class: "quiet wide", on: { click: () => this.more(next) } }, "Show more");
    const said =
      total === 0 ? (filter ? `No document is called “${filter}”.` : "Nothing here yet.") : counted(total, "document");
    this.foot.replaceChildren(more || "", make("p", { class: "dim", role: "status" }, said));
  }

  async more(after) {
    try {
      const before = this.list.childElementCount;
      this.add(await call("documents", { query: { q: this.filter.value.trim(), limit: AT_ONCE, after } }));
      this.list.children[before]?.querySelector(".doc-open").focus();
    } catch (problem) {
      toast(problem.message);
    }
  }

  row(record) {
    const name = oneLine(record.name);
    const state = stateOf(record);
    const box = make("input", {
      type: "checkbox",
      class: "doc-choose",
      tabindex: "-1",
      "aria-label": `Ask only ${name}`,
      title: "Ask only the ticked ones",
      on: { change: () => this.choose(record.doc_id, box.checked) },
    });
    box.checked = this.chosen.has(record.doc_id);
    const facts = [
      record.n_pages > 1 ? counted(record.n_pages, "page") : counted(record.n_lines, "line"),
      size(record.n_bytes),
    ];
    return make(
      "li",
      { class: "doc", dataset: { doc: record.doc_id } },
      box,
      make(
        "button",
        {
          type: "button",
          class: "doc-open",
          tabindex: "-1",
          "aria-label": `Open ${name}`,
          title: `${name}\nadded ${moment(record.added_at)}`,
          on: { click: () => this.open(record.doc_id) },
        },
        make("span", { class: "doc-name" }, make("bdi", {}, name)),
        make(
          "span",
          { class: "doc-facts" },
          facts.join(" · "),
          state && make("span", { class: `state ${state.tint}`, title: state.detail }, state.word),
        ),
      ),
      this.canWrite &&
        iconButton("bin", `Delete ${name}`, () => this.remove(record), {
          tabindex: "-1",
          class: "icon-button doc-delete",
        }),
    );
  }

  /** Left and right lead along a row: tick, open, delete. */
  key(event) {
    const row = event.target.closest(".doc");
    if (!row) return;
    const parts = [...row.querySelectorAll(".doc-choose, .doc-open, .doc-delete")];
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) parts[Math.max(0, Math.min(parts.length - 1, parts.indexOf(event.target) + step))].focus();
    else if (event.key === "Delete") row.querySelector(".doc-delete")?.click();
    else if (["ArrowUp", "ArrowDown"].includes(event.key) && !event.target.matches(".doc-open"))
      row.querySelector(".doc-open").focus();
    else return;
    event.preventDefault();
  }

  choose(id, isChosen) {
    if (isChosen) this.chosen.add(id);
    else this.chosen.delete(id);
    this.tellScope();
  }

  tellScope() {
    this.onScope([...this.chosen].map((id) => this.name(id)));
  }

  clearScope() {
    this.chosen.clear();
    for (const box of this.list.querySelectorAll(".doc-choose")) box.checked = false;
    this.tellScope();
  }

  /** Say which document is open. */
  current(id) {
    for (const row of this.list.querySelectorAll(".doc")) row.classList.toggle("open", row.dataset.doc === id);
  }

  async remove(record) {
    const name = oneLine(record.name);
    const sure = await confirmed(
      "Delete this document?",
      `“${name}” leaves the collection with all its lines. Answers given from it stay, but their places cannot be opened.`,
      "Delete",
    );
    if (!sure) return;
    try {
      await call(["documents", record.doc_id], { method: "DELETE" });
    } catch (problem) {
      toast(`${name} was not deleted: ${problem.message}`);
      return;
    }
    const row = this.list.querySelector(`[data-doc="${CSS.escape(record.doc_id)}"]`);
    const near = row?.nextElementSibling ?? row?.previousElementSibling;
    this.choose(record.doc_id, false);
    this.onRemoved(record.doc_id);
    await this.load();
    announce(`${name} was deleted`);
    const again = near && this.list.querySelector(`[data-doc="${CSS.escape(near.dataset.doc)}"] .doc-open`);
    (again ?? this.filter).focus();
  }
}

/** The scope of the next question as a chip beside the box. */
export function scopeChip(names, clear) {
  if (!names.length) return "";
  const said = names.length === 1 ? oneLine(names[0]) : counted(names.length, "document");
  return make(
    "span",
    { class: "chip" },
    icon("page"),
    make("span", { class: "chip-name" }, "Only ", make("bdi", {}, said)),
    iconButton("close", "Ask all documents again", clear),
  );
}
