// Elements made by script: text stays text, whatever it holds; nothing here reads HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children. `on` holds listeners, `dataset` data attributes; `null` children are none. */
export function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "on") for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    else if (name === "dataset") Object.assign(made.dataset, value);
    else if (name === "href") setLink(made, value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** A link leads to the web's own addresses, to a place on this page, or nowhere. */
function setLink(element, address) {
  const full = new URL(address, document.baseURI);
  if (["http:", "https:", "blob:"].includes(full.protocol)) element.setAttribute("href", address);
}

/** Drawn with strokes of the current colour; the paths are this file's own. */
const ICONS = {
  add: "M12 5v14M5 12h14",
  ask: "M5 12h13M12 5l7 7-7 7",
  bin: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  book: "M4 5h6a2 2 0 0 1 2 2v13a2 2 0 0 0-2-2H4zM20 5h-6a2 2 0 0 0-2 2v13a2 2 0 0 1 2-2h6z",
  check: "M5 12.5l4.5 4.5L19 7.5",
  close: "M6 6l12 12M18 6L6 18",
  columns: "M4 5h16v14H4zM12 5v14",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  down: "M6 9l6 6 6-6",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  find: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16 16l5 5",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  history: "M4 12a8 8 0 1 0 2.5-5.8L4 8.5M4 4v4.5h4.5M12 8v4.5l3 2",
  lines: "M9 6h11M9 12h11M9 18h11M4 6h1M4 12h1M4 18h1",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5",
  minus: "M6 12h12",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  next: "M9 6l6 6-6 6",
  page: "M6 3h8l4 4v14H6zM14 3v4h4",
  repaired: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  side: "M4 5h16v14H4zM9 5v14",
  up: "M6 15l6-6 6 6",
  warn: "M12 4l9 16H3zM12 10v4M12 17h.01",
};

/** A small picture that says nothing to a screen reader: the words stand beside it. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" })) {
    svg.setAttribute(key, value);
  }
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** A button that is only a picture, with the words for who cannot see it. */
export function iconButton(name, label, onClick, attributes = {}) {
  return make(
    "button",
    { type: "button", class: "icon-button", "aria-label": label, title: label, on: { click: onClick }, ...attributes },
    icon(name),
  );
}

/** A button with words. */
export function button(label, onClick, attributes = {}) {
  return make("button", { type: "button", on: { click: onClick }, ...attributes }, label);
}

export const byId = (id) => document.getElementById(id);

/** Say something to a screen reader that others see happen. */
export function announce(text) {
  const region = byId("announced");
  region.textContent = "";
  // The same words twice are said twice only when the region was empty in between.
  requestAnimationFrame(() => (region.textContent = text));
}

/** A short message at the foot of the window, which goes by itself; it is announced too. */
export function toast(text) {
  const box = byId("toast");
  box.textContent = text;
  box.hidden = false;
  announce(text);
  clearTimeout(box.timer);
  box.timer = setTimeout(() => (box.hidden = true), 3500);
}

/** A failure as a box that says what, and what can be done. */
export function failure(problem, again = null) {
  return make(
    "div",
    { class: "failure", role: "alert" },
    make("p", { class: "failure-title" }, icon("warn"), problem.title ?? "Something failed"),
    make("p", { dir: "auto" }, problem.detail ?? problem.message ?? String(problem)),
    again && button("Try again", again, { class: "quiet" }),
  );
}

/** Arrow keys move among the items that `selector` finds; only one of them is in the order of the Tab key. */
export function rove(container, selector, { horizontal = false } = {}) {
  const items = () => [...container.querySelectorAll(selector)].filter((item) => item.offsetParent !== null);
  const [back, on] = horizontal ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  const choose = (chosen) => {
    for (const item of container.querySelectorAll(selector)) item.tabIndex = item === chosen ? 0 : -1;
  };
  container.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.indexOf(event.target.closest(selector));
    if (at === -1 || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { [back]: at - 1, [on]: at + 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || event.target.matches("input[type=text], select, textarea")) return;
    event.preventDefault();
    const next = all[Math.max(0, Math.min(all.length - 1, to))];
    choose(next);
    next.focus();
  });
  container.addEventListener("focusin", (event) => {
    const item = event.target.closest(selector);
    if (item && event.target === item) choose(item);
  });
  /** Call it when items were made or taken away: exactly one stays in the order of Tab. */
  return () => {
    const all = [...container.querySelectorAll(selector)];
    if (all.length && !all.some((item) => item.tabIndex === 0)) all[0].tabIndex = 0;
  };
}

/** What the reader chose, kept in this browser where it may be kept. */
export const kept = {
  get(name, otherwise) {
    try {
      return JSON.parse(localStorage.getItem(`pincite.${name}`)) ?? otherwise;
    } catch {
      return otherwise;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem(`pincite.${name}`, JSON.stringify(value));
    } catch {
      // A browser that keeps nothing loses the choice, nothing else.
    }
  },
};
