// Addresses of places: `#doc=…&page=6&lines=17-17` leads a colleague to the very lines; cites to be copied.

import { oneLine, place } from "./words.js";

/** What the part of the address after `#` asks for: a document, a page, lines, an answer, a collection. */
export function readHash(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (text) => (/^[1-9]\d{0,8}$/.test(text ?? "") ? Number(text) : null);
  const range = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(said.get("lines") ?? "");
  return {
    collection: said.get("collection"),
    answer: said.get("answer"),
    doc: said.get("doc"),
    page: number(said.get("page")),
    to: number(said.get("to")),
    lines: range ? [Number(range[1]), Number(range[2] ?? range[1])] : null,
  };
}

/** The address of a place, to be sent: `lines` are line numbers on `page`, and the last on page `to` if that differs. */
export function hashOf({ collection, doc, page, to, lines, answer }) {
  const said = new URLSearchParams();
  if (doc) said.set("doc", doc);
  if (page) said.set("page", page);
  if (lines) said.set("lines", `${lines[0]}-${lines[1]}`);
  if (to && to !== page) said.set("to", to);
  if (answer) said.set("answer", answer);
  if (collection && collection !== "default") said.set("collection", collection);
  return `#${said}`;
}

export const placeOf = (citation, collection) => ({
  collection,
  doc: citation.doc_id,
  page: citation.page ?? 1,
  to: citation.last_page,
  lines: [citation.first_line, citation.last_line],
});

export const addressOf = (target) => new URL(hashOf(target), document.baseURI).href;

const flat = (text) => text.replace(/\s+/g, " ").trim();
const inMarkdown = (text) => text.replace(/[\\`*_{}[\]<>()#+!|~&-]/g, "\\$&");
const inBibtex = (text) =>
  text.replace(
    /[\\{}~^#$%&_]/g,
    (c) => ({ "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" })[c] ?? `\\${c}`,
  );

/** A citation as plain text, Markdown, or an entry like BibTeX's. */
export const COPIES = {
  text: (c) => `“${flat(oneLine(c.quote))}” — ${oneLine(c.doc_name)} ${place(c)}`,
  markdown: (c, link) =>
    `${c.quote
      .split("\n")
      .map((line) => `> ${inMarkdown(oneLine(line))}`)
      .join("\n")}\n>\n> — [${inMarkdown(`${oneLine(c.doc_name)} ${place(c)}`)}](<${link}>)`,
  bibtex: (c, link) => {
    const key = `${c.doc_name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .slice(0, 40)}-p${c.page ?? 1}-l${c.first_line}`.replace(/^-/, "");
    const fields = [
      ["title", inBibtex(oneLine(c.doc_name))],
      ...(c.page === null ? [] : [["pages", inBibtex(oneLine(c.page_label ?? String(c.page)))]]),
      ["note", inBibtex(`${place(c)}; sha256 ${c.content_hash}`)],
      ["annote", inBibtex(`“${flat(oneLine(c.quote))}”`)],
      ["howpublished", `\\url{${link}}`],
    ];
    return `@misc{${key},\n${fields.map(([name, value]) => `  ${name} = {${value}}`).join(",\n")}\n}`;
  },
};

/** Put text on the clipboard; over plain HTTP browsers have no clipboard for scripts, but know the copy command. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "unseen";
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
