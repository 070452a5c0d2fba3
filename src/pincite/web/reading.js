// One document as the viewer reads it: its record, pages, lines, contents, each fetched once and when it is needed.

import { at, call, request } from "./api.js";

const ID = /^[0-9a-f]{16}$/;
/** Answers of the server that are kept. */
const KEPT = 80;

/** Formats whose pages the server can draw. */
const hasPictures = (record, pages) =>
  (record.media_type === "application/pdf" || record.media_type.startsWith("image/")) &&
  pages.some((page) => page.width_pt > 0);

export class Reading {
  constructor(record, pages) {
    this.record = record;
    this.id = record.doc_id;
    this.pages = pages;
    this.hasPictures = hasPictures(record, pages);
    this.kept = new Map();
  }

  /** Open a document by its id, or by its name where a link was written by hand. */
  static async open(id) {
    let found = id;
    if (!ID.test(id)) {
      const named = await call("documents", { query: { q: id, limit: 20 } });
      found = named.documents.find((one) => one.name === id)?.doc_id ?? id;
    }
    const [record, { pages }] = await Promise.all([call(["documents", found]), call(["documents", found, "pages"])]);
    return new Reading(record, pages);
  }

  page(num) {
    return this.pages[num - 1] ?? { page_num: num, label: null };
  }

  /** The page that a reader means by "15" or "iv": the printed label, else the number of the sheet. */
  pageCalled(text) {
    const said = text
      .trim()
      .toLowerCase()
      .replace(/^p\.?\s*/, "");
    const labelled = this.pages.find((page) => page.label?.toLowerCase() === said);
    return (labelled ?? this.pages.find((page) => String(page.page_num) === said))?.page_num ?? null;
  }

  /** The lines of one page: all of a printed page, the first 2,000 of a sheet. */
  linesOf(pageNum) {
    return this.once(`p${pageNum}`, () => this.lines({ page: pageNum }));
  }

  /** The lines from one id to another, at most 2,000. */
  linesBetween(first, last) {
    return this.once(`l${first}-${last}`, () => this.lines({ first, last }));
  }

  async lines(query) {
    return (await call(["documents", this.id, "lines"], { query })).lines;
  }

  contents() {
    return this.once("toc", async () => (await call(["documents", this.id, "toc"])).sections);
  }

  /** What was found: a hit over the end of a line is a piece for each line, with the same `hit`. */
  find(text, signal) {
    return call(["documents", this.id, "find"], { query: { text }, signal });
  }

  /** The picture of a page at a scale, as an address of bytes in this window; whoever takes it gives it back. */
  async picture(pageNum, scale, signal) {
    const response = await request(["documents", this.id, "pages", `${pageNum}.png`], {
      query: { scale },
      signal,
      accept: "image/png",
    });
    return URL.createObjectURL(await response.blob());
  }

  get original() {
    return at(["documents", this.id, "original"]);
  }

  once(key, fetched) {
    if (!this.kept.has(key)) {
      const promise = fetched();
      promise.catch(() => this.kept.delete(key));
      this.kept.set(key, promise);
      if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
    }
    return this.kept.get(key);
  }
}
