// The viewer: one document with its toolbar, contents, pages or lines, and the place that was asked for highlighted.

import { contentsTree, Thumbnails } from "./contents.js";
import { announce, failure, icon, iconButton, kept, make, toast } from "./dom.js";
import { FindBar } from "./find.js";
import { addressOf, copyText } from "./links.js";
import { LinesView } from "./lines.js";
import { PagesView } from "./pages.js";
import { Reading } from "./reading.js";
import { spotOf } from "./spots.js";
import { manyLines, oneLine, place } from "./words.js";

export class Viewer {
  /** `root` is filled; `collection` says which one is open; `onPlace` hears the place that is shown, `onClose` the end. */
  constructor(root, { collection, onPlace, onClose, tint = "" }) {
    Object.assign(this, { root, collection, onPlace, onClose, tint });
    this.reading = null;
    this.view = null;
    this.asLines = false;
    this.turn = 0;
  }

  /** Show a target: `{citation}`, or `{doc, page, to, lines}` by line numbers, or `{doc, first, last}` by ids of lines. */
  async show(target) {
    const turn = ++this.turn;
    const id = target.citation?.doc_id ?? target.doc;
    try {
      if (this.reading?.id !== id) await this.open(id, turn);
      if (turn !== this.turn) return;
      const spot = await spotOf(this.reading, target);
      if (turn !== this.turn) return;
      this.spot = { ...spot, tint: this.tint };
      this.caption(target, spot);
      this.view.show(this.spot);
      this.onPlace(spot);
      announce(`${oneLine(this.reading.record.name)}, ${spot.said}`);
    } catch (problem) {
      if (turn === this.turn) this.fail(problem, target);
    }
  }

  fail(problem, target) {
    this.close();
    const gone = problem.status === 404;
    const said = gone
      ? { title: "This document is not here", detail: "It was deleted, or it is in another collection." }
      : problem;
    this.root.replaceChildren(
      make("div", { class: "viewer-head" }, make("h2", { class: "viewer-name" }, "Viewer"), this.closeButton()),
      failure(said, gone ? null : () => this.show(target)),
    );
  }

  closeButton() {
    return iconButton("close", "Close the viewer", () => this.onClose());
  }

  async open(id, turn) {
    this.close();
    this.root.replaceChildren(
      make(
        "div",
        { class: "viewer-loading", role: "status" },
        make("div", { class: "skeleton page-skeleton" }),
        make("span", { class: "unseen" }, "Opening the document"),
      ),
    );
    const reading = await Reading.open(id);
    if (turn !== this.turn) return;
    this.reading = reading;
    this.asLines = !reading.hasPictures;
    this.build();
  }

  build() {
    const { record, pages, hasPictures } = this.reading;
    this.pageInput = make("input", {
      class: "page-input",
      "aria-label": "Page",
      inputmode: "text",
      autocomplete: "off",
      on: {
        change: () => this.goPage(this.pageInput.value),
        focus: () => this.pageInput.select(),
        keydown: (event) => event.key === "Enter" && this.goPage(this.pageInput.value),
      },
    });
    this.pageCount = make("span", { class: "page-count" });
    this.head = make(
      "div",
      { class: "viewer-head" },
      iconButton("side", "Contents and pages", () => this.toggleSide(), {
        "aria-expanded": "false",
        class: "icon-button side-toggle",
      }),
      make("h2", { class: "viewer-name", title: oneLine(record.name) }, make("bdi", {}, oneLine(record.name))),
      this.closeButton(),
    );
    this.tools = make(
      "div",
      { class: "viewer-tools", role: "toolbar", "aria-label": "Viewer" },
      iconButton("up", "Previous page", () => this.stepPage(-1), { class: "icon-button page-step" }),
      this.pageInput,
      this.pageCount,
      iconButton("down", "Next page", () => this.stepPage(1), { class: "icon-button page-step" }),
      make("span", { class: "space" }),
      hasPictures &&
        make(
          "span",
          { class: "zoom-tools" },
          iconButton("minus", "Smaller", () => this.zoom(-1)),
          iconButton("fit", "Fit the width", () => this.zoom(0), { class: "icon-button fit" }),
          iconButton("add", "Larger", () => this.zoom(1)),
        ),
      iconButton("find", "Find in this document", () => this.openFind()),
      hasPictures &&
        (this.linesToggle = iconButton("lines", "Show as lines", () => this.toggleLines(), {
          "aria-pressed": "false",
        })),
      iconButton("link", "Copy a link to this place", () => this.copyLink()),
      make(
        "a",
        {
          class: "icon-button",
          href: this.reading.original,
          download: true,
          "aria-label": "Download the original",
          title: "Download the original",
        },
        icon("download"),
      ),
    );
    this.note = make("p", { class: "viewer-note", hidden: true });
    this.side = make("div", { class: "viewer-side", hidden: true });
    this.body = make("div", { class: "viewer-body" }, this.side);
    this.root.replaceChildren(this.head, this.tools, this.note, this.body);
    this.pages = pages;
    this.makeView();
    if (kept.get("side", false) && this.root.clientWidth > 640) this.toggleSide();
  }

  makeView() {
    const Kind = this.asLines ? LinesView : PagesView;
    this.view?.close();
    this.view?.root.remove();
    this.view = new Kind(this.reading, { onPage: (num) => this.atPage(num) });
    this.body.append(this.view.root);
  }

  toggleLines() {
    const page = this.page ?? 1;
    this.asLines = !this.asLines;
    this.linesToggle.setAttribute("aria-pressed", String(this.asLines));
    this.makeView();
    if (this.spot?.first) this.view.show(this.spot);
    else this.view.goto(page);
  }

  /** What is cited, in a line above the page; and whether the document is still what it was. */
  caption({ citation }, spot) {
    const changed = citation && citation.content_hash !== this.reading.record.content_hash;
    this.note.hidden = !spot.first && !changed;
    this.note.classList.toggle("changed", Boolean(changed));
    this.note.replaceChildren(
      ...(changed
        ? [icon("warn"), "This document has changed since the answer was given: the lines may stand elsewhere now."]
        : [
            make("b", {}, citation ? place(citation) : spot.said),
            citation ? ` “${manyLines(citation.quote).replace(/\s+/g, " ")}”` : "",
          ]),
    );
    this.note.dir = "auto";
  }

  atPage(num) {
    this.page = num;
    const page = this.reading.page(num);
    if (document.activeElement !== this.pageInput) this.pageInput.value = page.label ?? String(num);
    const isLabelled = page.label && page.label !== String(num);
    this.pageCount.textContent = isLabelled ? `${num} of ${this.pages.length}` : `of ${this.pages.length}`;
    this.thumbs?.current(num);
  }

  goPage(text) {
    const num = this.reading.pageCalled(text);
    if (num) this.view.goto(num);
    else toast(`There is no page “${text}” in this document`);
  }

  stepPage(step) {
    this.view.goto(Math.max(1, Math.min(this.pages.length, (this.page ?? 1) + step)));
  }

  zoom(direction) {
    if (this.asLines) return;
    if (direction) this.view.step(direction);
    else this.view.setZoom(1);
    announce(`${Math.round(this.view.zoom * 100)} percent of the width`);
  }

  toggleSide() {
    const isOpen = this.side.hidden;
    this.side.hidden = !isOpen;
    this.head.querySelector(".side-toggle").setAttribute("aria-expanded", String(isOpen));
    kept.set("side", isOpen);
    if (isOpen && !this.side.firstChild) this.fillSide();
  }

  fillSide() {
    const go = (section) => {
      if (section.start_y !== null && !this.asLines) this.view.reveal({ page: section.start_page, y: section.start_y });
      else this.view.goto(section.start_page);
      this.clearView();
    };
    const turn = (num) => {
      this.view.goto(num);
      this.clearView();
    };
    const panels = [["Contents", () => contentsTree(this.reading, go)]];
    if (this.reading.hasPictures) panels.push(["Pages", () => (this.thumbs = new Thumbnails(this.reading, turn)).root]);
    const panel = make("div", { class: "side-panel" });
    const tabs = panels.map(([name, filled], at) =>
      make(
        "button",
        {
          type: "button",
          "aria-pressed": String(at === 0),
          on: {
            click: (event) => {
              tabs.forEach((tab) => tab.setAttribute("aria-pressed", String(tab === event.currentTarget)));
              this.thumbs?.close();
              this.thumbs = null;
              panel.replaceChildren(filled());
              this.thumbs?.current(this.page ?? 1);
            },
          },
        },
        name,
      ),
    );
    panel.append(panels[0][1]());
    this.side.replaceChildren(
      make("div", { class: "segments", role: "group", "aria-label": "Side of the viewer" }, tabs),
      panel,
    );
  }

  /** Where the side lies over the page it goes once something was chosen from it. */
  clearView() {
    if (getComputedStyle(this.side).position !== "absolute") return;
    this.toggleSide();
    this.view.root.focus({ preventScroll: true });
  }

  openFind() {
    if (!this.reading) return;
    if (!this.find) {
      this.find = new FindBar(this.reading, {
        onHits: (hits, current) => this.view.showHits(hits, current),
        onClose: () => {
          this.find.close();
          this.find = null;
          this.view.root.focus();
        },
      });
      this.tools.after(this.find.root);
    }
    this.find.input.focus();
    this.find.input.select();
  }

  async copyLink() {
    const place = this.spot?.first && this.spot.page === this.page ? this.spot.target : { page: this.page ?? 1 };
    const done = await copyText(addressOf({ collection: this.collection(), doc: this.reading.id, ...place }));
    toast(done ? "Link copied" : "This browser does not let the page copy");
  }

  close() {
    this.find?.close();
    this.find = null;
    this.thumbs?.close();
    this.thumbs = null;
    this.view?.close();
    this.view = null;
    this.reading = null;
    this.spot = null;
  }
}
