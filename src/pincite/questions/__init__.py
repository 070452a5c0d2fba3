"""A string to a parsed question, and to the two briefs made from it."""

from pincite.questions.briefs import generation_brief, retrieval_query
from pincite.questions.concepts import concepts_of, load_concepts
from pincite.questions.corpus import ConceptKeyword, Corpus, DocumentCorpus, StoreCorpus
from pincite.questions.rules import parse_question

__all__ = [
    "ConceptKeyword",
    "Corpus",
    "DocumentCorpus",
    "StoreCorpus",
    "concepts_of",
    "generation_brief",
    "load_concepts",
    "parse_question",
    "retrieval_query",
]
