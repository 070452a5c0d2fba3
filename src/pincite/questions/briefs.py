"""The two briefs made from a parsed question, each with only what its consumer may use."""

from pincite.types.question import GenerationBrief, ParsedQuestion, RetrievalQuery, Scope


def retrieval_query(question: ParsedQuestion, scope: Scope) -> RetrievalQuery:
    """Return what retrieval may use."""
    return RetrievalQuery(
        main_query=question.corrected,
        rewrites=(*question.sub_questions, *question.rewrites),
        anchor_keywords=question.keywords,
        section_hint=question.hints.sections[0] if question.hints.sections else None,
        page_hints=question.hints.pages,
        object_hints=question.hints.objects,
        layout_hint="page" if question.hints.pages else None,
        granularity=question.granularity,
        shape=question.shape,
        scope=scope,
    )


def generation_brief(question: ParsedQuestion) -> GenerationBrief:
    """Return what the answerer may use; keywords that a model thought of are for finding, not for judging."""
    return GenerationBrief(
        question=question.corrected,
        shape=question.shape,
        reads_page=bool(question.hints.pages or question.hints.places),
        keywords=tuple(k for k in question.keywords if k.origin not in ("model", "loop")),
        unit=question.unit,
        counts=question.counts,
        must_distinguish=question.must_distinguish,
        sub_questions=question.sub_questions,
        rewrites=question.rewrites,
        disambiguation=question.disambiguation,
    )
