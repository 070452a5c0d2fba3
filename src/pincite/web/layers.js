// What lies on the picture of a page: text, hits, highlights; all in points times the scale, so zoom costs nothing.

import { make } from "./dom.js";

const ruler = new OffscreenCanvas(1, 1).getContext("2d");
ruler.font = "100px sans-serif";

/** A line as transparent text on its box, in points times `--s`; what was searched for is marked. */
export function textSpan(line, hits) {
  const { x0, y0, x1, y1 } = line.box;
  const [width, height] = [x1 - x0, y1 - y0];
  const isUpright = height > 2.5 * width && line.text.length > 2;
  const [along, across] = isUpright ? [height, width] : [width, height];
  const size = across * 0.78;
  const natural = (ruler.measureText(line.text).width * size) / 100;
  const span = make(
    "span",
    { class: isUpright ? "upright" : null, dir: "auto", dataset: { line: line.line_id } },
    found(line, hits),
  );
  span.style.left = `calc(var(--s) * ${x0}px)`;
  span.style.top = `calc(var(--s) * ${y0}px)`;
  span.style.fontSize = `calc(var(--s) * ${size}px)`;
  span.style.lineHeight = `calc(var(--s) * ${across}px)`;
  const stretch = natural ? along / natural : 1;
  span.style.transform = isUpright ? `scaleY(${stretch})` : `scaleX(${stretch})`;
  return span;
}

function found(line, hits) {
  if (!hits) return line.text;
  const parts = [];
  let end = 0;
  for (const hit of hits) {
    parts.push(
      line.text.slice(end, hit.start),
      make("mark", { class: hit.current ? "current" : null }, line.text.slice(hit.start, hit.end)),
    );
    end = hit.end;
  }
  return [...parts, line.text.slice(end)];
}

/** A highlight on its box. */
export function highlight({ box, width_pt: drawn }, width, tint) {
  // The size of the page travels with the box; if the page was parsed anew at another size they still meet.
  const ratio = drawn ? (width || drawn) / drawn : 1;
  const [x0, y0, x1, y1] = box.map((value) => value * ratio);
  const made = make("div", { class: `highlight ${tint ?? ""}` });
  made.style.left = `calc(var(--s) * ${x0}px)`;
  made.style.top = `calc(var(--s) * ${y0}px)`;
  made.style.width = `calc(var(--s) * ${x1 - x0}px)`;
  made.style.height = `calc(var(--s) * ${y1 - y0}px)`;
  return made;
}

/** Pieces of hits by the id of their line, in order; those of the hit that is looked at say so. */
export function groupedByLine(hits, current) {
  const grouped = new Map();
  for (const piece of hits) {
    if (!grouped.has(piece.line_id)) grouped.set(piece.line_id, []);
    grouped.get(piece.line_id).push({ ...piece, current: piece.hit === current });
  }
  return grouped;
}
