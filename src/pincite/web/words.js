// Places, verdicts, values and times in words: the same words as the command line and the reports use.

/** `1 page`, `1,043 pages`. */
export const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

// Controls, bidirectional overrides and isolates, separators, lone surrogates: they could forge or reorder what is seen.
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]/gu;
const NAMED = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const written = (char) => {
  const code = char.codePointAt(0);
  return (
    NAMED[char] ??
    (code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`)
  );
};

/** A name with every unsafe character written out, on one line. */
export const oneLine = (text) => String(text).replace(UNSAFE, written);

/** A text whose line feeds stay and whose other unsafe characters are written out. */
export const manyLines = (text) =>
  String(text)
    .split("\n")
    .map((line) => oneLine(line.replaceAll("\t", "    ")))
    .join("\n");

const page = (num, label) =>
  label === null || label === undefined || label === String(num) ? `p.${num}` : `p.${oneLine(label)} [sheet ${num}]`;
const lines = (first, last) => (first === last ? `l.${first}` : `l.${first}–${last}`);

/** Where a citation stands, as `Citation.place` says it. */
export function place(c) {
  if (c.anchor) return oneLine(c.anchor);
  if (c.page === null || (c.page === 1 && c.last_page === 1 && !c.boxes.length))
    return lines(c.first_line, c.last_line);
  const shown = page(c.page, c.page_label);
  if (c.last_page !== null && c.last_page !== c.page) {
    return `${shown} l.${c.first_line} – ${page(c.last_page, c.last_page_label)} l.${c.last_line}`;
  }
  return `${shown} ${lines(c.first_line, c.last_line)}`;
}

/** A page for the reader: its printed label, and which sheet of the file it is where that differs. */
export const pageName = ({ page_num: num, label }) => page(num, label).replace(/^p\./, "");

const flat = (text) => text.replace(/\s+/gu, " ").trim();

/** Whether the quote stands in the lines that came with it, character for character but for blanks; checked here. */
export const holds = ({ quote, lines }) =>
  !lines?.length || flat(lines.map((line) => line.text).join("\n")).includes(flat(quote));

/** A citation's mark: what was checked, in a word, and which picture and tint it has. */
export function mark(citation) {
  if (!holds(citation)) return { word: "not in its lines", icon: "close", tint: "bad" };
  const { status } = citation.verdict;
  if (status === "rejected") return { word: "rejected", icon: "close", tint: "bad" };
  if (status === "repaired") return { word: "repaired", icon: "repaired", tint: "mended" };
  return { word: "verified", icon: "check", tint: "good" };
}

const LAYERS = { ocr: "OCR", form: "form field", annotation: "annotation" };
export const layerWord = (citation) => LAYERS[citation.layer] ?? null;

/** How a quote was found, and whether its value was read again. */
export function receipt({ match, folds, value, reason }) {
  const found =
    match === "exact"
      ? "found character for character"
      : match === "folded"
        ? `found after folding ${folds.map((fold) => fold.replaceAll("_", " ")).join(", ")}`.trim()
        : "not found";
  const checked = { passed: "value read again from the quote", failed: "value is not in the quote" }[value];
  return [found, checked, reason].filter(Boolean).join(" · ");
}

/** A typed value in words; the cells of a row have none. */
export function valueWords(value) {
  if (!value || value.kind === "cells") return null;
  if (value.kind === "boolean") return value.value ? "Yes" : "No";
  if (value.kind === "date") return value.iso;
  const percent = value.unit === "%";
  const number = value.number + (percent && !value.number.includes("%") ? "%" : "");
  return [value.currency, number, value.scale, percent ? null : value.unit].filter(Boolean).join(" ");
}

/** What the signals of a result say, each as a few words. */
export const signalWords = (signals) => [
  signals.complete_answer_found ? "complete" : "may be incomplete",
  `confidence ${signals.confidence.toFixed(2)}`,
  `context ${Math.round(signals.context_completeness * 100)} % complete${signals.context_structured ? "" : ", not in order"}`,
  signals.extraction_method,
  ...(signals.missing_keywords.length ? [`nowhere found: ${signals.missing_keywords.join(", ")}`] : []),
];

export const REASONS = {
  not_found: "Not in the lines that were read",
  unreadable: "Part of the documents could not be read",
  ambiguous: "The question has more than one meaning here",
  unsupported: "No statement could be backed by a quote",
  empty: "There is nothing to search",
};

/** A size in bytes, as people say it. */
export function size(bytes) {
  const units = ["bytes", "KB", "MB", "GB"];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** step).toLocaleString("en", { maximumFractionDigits: step > 1 ? 1 : 0 })} ${units[step]}`;
}

/** A moment, by the reader's clock. */
export const moment = (iso) => new Date(iso).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

/** A duration that a step took. */
export const seconds = (s) =>
  s < 0.0995 ? `${Math.max(1, Math.round(s * 1000))} ms` : `${s.toFixed(s < 10 ? 1 : 0)} s`;
