"""Forms of English verbs that no stemmer brings together: write, wrote, written."""

from functools import lru_cache
from typing import Final

#: Words that are as often another word are left out: "left", "found", "saw", "felt", "rose", "lay".
_VERBS: Final = """
write wrote written; build built; begin began begun; sell sold; buy bought; pay paid; send sent; speak spoke spoken;
choose chose chosen; teach taught; think thought; bring brought; catch caught; fight fought; seek sought; tell told;
sleep slept; spend spent; lend lent; lose lost; win won; meet met; lead led; feed fed; hold held; draw drew drawn;
drive drove driven; eat ate eaten; fall fell fallen; fly flew flown; forget forgot forgotten; freeze froze frozen;
grow grew grown; hide hid hidden; know knew known; ride rode ridden; rise risen; run ran; shake shook shaken; show
shown; shrink shrank shrunk; sing sang sung; sink sank sunk; steal stole stolen; strike struck; swear swore sworn;
swim swam swum; take took taken; throw threw thrown; wear wore worn; weave wove woven; wake woke woken; break broke
broken; come came; become became; drink drank drunk; give gave given; go went gone; keep kept; make made; shoot
shot; sit sat; stand stood; understand understood; withdraw withdrew withdrawn; undertake undertook undertaken;
breed bred; flee fled; hang hung; lie lies lay lain; die dies died death deaths; deal dealt; mean meant; leave
leaves; bear bore borne; bind bound
"""


@lru_cache(maxsize=1)
def _forms() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for verb in _VERBS.split(";"):
        forms = tuple(verb.split())
        found |= {form: tuple(other for other in forms if other != form) for form in forms}
    return found


def other_forms(word: str) -> tuple[str, ...]:
    """Return the other forms of an irregular verb; none for any other word.

    >>> other_forms("wrote"), other_forms("walk")
    (('write', 'written'), ())
    """
    return _forms().get(word.lower(), ())
