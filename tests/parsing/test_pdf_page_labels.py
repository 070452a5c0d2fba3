"""Page labels from label trees: every style, and trees that lead back to themselves."""

import pikepdf
import pytest

from pincite.parsing.pdf_page_labels import page_labels


@pytest.fixture
def pdf() -> pikepdf.Pdf:
    """Return an empty file."""
    return pikepdf.new()


def test_every_style_of_label_is_written_as_in_print(pdf: pikepdf.Pdf) -> None:
    """Roman numerals, letters, prefixes and other first numbers are shown as viewers show them."""
    name, styled = pikepdf.Name, pikepdf.Dictionary
    pdf.Root.PageLabels = styled(
        Nums=[0, styled(S=name.r), 3, styled(S=name.D, St=9), 5, styled(S=name.A, P="App-", St=26), 7, styled(P="Back")]
    )

    assert page_labels(pdf, 8) == ["i", "ii", "iii", "9", "10", "App-Z", "App-AA", "Back"]


def test_a_label_tree_that_leads_back_to_itself_ends(pdf: pikepdf.Pdf) -> None:
    """A loop costs nothing: what stands beside it is read."""
    tree = pdf.make_indirect(pikepdf.Dictionary())
    leaf = pdf.make_indirect(pikepdf.Dictionary(Nums=[1, pikepdf.Dictionary(S=pikepdf.Name.D)]))
    tree.Kids = pikepdf.Array([tree, leaf, tree])
    pdf.Root.PageLabels = tree

    assert page_labels(pdf, 3) == [None, "1", "2"]


def test_a_file_without_labels_has_none(pdf: pikepdf.Pdf) -> None:
    """Pages without labels are told from pages called by their number."""
    assert page_labels(pdf, 2) == [None, None]
