"""The inputs of `vectors.json`: texts, and questions to small indexes."""

# ruff: noqa: E501  # lists of words

import json
from typing import Any

from pincite.types.record import dump_json
from pincite.widget.records import FORMAT, Index, ReviewedPassage, Scoring
from pincite.widget.words import stop_words

TEXTS = [
    "", " ", "a", "ab", "A", "AB", "word", "Word", "WORD", "two words", "two  words", "two\twords\nthree",
    "pin-cite", "pin–cite", "pin—cite", "pin_cite", "pin/cite", "pin.cite", "pin,cite", "pin:cite", "pin;cite",
    "(pin)", "[pin]", "{pin}", "<pin>", "“pin”", "‘pin’", "«pin»", "„pin“", "‹pin›", "pin!", "pin?", "¿pin?", "¡pin!",
    "don't", "don’t", "it's", "l'index", "l’index", "o'clock", "users'", "rock'n'roll",
    "3.5", "3,5", "12,000", "1.000,50", "3.", ".5", "3..5", "3. 5", "v3.5", "3.x", "x.3", "2024-11-30", "09:30", "1,2,3",
    "55 %", "55%", "5 %", "€40", "40€", "$1,000.50", "§ 12", "#12", "@name", "a@b.example", "C++", "C#", "R&D", "AT&T",
    "ÉTÉ", "été", "E\u0301TE\u0301", "e\u0301te\u0301", "Ångström", "A\u030Angstro\u0308m", "Straße", "STRASSE", "ẞ",
    "İstanbul", "ISTANBUL", "ıstanbul", "ΛΟΓΟΣ", "λόγος", "Σίσυφος", "ΣΣ", "ς", "МОСКВА", "Москва", "Ёлка", "йод",
    "й", "и\u0306од", "Հայերեն", "ՀԱՅԵՐԵՆ", "ǅ", "Ǆemper", "ﬁle", "ＦＵＬＬ", "ｆｕｌｌ", "①②", "x²", "H₂O", "½ cup", "10⁶",
    "日本語", "引用は 行を", "引用、行。", "한국어 문장", "ไทย", "हिन्दी भाषा।", "עברית", "עב־רית", "العربية،", "نص؟", "می\u200cخواهم",
    "co\u00adoperate", "zero\u200bwidth", "no\u00a0break", "a\u2060b", "\ufeffbom", "left\u200eright", "e\ufe0f",
    "emoji 😀 here", "😀", "👩\u200d💻 coder", "🇫🇷 flag", "a😀b", "①", "Ⅳ", "x\u0301", "\u0301", "\u0301\u0301ab",
    "𝔘nicode", "𐐀𐐁", "𐐨𐐩", "𠀀𠀁", "\u0130\u0131", "ŉ", "ǰ", "J\u030C", "\x00ab\x00", "tab\x0bfeed\x0c", "\u2028line\u2029",
    "the and of", "The PAGE of the Page", "page page page", "Which page does it name?", "is it", "not", "How many?",
    "we'll", "you've", "they're", "I", "I am", "x y z", "aa bb cc", "ab-cd ef_gh", "don", "--json", "pincite-ask.js",
]  # fmt: skip


def passage(name: str, text: str, title: str = "", tags: tuple[str, ...] = ()) -> ReviewedPassage:
    """Return a passage."""
    return ReviewedPassage(
        id=name, text=text, title=title, url="", reviewed_by="A", reviewed_on="2026-11-30", tags=tags
    )


def index(*passages: ReviewedPassage, scoring: Scoring | None = None, language: str = "en") -> Index:
    """Return an index."""
    return Index(
        format=FORMAT,
        title="",
        language=language,
        refusal="No.",
        suggestions=(),
        scoring=scoring or Scoring(),
        stop_words=stop_words(language),
        passages=passages,
        words={},
        source_hash="",
    )


HARBOUR = (
    passage("berths", "The harbour has 40 berths for visiting boats.", "Berths", ("moorings", "places")),
    passage("fee", "A visiting boat pays 14.50 euros a night.", "Fees", ("price", "cost")),
    passage("gate", "The gate is closed at dusk and opened at dawn.", "Opening hours"),
    passage("dogs", "Dogs are allowed on the piers if they are on a lead.", "Dogs", ("pets", "animals")),
    passage("fuel", "Diesel is sold at the fuel pier from 08:00 to 17:30.", "Fuel", ("petrol",)),
    passage("showers", "Showers take tokens; a token costs 1.50 euros.", "Showers", ("washing",)),
    passage("radio", "The harbour office listens on VHF channel 12.", "Radio"),
    passage("crane", "Crane 5 lifts 12,000 kilograms, crane 7 lifts 3,500 kilograms.", "Cranes", ("lifting",)),
    passage("waste", "Waste oil is taken at the harbour office, never at the pier.", "Waste"),
    passage("wifi", "The Wi-Fi of the café is free: ask for the password.", "Wi-Fi", ("internet", "network")),
)
GERMAN = (
    passage("pfand", "Für die Schlüsselkarte wird ein Pfand von 20 Euro erhoben.", "Schlüsselkarte"),
    passage("strasse", "Die Straße zum Hafen ist im Winter gesperrt.", "Anfahrt"),
    passage("gaeste", "Gästeboote liegen am Ostkai.", "Gäste"),
)
GREEK = (passage("logos", "Ο ΛΟΓΟΣ του λιμανιού.", "Λόγος"), passage("ploio", "Το πλοίο φεύγει.", "Πλοίο"))
TIES = tuple(passage(f"t{number}", "same words here", "") for number in range(6))
ONE = (passage("only", "A single passage about lighthouses.", "Lighthouse"),)
# "alpha" scores 1.386 in the first and half of it in the second: just the threshold, just the share.
EDGES = (passage("whole", "alpha word"), passage("half", "alphabet thing"))
HOSTILE = (
    passage("html", "<script>alert(1)</script> is text.", "<b>Markup</b>"),
    passage("proto", "constructor toString __proto__ hasOwnProperty", "prototype"),
)

INDEXES: dict[str, Index] = {
    "harbour": index(*HARBOUR),
    "harbour_low": index(*HARBOUR, scoring=Scoring(threshold=0, shown=10, keep_share=0)),
    "harbour_odd": index(
        *HARBOUR,
        scoring=Scoring(term_weight=1.7, prefix_share=0.3, prefix_min=3, shown=2, threshold=1.1, keep_share=0.9),
    ),
    "german": index(*GERMAN, scoring=Scoring(threshold=1), language="de"),
    "greek": index(*GREEK, scoring=Scoring(threshold=0.5)),
    "ties": index(*TIES, scoring=Scoring(threshold=0.1, shown=4)),
    "one": index(*ONE, scoring=Scoring(threshold=1)),
    "edges": index(*EDGES, scoring=Scoring(threshold=1.386, keep_share=0.5)),
    "hostile": index(*HOSTILE, scoring=Scoring(threshold=0)),
}
HARBOUR_QUESTIONS = [
    "How many berths are there?", "berth", "BERTHS!", "visiting boats", "visitor", "What does a visiting boat pay?",
    "14.50", "14", "euros", "euro", "price", "What is the price of a night?", "gate", "When is the gate closed?",
    "closing", "close", "dogs", "dog", "Can I bring pets?", "animals allowed", "fuel", "fuels", "petrol pier",
    "08:00", "17:30", "diesel at the pier", "showers", "shower token", "tokens", "VHF channel", "12", "12,000",
    "12000", "crane 7", "cranes lift", "lifting kilograms", "waste oil", "harbour office", "harbor", "wi-fi", "wifi",
    "cafe", "café", "cafe\u0301", "password", "kubernetes", "salary", "", "the", "?!", "the of and", "harbour harbour",
    "harbour gate dogs fuel radio", "places", "pier piers", "night nightly", "office official", "a b c",
]  # fmt: skip
QUESTIONS: dict[str, list[str]] = {
    "harbour": HARBOUR_QUESTIONS,
    "harbour_low": HARBOUR_QUESTIONS,
    "harbour_odd": HARBOUR_QUESTIONS,
    "german": ["Pfand", "PFAND für die Karte", "Straße", "STRASSE", "strasse", "Gäste", "GÄSTE", "ga\u0308ste", "Schlüssel", "Hafen"],
    "greek": ["λογος", "ΛΟΓΟΣ", "λόγος", "πλοίο", "πλοιο", "ΠΛΟΊΟ"],
    "ties": ["same", "words", "same words here", "sam", "samesame", "other"],
    "one": ["lighthouse", "lighthouses", "light", "lig", "passage", "a passage about nothing"],
    "edges": ["alpha", "alphabet", "alph", "thing", "alpha thing"],
    "hostile": ["script", "alert(1)", "<b>", "__proto__", "constructor", "toString", "hasOwnProperty valueOf", "markup"],
}  # fmt: skip


def as_json(value: Any) -> Any:
    """Return the plain form of an outcome: as the engine gives it."""
    plain = json.loads(dump_json(value))
    return {**plain, "shown": [scored["id"] for scored in plain["shown"]]}


__all__ = ["INDEXES", "QUESTIONS", "TEXTS", "as_json", "index", "passage"]
