// The bar between two panes: dragged, or moved with the arrow keys; the width is kept in this browser.

import { kept } from "./dom.js";

const [LEAST, MOST, STEP] = [25, 75, 2];

/** Make `bar` a separator that sets `--viewer`, the viewer's share of the window in per cent. */
export function splitter(bar, { name }) {
  const set = (share) => {
    const value = Math.round(Math.max(LEAST, Math.min(MOST, share)));
    document.documentElement.style.setProperty("--viewer", `${value}%`);
    bar.setAttribute("aria-valuenow", value);
    kept.set("viewer", value);
  };
  bar.setAttribute("aria-label", name);
  bar.setAttribute("aria-valuemin", LEAST);
  bar.setAttribute("aria-valuemax", MOST);
  set(kept.get("viewer", 46));
  const now = () => Number(bar.getAttribute("aria-valuenow"));
  bar.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: now() + STEP, ArrowRight: now() - STEP, Home: MOST, End: LEAST }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  });
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    const move = (moved) => set(((innerWidth - moved.clientX) / innerWidth) * 100);
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
  });
}
