"""Embedders and chat models. One file and one line in `EMBEDDERS` add an embedder."""

#: Name → where the embedder is; names also serve as the `pincite.embedders` entry-point group.
EMBEDDERS = {
    "minilm": "pincite.models.minilm:MiniLmEmbedder",
}
