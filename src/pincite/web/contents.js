// The side of the viewer: the document's contents as a tree, and its pages as small pictures.

import { failure, icon, make, rove } from "./dom.js";
import { oneLine, pageName } from "./words.js";

/** The contents as a tree; `go` hears the page and the height in points of what is chosen. */
export function contentsTree(reading, go) {
  const box = make("div", { class: "contents" }, make("p", { class: "dim", role: "status" }, "Loading the contents"));
  reading.contents().then(
    (sections) => box.replaceChildren(tree(sections, go, reading)),
    (problem) => box.replaceChildren(failure(problem)),
  );
  return box;
}

function tree(sections, go, reading) {
  if (!sections.length) return make("p", { class: "dim" }, "This document has no table of contents.");
  const items = sections.map((section, at) => {
    const hasChildren = sections[at + 1]?.level > section.level;
    const item = make(
      "li",
      {
        role: "treeitem",
        tabindex: at ? "-1" : "0",
        "aria-level": section.level,
        "aria-expanded": hasChildren ? "true" : null,
        dataset: { level: section.level, page: section.start_page },
        on: { click: () => go(section) },
      },
      make("span", { class: "twig" }, hasChildren && icon("next")),
      make("span", { class: "toc-title", dir: "auto" }, oneLine(section.title)),
      make("span", { class: "toc-page" }, labelOf(reading.page(section.start_page))),
    );
    item.style.setProperty("--level", Math.min(section.level, 8) - 1);
    return item;
  });
  const list = make("ul", { role: "tree", "aria-label": "Contents" }, items);
  const levels = sections.map((section) => section.level);
  const fold = (at, isOpen) => {
    items[at].setAttribute("aria-expanded", String(isOpen));
    for (let below = at + 1; below < items.length && levels[below] > levels[at]; below++) {
      items[below].hidden = !isOpen;
      if (items[below].hasAttribute("aria-expanded")) items[below].setAttribute("aria-expanded", String(isOpen));
    }
  };
  list.addEventListener(
    "click",
    (event) => {
      const item = event.target.closest(".twig")?.closest("[aria-expanded]");
      if (!item) return;
      event.stopPropagation();
      fold(items.indexOf(item), item.getAttribute("aria-expanded") !== "true");
    },
    { capture: true },
  );
  list.addEventListener("keydown", (event) => {
    const at = items.indexOf(event.target);
    if (at === -1) return;
    const expanded = event.target.getAttribute("aria-expanded");
    if (event.key === "Enter" || event.key === " ") event.target.click();
    else if (event.key === "ArrowRight" && expanded === "false") fold(at, true);
    else if (event.key === "ArrowLeft" && expanded === "true") fold(at, false);
    else if (event.key === "ArrowLeft")
      items[levels.findLastIndex((level, i) => i < at && level < levels[at])]?.focus();
    else return;
    event.preventDefault();
  });
  rove(list, "[role=treeitem]");
  return list;
}

/** What is printed on a page, in short: the list has no room for the number of the sheet. */
const labelOf = ({ label, page_num: num }) => oneLine(label ?? String(num));

/** Small pictures of all pages, drawn when they come into view. */
export class Thumbnails {
  constructor(reading, go) {
    this.reading = reading;
    this.buttons = reading.pages.map((page) => {
      const frame = make("span", { class: "thumb-frame" });
      frame.style.aspectRatio = `${page.width_pt || 612} / ${page.height_pt || 792}`;
      return make(
        "button",
        {
          type: "button",
          class: "thumb",
          tabindex: page.page_num === 1 ? "0" : "-1",
          dataset: { page: page.page_num },
          "aria-label": `Page ${pageName(page)}`,
          on: { click: () => go(page.page_num) },
        },
        frame,
        make("span", { class: "thumb-label" }, labelOf(page)),
      );
    });
    this.root = make("div", { class: "thumbs" }, this.buttons);
    rove(this.root, ".thumb");
    this.loading = new Map();
    this.seen = new IntersectionObserver((entries) => entries.forEach((entry) => this.cross(entry)), {
      root: this.root,
      rootMargin: "50%",
    });
    this.buttons.forEach((button) => this.seen.observe(button));
  }

  cross({ target, isIntersecting }) {
    const num = Number(target.dataset.page);
    if (!isIntersecting) {
      this.loading.get(num)?.abort();
      this.loading.delete(num);
      return;
    }
    if (this.loading.has(num) || target.querySelector("img")) return;
    const loading = new AbortController();
    this.loading.set(num, loading);
    // Pages that fly past are not drawn.
    setTimeout(() => !loading.signal.aborted && this.draw(num, target, loading.signal), 120);
  }

  async draw(num, target, signal) {
    const { width_pt: width } = this.reading.page(num);
    try {
      const scale = Math.max(0.1, Math.min(1, Math.round(((132 * devicePixelRatio) / (width || 612)) * 20) / 20));
      const url = await this.reading.picture(num, scale, signal);
      const image = make("img", { alt: "", src: url });
      image.addEventListener("load", () => URL.revokeObjectURL(url), { once: true });
      target.firstElementChild.replaceChildren(image);
    } catch {
      // Without its picture the frame is empty and still leads to the page.
    }
  }

  current(num) {
    const chosen = this.buttons[num - 1];
    for (const button of this.root.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    chosen?.setAttribute("aria-current", "page");
    if (chosen && !this.root.contains(document.activeElement)) chosen.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.seen.disconnect();
    for (const loading of this.loading.values()) loading.abort();
  }
}
