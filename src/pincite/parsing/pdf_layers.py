"""Optional content: which layers of a file are switched off when it is opened, and what belongs to one."""

from typing import Any

import pikepdf

#: Our own mark on the groups that are off; it lives in memory alone and travels with copies of a page.
_OFF = "/PinciteOff"
#: Expressions in expressions, and forms in forms, are followed so deep; so many forms of a page are looked at.
_DEPTH, _MOST_FORMS = 6, 400
ERRORS = (pikepdf.PdfError, ValueError, TypeError, AttributeError, KeyError, RecursionError, IndexError)


def mark_layers(pdf: Any) -> bool:
    """Mark the groups that the default configuration switches off; return whether there is one."""
    properties = pdf.Root.get("/OCProperties")
    if not isinstance(properties, pikepdf.Dictionary):
        return False
    config = properties.get("/D", pikepdf.Dictionary())
    groups = {group.objgen: group for group in _groups(properties.get("/OCGs"))}
    off = set(groups) if config.get("/BaseState") == "/OFF" else set()
    off -= {group.objgen for group in _groups(config.get("/ON"))}
    for group in _groups(config.get("/OFF")):
        groups[group.objgen] = group
        off.add(group.objgen)
    for usage in _groups(config.get("/AS")):
        if usage.get("/Event") == "/View":
            for group in _groups(usage.get("/OCGs")):
                state = group.get("/Usage", {}).get("/View", {}).get("/ViewState")
                off = off | {group.objgen} if state == "/OFF" else off - {group.objgen} if state == "/ON" else off
    for at in off & set(groups):
        groups[at][_OFF] = True
    return bool(off)


def is_off(content: Any) -> bool:
    """Return whether content of this group, or of groups under this policy, is not shown."""
    if not isinstance(content, pikepdf.Dictionary):
        return False
    if content.get("/Type") != "/OCMD":
        return _OFF in content
    if isinstance(content.get("/VE"), pikepdf.Array):
        return not _holds(content["/VE"], _DEPTH)
    groups = content.get("/OCGs")
    states = [_OFF not in group for group in ([groups] if isinstance(groups, pikepdf.Dictionary) else _groups(groups))]
    if not states:
        return False
    policy = str(content.get("/P", "/AnyOn"))
    shown = {"/AllOn": all(states), "/AnyOff": not all(states), "/AllOff": not any(states)}.get(policy, any(states))
    return not shown


def hides(content: Any, resources: Any, depth: int = _DEPTH, seen: set[tuple[int, int]] | None = None) -> bool:
    """Return whether a page or form, with its resources, or a form within, may hold something that is off.

    Some programs name the layers of the file on every page, whatever is on it: they count where content is marked.
    """
    seen = set() if seen is None else seen
    if not isinstance(resources, pikepdf.Dictionary) or not depth:
        return False
    named = dict(resources.get("/Properties", pikepdf.Dictionary()).items()).values()
    if any(map(is_off, named)) and _marks_content(content):
        return True
    for form in dict(resources.get("/XObject", pikepdf.Dictionary()).items()).values():
        if not isinstance(form, pikepdf.Stream) or form.objgen in seen or len(seen) > _MOST_FORMS:
            continue
        seen.add(form.objgen)
        within = form.get("/Subtype") == "/Form" and hides(form, form.get("/Resources", resources), depth - 1, seen)
        if within or is_off(form.get("/OC")):
            return True
    return False


def _marks_content(content: Any) -> bool:
    """Return whether a page or form begins content that belongs to something it names (PDF 32000-1, 14.6)."""
    parts = content if isinstance(content, pikepdf.Stream) else content.get("/Contents")
    streams = list(parts) if _is_array(parts) else [parts]
    return any(b"BDC" in part.read_bytes() for part in streams if isinstance(part, pikepdf.Stream))


def _groups(values: Any) -> list[Any]:
    return [value for value in values if isinstance(value, pikepdf.Dictionary)] if _is_array(values) else []


def _is_array(values: Any) -> bool:
    return isinstance(values, pikepdf.Array)


def _holds(expression: Any, depth: int) -> bool:
    """Return what a visibility expression comes to; one that makes no sense is true."""
    if isinstance(expression, pikepdf.Dictionary):
        return _OFF not in expression
    if not _is_array(expression) or len(expression) < 2 or not depth:
        return True
    parts = [_holds(part, depth - 1) for part in list(expression)[1:]]
    kind = str(expression[0])
    return not parts[0] if kind == "/Not" else any(parts) if kind == "/Or" else all(parts)
