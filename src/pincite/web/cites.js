// Cites: small marks beside items, and a card for each source with its quote, its verdict and what can be done with it.

import { announce, button, icon, iconButton, make, rove, toast } from "./dom.js";
import { COPIES, copyText } from "./links.js";
import { openMenu } from "./menu.js";
import { layerWord, manyLines, mark, oneLine, place, receipt } from "./words.js";

/** Citations numbered 1…n in order of first use, the same lines and quote once; and for each item its numbers. */
export function numbered(items) {
  const found = new Map();
  const byItem = items.map((item, itemIndex) => {
    const numbers = [];
    item.citations.forEach((citation, citationIndex) => {
      const key = JSON.stringify([citation.doc_id, citation.line_ids, citation.quote]);
      if (!found.has(key)) found.set(key, { number: found.size + 1, citation, uses: [] });
      const one = found.get(key);
      one.uses.push({ item: itemIndex, citation: citationIndex });
      if (!numbers.includes(one.number)) numbers.push(one.number);
    });
    return numbers;
  });
  return { citations: [...found.values()], byItem };
}

/** A cite beside an item: number and mark; a click leads to the place. */
export function citeMark(one, actions) {
  const { word, icon: drawn, tint } = mark(one.citation);
  const layer = layerWord(one.citation);
  const label = `Source ${one.number}: ${oneLine(one.citation.doc_name)} ${place(one.citation)}, ${word}${layer ? `, ${layer}` : ""}`;
  return make(
    "button",
    {
      type: "button",
      class: "cite",
      "aria-label": label,
      title: label,
      dataset: { cite: one.number },
      on: { click: () => actions.open(one) },
    },
    String(one.number),
    make("span", { class: `mark ${tint}` }, icon(drawn)),
    layer === "OCR" && make("span", { class: "layer" }, "OCR"),
  );
}

/** A card for each citation, in order. */
export function sourceCards(citations, actions) {
  const list = make(
    "ol",
    { class: "sources" },
    citations.map((one) => card(one, citations, actions)),
  );
  const settle = rove(list, ".source-place");
  settle();
  for (const item of [...list.querySelectorAll(".source-place")].slice(1)) item.tabIndex = -1;
  return list;
}

function card(one, all, actions) {
  const { citation } = one;
  const isChecked = one.uses.length > 0;
  const { word, icon: drawn, tint } = mark(citation);
  const layer = layerWord(citation);
  const name = `${oneLine(citation.doc_name)} ${place(citation)}`;
  return make(
    "li",
    { class: "source", dataset: { source: one.number } },
    make(
      "button",
      { type: "button", class: "source-place", on: { click: () => actions.open(one) } },
      make("span", { class: "source-number" }, String(one.number)),
      make(
        "span",
        { class: "source-name" },
        make("bdi", {}, oneLine(citation.doc_name)),
        " ",
        make("b", {}, place(citation)),
      ),
    ),
    citation.section.length > 0 &&
      make("p", { class: "crumb", dir: "auto" }, citation.section.map(oneLine).join(" › ")),
    make("blockquote", { class: "quote", dir: "auto" }, manyLines(citation.quote)),
    make(
      "div",
      { class: "source-foot" },
      make(
        "p",
        { class: "verdict", title: receipt(citation.verdict) },
        isChecked && make("span", { class: `mark ${tint}` }, icon(drawn), word),
        layer && make("span", { class: "layer" }, layer),
        isChecked && make("span", { class: "receipt" }, receipt(citation.verdict)),
      ),
      make(
        "div",
        { class: "source-actions" },
        isChecked && actions.traceId && feedback(one, actions),
        all.length > 1 && iconButton("columns", `Open ${name} beside what is open`, () => actions.openBeside(one)),
        iconButton("copy", `Copy cite ${one.number}`, (event) => copyMenu(event.currentTarget, citation, actions), {
          "aria-haspopup": "menu",
        }),
      ),
    ),
  );
}

/** What can be copied of a cite. */
export function copyMenu(anchor, citation, actions) {
  const copied = (name, text) => ({
    label: name,
    run: async () =>
      toast(
        (await copyText(text)) ? `${name} copied` : "This browser does not let the page copy; select the text instead",
      ),
  });
  const link = actions.address(citation);
  openMenu(anchor, [
    copied("Text", COPIES.text(citation)),
    copied("Markdown", COPIES.markdown(citation, link)),
    copied("BibTeX", COPIES.bibtex(citation, link)),
    copied("Link", link),
  ]);
}

/** "Is this cite right?": the word goes to the server, where it is kept for evaluation. */
function feedback(one, actions) {
  const choices = [
    ["Yes", true],
    ["No", false],
  ].map(([label, right]) => {
    const choice = button(label, () => say(choice, right), {
      class: "tiny",
      "aria-pressed": "false",
      "aria-label": `Cite ${one.number} is ${right ? "right" : "wrong"}`,
    });
    return choice;
  });
  async function say(chosen, right) {
    choices.forEach((choice) => choice.setAttribute("aria-pressed", String(choice === chosen)));
    try {
      await Promise.all(one.uses.map((use) => actions.feedback(use, right)));
      announce("Thank you, that is kept for evaluation");
    } catch (problem) {
      chosen.setAttribute("aria-pressed", "false");
      toast(`Not kept: ${problem.message}`);
    }
  }
  return make(
    "span",
    { class: "feedback", role: "group", "aria-label": `Is cite ${one.number} right?` },
    make("span", {}, "Right?"),
    choices,
  );
}
