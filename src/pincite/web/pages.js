// Pages as pictures: only those in view exist, elements are used again, text and highlights lie exactly on them.

import { make } from "./dom.js";
import { groupedByLine, highlight, textSpan } from "./layers.js";
import { oneLine, pageName } from "./words.js";

const GAP = 14;
const EDGE = 16;
/** Scales that pictures are asked for at, in pixels a point; the server caches each. */
const SCALES = [0.5, 0.75, 1, 1.5, 2, 3, 4];
/** The most pixels a picture may have: more would cost a phone its memory. */
const MOST_PIXELS = 24e6;
/** How long the view rests before pictures are fetched: pages that fly past are not drawn. */
const REST_MS = 90;
export const ZOOMS = [0.25, 0.33, 0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4, 6];

export class PagesView {
  /** `onPage` hears the number of the page in the middle of the view. */
  constructor(reading, { onPage }) {
    this.reading = reading;
    this.onPage = onPage;
    this.zoom = 1;
    this.shown = new Map();
    this.spare = [];
    this.target = null;
    this.hits = new Map();
    this.sheet = make("div", { class: "sheet" });
    this.root = make(
      "div",
      {
        class: "pages scroller",
        tabindex: "0",
        role: "region",
        "aria-label": `Pages of ${oneLine(reading.record.name)}`,
      },
      this.sheet,
    );
    this.root.addEventListener("scroll", () => this.draw(), { passive: true });
    this.root.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.resized = new ResizeObserver(() => this.layOut());
    this.resized.observe(this.root);
  }

  close() {
    this.resized.disconnect();
    clearTimeout(this.resting);
    for (const num of [...this.shown.keys()]) this.release(num);
  }

  /** Compute where every page lies; the place that is read stays where it is. */
  layOut() {
    const width = this.root.clientWidth - 2 * EDGE;
    if (width <= 0) return;
    const held = this.tops ? this.position() : null;
    const widths = this.reading.pages.map((page) => page.width_pt || 612).sort((a, b) => a - b);
    const usual = widths[widths.length >> 1];
    const n = this.reading.pages.length;
    this.tops = new Float64Array(n + 1);
    this.scales = new Float64Array(n);
    let top = EDGE;
    let widest = 0;
    this.reading.pages.forEach((page, at) => {
      // A page wider than usual is fitted by itself, so that one plan does not make every page small.
      this.scales[at] = (this.zoom * width) / Math.max(usual, page.width_pt || 612);
      this.tops[at] = top;
      top += (page.height_pt || 792) * this.scales[at] + GAP;
      widest = Math.max(widest, (page.width_pt || 612) * this.scales[at]);
    });
    this.tops[n] = top;
    this.sheet.style.height = `${top}px`;
    this.sheet.style.width = `${Math.max(width, widest) + 2 * EDGE}px`;
    for (const [num, page] of this.shown) this.place(num, page);
    if (this.pending) this.reveal(this.pending);
    else if (held) this.scrollToPosition(held);
    this.draw();
  }

  /** The page in the middle of the view and how far down it the middle is. */
  position() {
    const middle = this.root.scrollTop + this.root.clientHeight / 2;
    const at = this.indexAt(middle);
    return { at, part: (middle - this.tops[at]) / (this.tops[at + 1] - this.tops[at]) };
  }

  scrollToPosition({ at, part }) {
    this.root.scrollTop = this.tops[at] + part * (this.tops[at + 1] - this.tops[at]) - this.root.clientHeight / 2;
  }

  indexAt(y) {
    let [low, high] = [0, this.reading.pages.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  setZoom(zoom) {
    this.zoom = Math.max(ZOOMS[0], Math.min(ZOOMS.at(-1), zoom));
    this.layOut();
  }

  step(direction) {
    const next =
      direction > 0 ? ZOOMS.find((zoom) => zoom > this.zoom + 0.01) : ZOOMS.findLast((zoom) => zoom < this.zoom - 0.01);
    if (next) this.setZoom(next);
  }

  wheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    this.setZoom(this.zoom * Math.exp(-event.deltaY / 300));
  }

  /** Make the elements of the pages in view and one screen around it; take the others away. */
  draw() {
    if (!this.tops) return;
    const { scrollTop, clientHeight } = this.root;
    const first = this.indexAt(scrollTop - clientHeight) + 1;
    const last = this.indexAt(scrollTop + 2 * clientHeight) + 1;
    for (const num of [...this.shown.keys()]) if (num < first || num > last) this.release(num);
    for (let num = first; num <= last; num++) if (!this.shown.has(num)) this.build(num);
    const current = this.indexAt(scrollTop + clientHeight / 2) + 1;
    if (current !== this.current) this.onPage((this.current = current));
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST_MS);
  }

  build(num) {
    const parts = this.spare.pop() ?? this.blank();
    const page = { ...parts, scale: 0, loading: null, url: null, hasText: false };
    page.root.dataset.page = num;
    page.root.setAttribute("aria-label", `Page ${pageName(this.reading.page(num))}`);
    this.shown.set(num, page);
    this.place(num, page);
    // In the order of the document, whatever order they came into view in.
    const after = [...this.sheet.children].find((other) => Number(other.dataset.page) > num);
    this.sheet.insertBefore(page.root, after ?? null);
    this.mark(num, page);
  }

  blank() {
    const image = make("img", { alt: "", draggable: "false" });
    const text = make("div", { class: "text-layer" });
    const marks = make("div", { class: "marks", "aria-hidden": "true" });
    const note = make("p", { class: "page-note", role: "status" });
    return { root: make("div", { class: "page", role: "group" }, image, marks, text, note), image, text, marks, note };
  }

  place(num, page) {
    const { width_pt: width, height_pt: height } = this.reading.page(num);
    const scale = this.scales[num - 1];
    page.root.style.setProperty("--s", scale);
    page.root.style.top = `${this.tops[num - 1]}px`;
    page.root.style.width = `${(width || 612) * scale}px`;
    page.root.style.height = `${(height || 792) * scale}px`;
  }

  release(num) {
    const page = this.shown.get(num);
    this.shown.delete(num);
    page.loading?.abort();
    if (page.url) URL.revokeObjectURL(page.url);
    page.root.remove();
    page.root.classList.remove("drawn");
    page.image.removeAttribute("src");
    for (const part of [page.text, page.marks]) part.replaceChildren();
    page.note.textContent = "";
    if (this.spare.length < 8)
      this.spare.push({ root: page.root, image: page.image, text: page.text, marks: page.marks, note: page.note });
  }

  /** The scale that is sharp on this screen, within what the server draws and a phone can hold. */
  wanted(num) {
    const { width_pt: width, height_pt: height } = this.reading.page(num);
    const most = Math.sqrt(MOST_PIXELS / ((width || 612) * (height || 792)));
    const sharp = this.scales[num - 1] * devicePixelRatio * 0.98;
    const fits = SCALES.filter((scale) => scale <= most);
    return fits.find((scale) => scale >= sharp) ?? fits.at(-1) ?? SCALES[0];
  }

  /** Where the view rests, text is laid and pictures are fetched. */
  rest() {
    const { scrollTop, clientHeight } = this.root;
    const middle = this.indexAt(scrollTop + clientHeight / 2) + 1;
    // What is looked at comes first, then its neighbours.
    const order = [...this.shown.keys()].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    for (const num of order) {
      const page = this.shown.get(num);
      if (!page.hasText) this.layText(num, page);
      const scale = this.wanted(num);
      if (page.scale === scale) continue;
      page.loading?.abort();
      page.scale = scale;
      page.loading = new AbortController();
      this.fetchPicture(num, page, scale, page.loading.signal);
    }
  }

  async fetchPicture(num, page, scale, signal) {
    try {
      const url = await this.reading.picture(num, scale, signal);
      if (this.shown.get(num) !== page || signal.aborted) return URL.revokeObjectURL(url);
      if (page.url) URL.revokeObjectURL(page.url);
      page.url = url;
      page.image.src = url;
      await page.image.decode().catch(() => {});
      page.root.classList.add("drawn");
      page.note.textContent = "";
    } catch (problem) {
      if (problem.name === "AbortError" || this.shown.get(num) !== page) return;
      page.note.textContent = `This page could not be drawn. ${problem.message}`;
    }
  }

  /** Lay the lines over the picture, transparent: they can be selected, copied, found and read aloud. */
  async layText(num, page) {
    page.hasText = true;
    let lines;
    try {
      lines = await this.reading.linesOf(num);
    } catch {
      page.hasText = false; // The picture is there; text is fetched again when the view moves and rests.
      return;
    }
    if (this.shown.get(num) !== page) return;
    // A break after each line: what is copied has the lines of the page.
    page.text.replaceChildren(
      ...lines.filter((line) => line.box).flatMap((line) => [textSpan(line, this.hits.get(line.line_id)), make("br")]),
    );
  }

  mark(num, page) {
    const boxes = (this.target?.boxes ?? []).filter((box) => box.page === num);
    const { width_pt: width } = this.reading.page(num);
    page.marks.replaceChildren(...boxes.map((box) => highlight(box, width, this.target.tint)));
  }

  /** Show a place: `{page, boxes}`; the boxes are highlighted and the first is scrolled to the upper third. */
  show(target) {
    this.target = target;
    for (const [num, page] of this.shown) this.mark(num, page);
    const box = target.boxes?.[0];
    this.reveal(box ? { page: box.page, y: box.box[1], x: box.box[0] } : { page: target.page, y: 0 });
  }

  /** Scroll to a height on a page, in points; before the view has a size it is kept for then. */
  reveal(spot) {
    if (!this.tops || !this.root.clientHeight) {
      this.pending = spot;
      return;
    }
    this.pending = null;
    const at = Math.max(0, Math.min(this.reading.pages.length, spot.page) - 1);
    const scale = this.scales[at];
    const above = spot.y ? this.root.clientHeight / 3 : GAP;
    this.root.scrollTop = Math.max(0, this.tops[at] + spot.y * scale - above);
    const overhang = this.sheet.offsetWidth - this.root.clientWidth;
    if (overhang > 0) {
      const left =
        (this.sheet.offsetWidth - (this.reading.page(at + 1).width_pt || 612) * scale) / 2 + (spot.x ?? 0) * scale;
      this.root.scrollLeft = left - this.root.clientWidth / 4;
    }
    this.draw();
  }

  goto(pageNum) {
    this.reveal({ page: pageNum, y: 0 });
  }

  /** Mark what was found, and lead to the hit that is looked at; `current` is its number. */
  showHits(hits, current) {
    this.hits = groupedByLine(hits, current);
    for (const [num, page] of this.shown) if (page.hasText) this.layText(num, page);
    const hit = hits.find((one) => one.hit === current);
    if (hit) this.revealLine(hit);
  }

  async revealLine({ page_num: page, line_id: id }) {
    const line = (await this.reading.linesOf(page)).find((one) => one.line_id === id);
    this.reveal({ page, y: line?.box?.y0 ?? 0, x: line?.box?.x0 });
  }
}
