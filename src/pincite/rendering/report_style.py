"""The look of a report: system fonts, light and dark, screen and paper. No script, nothing fetched."""

from pincite.rendering.palette import TINTS

_BASE = """
:root { color-scheme: light dark; --paper: #fbfbf9; --card: #fff; --ink: #1c1d1f; --dim: #5d6167;
  --rule: #e2e2dc; --link: #0b5a8f; --good: #0a6b47; --bad: #a3260f; --quote: #f4f4f0;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
  --serif: ui-serif, Georgia, "Iowan Old Style", "Liberation Serif", serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
@media (prefers-color-scheme: dark) { :root { --paper: #16181b; --card: #1e2125; --ink: #e7e7e3;
  --dim: #a3a8af; --rule: #34383e; --link: #7cc0f0; --good: #6fd0a5; --bad: #ff9c86; --quote: #25292e; }
  img { filter: brightness(.9); } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-behavior: smooth; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 var(--sans);
  overflow-wrap: anywhere; }
main, header, footer { max-width: 50rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
footer { padding-top: 1rem; padding-bottom: 3rem; color: var(--dim); font-size: .8125rem; }
a { color: var(--link); }
a:focus-visible, .figure:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.brand { margin: 0; color: var(--dim); font-size: .8125rem; letter-spacing: .04em; }
h1 { margin: .4rem 0 1.5rem; font: 600 clamp(1.4rem, 1.1rem + 1.6vw, 2rem)/1.25 var(--serif); }
h2 { margin: 2.5rem 0 .9rem; font-size: .8125rem; font-weight: 650; letter-spacing: .08em;
  text-transform: uppercase; color: var(--dim); }
h3 { margin: 0; font-size: 1rem; font-weight: 600; line-height: 1.35; }
.summary { font-size: 1.0625rem; }
.items { margin: 0; padding-left: 1.6rem; font-size: 1.125rem; }
.items li { margin: .55rem 0; padding-left: .2rem; white-space: pre-line; }
.items li::marker { color: var(--dim); font-size: .9em; }
.items.single { padding-left: 0; list-style: none; }
.value { display: inline-block; margin-left: .35em; padding: 0 .5em; border: 1px solid var(--rule);
  border-radius: .35em; font-size: .875em; font-weight: 600; white-space: nowrap; }
.cites { white-space: nowrap; }
.n { display: inline-block; min-width: 1.5em; padding: 0 .4em; border-radius: .75em; font: 650 .8125rem/1.5 var(--sans);
  text-align: center; text-decoration: none; }
.cites .n { margin-left: .25em; vertical-align: .12em; font-size: .75rem; }
.scroll { overflow-x: auto; }
table.answer { width: 100%; border-collapse: collapse; font-size: .9375rem; }
.answer th, .answer td { padding: .5rem .7rem; border-bottom: 1px solid var(--rule); text-align: left;
  vertical-align: top; overflow-wrap: normal; }
.answer th { color: var(--dim); font-weight: 600; }
.notes { margin: 1.25rem 0 0; padding: .75rem 1rem .75rem 2rem; border: 1px solid var(--rule);
  border-left: 4px solid #c98a00; border-radius: .4rem; background: var(--card); font-size: .9375rem; }
.signals { display: flex; flex-wrap: wrap; gap: .35rem 1.25rem; margin: 1.25rem 0 0; padding: 0;
  list-style: none; color: var(--dim); font-size: .875rem; }
.signals b { color: var(--ink); font-weight: 600; }
.source { margin: 0 0 1.25rem; padding: 1.1rem 1.25rem; border: 1px solid var(--rule); border-radius: .6rem;
  background: var(--card); }
.source:target { outline: 3px solid var(--link); }
.source .head { display: flex; gap: .6rem; align-items: baseline; }
.crumb { margin: .15rem 0 0; color: var(--dim); font-size: .8125rem; }
.quote { margin: .85rem 0; padding: .65rem .9rem; border-left: 4px solid var(--rule); border-radius: 0 .4rem .4rem 0;
  background: var(--quote); font: 1.0313rem/1.5 var(--serif); white-space: pre-wrap; }
.verdict { margin: .4rem 0 0; color: var(--dim); font-size: .8125rem; }
.verdict b { color: var(--good); font-weight: 650; }
.verdict b.bad { color: var(--bad); }
figure { margin: .9rem 0 0; }
figcaption { margin-top: .35rem; color: var(--dim); font-size: .8125rem; }
.figure { overflow-x: auto; border: 1px solid var(--rule); border-radius: .4rem; background: #fff; }
.figure img { display: block; width: 100%; min-width: min(32rem, var(--w, 32rem)); max-width: var(--w, 100%);
  height: auto; margin: 0 auto; }
.lines { width: 100%; border-collapse: collapse; font: .8438rem/1.5 var(--mono); }
.lines th { width: 1%; padding: .05rem .7rem; color: var(--dim); font-weight: 400; text-align: right;
  vertical-align: top; border-right: 1px solid var(--rule); white-space: nowrap; user-select: none; }
.lines td { padding: .05rem .7rem; white-space: pre-wrap; color: var(--dim); }
.lines.columns td { border-right: 1px solid var(--rule); }
.linebox:has(.columns) { overflow-x: auto; }
.lines .cited td { color: var(--ink); }
.lines .cited th { color: var(--ink); font-weight: 700; }
.lines caption { caption-side: bottom; padding-top: .35rem; text-align: left; color: var(--dim);
  font: .8125rem/1.5 var(--sans); }
.linebox { margin-top: .9rem; padding: .5rem 0; border: 1px solid var(--rule); border-radius: .4rem; }
.linebox caption { padding-left: .7rem; }
mark { border-radius: .2em; padding: .05em 0; color: #17181a; box-decoration-break: clone;
  -webkit-box-decoration-break: clone; }
.refusal { padding: 1.1rem 1.25rem; border: 1px solid var(--rule); border-left: 4px solid #c98a00; border-radius: .6rem;
  background: var(--card); font-size: 1.0625rem; }
.refusal p { margin: 0; } .refusal .why { margin-bottom: .3rem; font-weight: 650; }
.terms { margin: .6rem 0 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .4rem; }
.terms li { padding: .1rem .6rem; border: 1px solid var(--rule); border-radius: 1rem;
  background: var(--card); font-size: .875rem; }
.terms .none { color: var(--bad); }
@media (max-width: 30rem) { .source { padding: .9rem; } .quote { white-space: normal; }
  main, header, footer { padding-left: .9rem; padding-right: .9rem; }
  header { padding-top: 1.4rem; } }
@media print { :root { --paper: #fff; --card: #fff; --quote: #fff; --ink: #000; --dim: #444;
  --rule: #bbb; --link: #000; }
  body { font-size: 10.5pt; } main, header, footer { max-width: none; padding: 0; }
  .source, .items li { break-inside: avoid; }
  h2 { break-after: avoid; } .figure img { min-width: 0; } img { filter: none; }
  mark, .n, .t1, .t2 { print-color-adjust: exact; -webkit-print-color-adjust: exact; } a { text-decoration: none; } }
"""


def stylesheet() -> str:
    """Return the style sheet; `.t1` … are the tints of items, for numbers, quotes and marks."""
    tints = [
        f".n.t{index}, mark.t{index} {{ background: {tint.fill_hex}; color: {tint.ink_hex}; }}\n"
        f"mark.t{index} {{ color: #17181a; }}\n"
        f".quote.t{index} {{ border-left-color: {tint.fill_hex}; }}"
        for index, tint in enumerate(TINTS, start=1)
    ]
    return _BASE + "\n".join(tints) + "\n"


def tint_class(item_num: int) -> str:
    """Return the class of an item's tint."""
    return f"t{(item_num - 1) % len(TINTS) + 1}"
