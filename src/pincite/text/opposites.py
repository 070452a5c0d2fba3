"""Pairs of words of which one means that the other is not so."""

from typing import Final

OPPOSITES: Final[dict[str, str]] = {
    a: b
    for one, other in (
        ("open", "closed"), ("allowed", "forbidden"), ("permitted", "prohibited"), ("safe", "dangerous"),
        ("final", "draft"), ("public", "confidential"), ("mandatory", "optional"),
        ("paid", "free"), ("on", "off"), ("before", "after"), ("increase", "decrease"), ("north", "south"),
        ("east", "west"), ("above", "below"), ("wet", "dry"), ("hot", "cold"), ("manual", "automatic"),
        ("joined", "left"), ("opened", "closed"), ("opens", "closes"), ("bought", "sold"), ("began", "ended"),
        ("starts", "ends"), ("started", "ended"), ("begins", "ends"), ("arrives", "departs"), ("born", "died"),
        ("minimum", "maximum"), ("lowest", "highest"), ("smallest", "largest"), ("first", "last"), ("won", "lost"),
        ("hired", "dismissed"), ("increased", "decreased"), ("rose", "fell"), ("buyer", "seller"), ("import", "export"),
    )
    for a, b in ((one, other), (other, one))
}  # fmt: skip
