"""Words that name a kind of thing, and the things of that kind: a line that says "violet" says a colour."""

from functools import lru_cache
from typing import Final

from pincite.text.tokens import stem, token_terms

_KINDS: Final[dict[str, str]] = {
    "colour color": "red green blue yellow orange purple violet pink brown black white grey gray amber gold silver "
    "turquoise cyan magenta beige crimson scarlet maroon navy teal ivory indigo",
    "farbe couleur": "rot grün blau gelb orange lila violett rosa braun schwarz weiß grau gold silber türkis beige "
    "rouge vert verte bleu bleue jaune mauve violet rose brun noir noire blanc blanche gris grise doré argenté",
    "tag wochentag jour": "montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag lundi mardi "
    "mercredi jeudi vendredi samedi dimanche",
    "monat mois": "januar februar märz april mai juni juli august september oktober november dezember janvier février "
    "mars avril juin juillet août septembre octobre novembre décembre",
    "jahreszeit saison": "frühling frühjahr sommer herbst winter printemps été automne hiver",
    "day weekday": "monday tuesday wednesday thursday friday saturday sunday",
    "month": "january february march april may june july august september october november december",
    "season": "spring summer autumn fall winter",
    "direction side": "north south east west left right northern southern eastern western northeast southwest",
    "language": "english french german spanish italian portuguese dutch russian chinese japanese korean arabic hindi "
    "latin greek python java rust",
    "material": "steel iron bronze brass copper wood wooden plastic concrete stone glass rubber aluminium aluminum "
    "leather cotton wool paper nylon titanium zinc lead oak pine",
    "metal": "steel iron bronze brass copper gold silver titanium zinc lead aluminium aluminum nickel tin",
}


@lru_cache(maxsize=1)
def kinds() -> dict[str, frozenset[str]]:
    """Return stem of a kind's name → the stems of its members.

    >>> "violet" in kinds()["color"]
    True
    """
    return {
        stem(name): frozenset(token_terms(member)[0] for member in members.split())
        for names, members in _KINDS.items()
        for name in names.split()
    }
