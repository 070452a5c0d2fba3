"""The reviewed-passages widget: an index built from passages that people have checked, and the element that asks it."""

from pincite.widget.building import build_index, write_widget
from pincite.widget.evals import read_evals, run_evals
from pincite.widget.lint import lint
from pincite.widget.scoring import Searcher
from pincite.widget.source import read_source
from pincite.widget.writing import written

__all__ = ["Searcher", "build_index", "lint", "read_evals", "read_source", "run_evals", "write_widget", "written"]
