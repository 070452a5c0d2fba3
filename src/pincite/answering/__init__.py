"""Lines to a draft answer. One file and one line in `ANSWERERS` add an answerer."""

#: Name → where the answerer is; names also serve as the `pincite.answerers` entry-point group.
ANSWERERS = {
    "extractive": "pincite.answering.extractive:ExtractiveAnswerer",
}
