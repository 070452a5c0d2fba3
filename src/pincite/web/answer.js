// A result laid out as what it is: a fact, an amount, a date, yes or no, a list, a table, a comparison, or a refusal.

import { button, icon, make } from "./dom.js";
import { citeMark, numbered, sourceCards } from "./cites.js";
import { REASONS, counted, manyLines, oneLine, signalWords, valueWords } from "./words.js";

/** The most sides of a comparison that are laid out as columns; more are rows. */
const SIDES = 4;

/** The result as an element; `actions` are what its cites and buttons do. */
export function resultView(result, actions) {
  const body = result.result === "answer" ? answered(result, actions) : refused(result, actions);
  return make(
    "article",
    { class: `result ${result.result}`, "aria-labelledby": "asked" },
    make("h2", { id: "asked", tabindex: "-1", class: "asked", dir: "auto" }, manyLines(result.question)),
    body,
  );
}

function answered(result, actions) {
  const numbering = numbered(result.items);
  const marks = (item) => citesOf(numbering, result.items.indexOf(item), actions);
  return [
    result.summary && make("p", { class: "summary", dir: "auto" }, manyLines(result.summary)),
    bodyOf(result, marks, numbering, actions),
    caveats(result.signals),
    make(
      "ul",
      { class: "signals", "aria-label": "How far this can be trusted" },
      signalWords(result.signals).map((words) => make("li", { dir: "auto" }, words)),
    ),
    toolbar(result, actions),
    make("h3", { class: "section", id: "sources" }, counted(numbering.citations.length, "source")),
    sourceCards(numbering.citations, { ...actions, traceId: result.trace_id }),
    ...seeAlso(result, numbering.citations.length, actions),
  ];
}

/** What is beside the answer and no part of it: the definitions of terms that it uses. */
function seeAlso(result, count, actions) {
  const others = result.see_also ?? [];
  if (!others.length) return [];
  const cards = others.map(({ citation }, at) => ({ number: count + at + 1, citation, uses: [] }));
  const terms = others.map(({ label }) => `“${oneLine(label)}”`).join(", ");
  return [
    make("h3", { class: "section", dir: "auto" }, `See also: what ${terms} ${others.length > 1 ? "mean" : "means"}`),
    sourceCards(cards, { ...actions, traceId: result.trace_id }),
  ];
}

function citesOf(numbering, index, actions) {
  return make(
    "span",
    { class: "cites" },
    numbering.byItem[index].map((number) => citeMark(numbering.citations[number - 1], actions)),
  );
}

function bodyOf(result, marks, numbering, actions) {
  const rows = result.columns.length > 0 && result.items.every((item) => item.value?.kind === "cells");
  if (rows && result.shape === "comparison" && result.items.length <= SIDES)
    return sides(result, marks, numbering, actions);
  if (rows) return table(result, marks);
  if (result.shape === "comparison" && result.items.length > 1) return cards(result, marks, numbering, actions);
  if (result.items.length === 1) return single(result.items[0], marks);
  return make(
    "ol",
    { class: "items" },
    result.items.map((item) =>
      make("li", {}, make("span", { dir: "auto" }, manyLines(item.text)), beside(item), " ", marks(item)),
    ),
  );
}

/** One item: its value large where it has one, and the words it comes from below. */
function single(item, marks) {
  const kind = item.value?.kind;
  const words = valueWords(item.value);
  const derived = derivation(item);
  if (kind === "boolean") {
    return make(
      "div",
      { class: "fact valued" },
      make("p", { class: "value" }, words),
      make("p", { class: "from", dir: "auto" }, manyLines(item.text), " ", marks(item)),
    );
  }
  if (words && item.text.length <= 60) {
    const said = kind === "date" ? item.value.original : item.text;
    const also =
      said.toLowerCase() === words.toLowerCase() ? null : make("span", { dir: "auto" }, `${oneLine(words)} `);
    return make(
      "div",
      { class: "fact valued" },
      make("p", { class: "value", dir: "auto" }, oneLine(said)),
      make("p", { class: "from" }, also, derived && `= ${derived} `, marks(item)),
    );
  }
  return make("p", { class: "fact", dir: "auto" }, manyLines(item.text), beside(item), " ", marks(item));
}

/** The value beside a text that does not say it already, and what it was computed from. */
function beside(item) {
  const words = valueWords(item.value);
  const shown = [words && !item.text.toLowerCase().includes(words.toLowerCase()) && words, derivation(item)].filter(
    Boolean,
  );
  return shown.length ? make("span", { class: "typed", dir: "auto" }, oneLine(shown.join(" = "))) : null;
}

const derivation = ({ derivation: made }) => made && `${made.operator} of ${made.operands.map(oneLine).join(", ")}`;

function table(result, marks) {
  return scrolled(
    make(
      "table",
      { class: "grid" },
      make(
        "thead",
        {},
        make(
          "tr",
          {},
          [...result.columns, "Source"].map((name) => make("th", { scope: "col", dir: "auto" }, oneLine(name))),
        ),
      ),
      make(
        "tbody",
        {},
        result.items.map((item) =>
          make(
            "tr",
            {},
            result.columns.map((_, at) => cell(item.value.cells[at], at === 0)),
            make("td", {}, marks(item)),
          ),
        ),
      ),
    ),
  );
}

const cell = (text, isHead) =>
  make(isHead ? "th" : "td", { dir: "auto", ...(isHead ? { scope: "row" } : {}) }, manyLines(text ?? ""));

/** A comparison: its sides stand beside each other, a row for each thing they are compared in. */
function sides(result, marks, numbering, actions) {
  const named = result.items.every((item) => item.value.cells[0] === item.text);
  const columns = [...result.columns.keys()].slice(named ? 1 : 0);
  const heads = result.items.map((item) =>
    make("th", { scope: "col", dir: "auto" }, oneLine(item.text), " ", marks(item)),
  );
  const rows = columns.map((at) =>
    make(
      "tr",
      {},
      make("th", { scope: "row", dir: "auto" }, oneLine(result.columns[at])),
      result.items.map((item) => cell(item.value.cells[at], false)),
    ),
  );
  return [
    scrolled(
      make(
        "table",
        { class: "grid sides" },
        make("thead", {}, make("tr", {}, make("td", {}, named ? oneLine(result.columns[0]) : ""), heads)),
        make("tbody", {}, rows),
      ),
    ),
    besideButton(numbering, actions),
  ];
}

function cards(result, marks, numbering, actions) {
  return [
    make(
      "div",
      { class: "cards" },
      result.items.map((item) =>
        make("p", { class: "side-card", dir: "auto" }, manyLines(item.text), beside(item), " ", marks(item)),
      ),
    ),
    besideButton(numbering, actions),
  ];
}

/** Two places at once: the first cites of the first two items. */
function besideButton(numbering, actions) {
  const [first, second] = [numbering.byItem[0]?.[0], numbering.byItem[1]?.find((n) => n !== numbering.byItem[0][0])];
  if (!first || !second) return null;
  const pair = [numbering.citations[first - 1], numbering.citations[second - 1]];
  return make(
    "button",
    { type: "button", class: "quiet", on: { click: () => actions.openBoth(pair) } },
    icon("columns"),
    `Read ${first} and ${second} side by side`,
  );
}

const scrolled = (table) =>
  make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Answer as a table" }, table);

function caveats(signals) {
  const notes = [
    ...(signals.conflicting_evidence ? ["The sources disagree; both are cited."] : []),
    ...signals.caveats,
  ];
  return notes.length
    ? make(
        "ul",
        { class: "notes" },
        notes.map((note) => make("li", { dir: "auto" }, manyLines(note))),
      )
    : null;
}

function toolbar(result, actions) {
  const exports = button("Export", (event) => actions.exportMenu(event.currentTarget, result), {
    class: "quiet",
    "aria-haspopup": "menu",
  });
  exports.prepend(icon("download"));
  const link = button("Copy link", () => actions.copyAnswerLink(result), { class: "quiet" });
  link.prepend(icon("link"));
  const why = button("Why this?", () => actions.why(result), { class: "quiet" });
  why.prepend(icon("find"));
  return make("div", { class: "actions", role: "group", "aria-label": "This result" }, why, exports, link);
}

/** A refusal: why, what was searched, what was read, what could not be read, and the nearest lines. */
function refused(result, actions) {
  const { searched, read } = result;
  const nearest = result.nearest.map((citation, at) => ({ number: at + 1, citation, uses: [] }));
  const extent = [
    [searched.documents, "document"],
    [searched.pages, "page"],
    [searched.sections, "section"],
  ];
  return [
    make(
      "div",
      { class: "refused" },
      make("p", { class: "reason" }, REASONS[result.reason] ?? "No answer"),
      make("p", { dir: "auto" }, manyLines(result.message)),
    ),
    caveats(result.signals),
    make(
      "dl",
      { class: "extent" },
      make("dt", {}, "Searched"),
      make("dd", {}, extent.map(([n, noun]) => counted(n, noun)).join(", ")),
      searched.terms.length > 0 && [
        make("dt", {}, "Words"),
        make(
          "dd",
          {},
          make(
            "ul",
            { class: "terms" },
            searched.terms.map(({ term, hits }) =>
              make(
                "li",
                { class: hits ? "" : "none" },
                make("bdi", {}, oneLine(term)),
                " ",
                make("b", {}, hits ? hits.toLocaleString("en") : "nowhere"),
              ),
            ),
          ),
        ),
      ],
      make("dt", {}, "Read"),
      make("dd", {}, `${counted(read.lines, "line")} on ${counted(read.pages, "page")}`),
      result.unreadable_pages.length > 0 && [
        make("dt", {}, "Could not read"),
        make(
          "dd",
          {},
          make(
            "ul",
            {},
            result.unreadable_pages.map((page) =>
              make("li", { dir: "auto" }, `${oneLine(page.doc_name)} p.${page.page}: ${page.reason}`),
            ),
          ),
        ),
      ],
    ),
    toolbar(result, actions),
    nearest.length > 0 && [
      make("h3", { class: "section" }, "Nearest lines"),
      make("p", { class: "dim" }, "These do not answer the question."),
      sourceCards(nearest, { ...actions, traceId: null }),
    ],
  ];
}
