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
        ("child", "adult"), ("children", "adults"), ("man", "woman"), ("men", "women"), ("boys", "girls"),
        ("employer", "employee"), ("landlord", "tenant"), ("lender", "borrower"), ("arrival", "departure"),
        ("indoor", "outdoor"), ("indoors", "outdoors"), ("upper", "lower"), ("gross", "net"), ("summer", "winter"),
        ("income", "expense"), ("inbound", "outbound"), ("male", "female"), ("front", "rear"),
    )
    for a, b in ((one, other), (other, one))
}  # fmt: skip
