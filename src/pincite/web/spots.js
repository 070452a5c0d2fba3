// What a place means in the document that is open: a page, boxes to highlight, ids of lines, a quote.

import { pageName, place } from "./words.js";

/** The most lines that one request gives. */
const MOST = 2000;

/** The spot of a target: `{citation}`, `{page, to, lines}` by line numbers, or `{first, last}` by ids of lines. */
export async function spotOf(reading, { citation, page, to, lines, first, last }) {
  if (citation) return spotOfCitation(citation);
  const start = page ?? 1;
  let found = [];
  if (first) found = await reading.linesBetween(first, last);
  else if (lines) found = await linesNumbered(reading, start, to ?? start, lines);
  if (found.length) return spotOfLines(reading, found);
  return { page: start, boxes: [], said: `page ${pageName(reading.page(start))}`, target: { page: start } };
}

function spotOfCitation(c) {
  const page = c.page ?? 1;
  return {
    page,
    first: c.line_ids[0],
    last: c.line_ids.at(-1),
    quote: c.quote,
    boxes: c.boxes,
    said: place(c),
    target: { page, to: c.last_page, lines: [c.first_line, c.last_line] },
  };
}

function spotOfLines(reading, found) {
  const [start, end] = [found[0], found.at(-1)];
  const [from, to] = [start.line_num, end.line_num];
  return {
    page: start.page_num,
    first: start.line_id,
    last: end.line_id,
    boxes: found.filter((line) => line.box).map((line) => boxOf(reading, line)),
    said: `${pageSaid(reading, start.page_num)}${from === to ? `line ${from}` : `lines ${from}–${to}`}`,
    target: { page: start.page_num, to: end.page_num, lines: [from, to] },
  };
}

/** The page before the lines; a text of a single page has none that anybody could turn to. */
const pageSaid = (reading, num) =>
  reading.pages.length === 1 && !reading.hasPictures ? "" : `page ${pageName(reading.page(num))}, `;

/** Lines by their numbers on pages: line numbers begin anew on each page, ids go on. */
async function linesNumbered(reading, page, to, [first, last]) {
  const [start, end] = await Promise.all([reading.linesOf(page), reading.linesOf(to)]);
  if (!start.length || !end.length) return [];
  const idOf = (lines, num) =>
    lines.find((line) => line.line_num === num)?.line_id ?? lines[0].line_id + num - lines[0].line_num;
  const [firstId, lastId] = [idOf(start, first), idOf(end, last)];
  return reading.linesBetween(firstId, Math.max(firstId, Math.min(lastId, firstId + MOST - 1)));
}

function boxOf(reading, line) {
  const { width_pt, height_pt } = reading.page(line.page_num);
  return { page: line.page_num, width_pt, height_pt, box: [line.box.x0, line.box.y0, line.box.x1, line.box.y1] };
}
