"""Pipeline one: source → bytes → parser → passages → store → embedder."""

from pincite.add.embedding import embed_missing
from pincite.add.naming import free_name, unique_name
from pincite.add.pipeline import add_files, now, parse_pool, passages_of, put_document
from pincite.add.report import AddedDocument, AddReport, FailedFile, SilentWatcher, Watcher
from pincite.add.uploading import Stop, Upload, UploadWatcher, add_upload, embed_upload
from pincite.add.warnings import document_warnings

__all__ = [
    "AddReport",
    "AddedDocument",
    "FailedFile",
    "SilentWatcher",
    "Stop",
    "Upload",
    "UploadWatcher",
    "Watcher",
    "add_files",
    "add_upload",
    "document_warnings",
    "embed_missing",
    "embed_upload",
    "free_name",
    "now",
    "parse_pool",
    "passages_of",
    "put_document",
    "unique_name",
]
