"""Embedders, rerankers and chat models. One file and one line in a table add one."""

#: Name → where the embedder is; names also serve as the `pincite.embedders` entry-point group.
EMBEDDERS = {
    "minilm": "pincite.models.minilm:MiniLmEmbedder",
}
#: Name → where the reranker is; names also serve as the `pincite.rerankers` entry-point group.
RERANKERS = {
    "late-interaction": "pincite.models.late_interaction:LateInteraction",
    "cross-encoder": "pincite.models.cross_encoder:CrossEncoder",
}
