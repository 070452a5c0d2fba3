"""Files of a folder, or one file by name, in a stable order."""

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote_from_bytes, unquote_to_bytes
from urllib.request import url2pathname

from pincite.errors import SourceError
from pincite.sources.patterns import GitIgnore, check, matches
from pincite.types.source import SourceFile

#: Folders of tools: nobody means their files when adding the folder around them.
SKIPPED_FOLDERS: Final = frozenset(
    ".git .hg .svn .venv venv node_modules __pycache__ .pincite .tox .mypy_cache .ruff_cache .pytest_cache".split()
)
#: Folders inside folders beyond this are passed over with a note.
MAX_DEPTH: Final = 100


class FolderSource:
    """A folder with everything below it, or a single file.

    `include` and `exclude` are patterns for names relative to the folder (`*.md`, `docs/**`). Hidden files (names
    that begin with a dot) and what `.gitignore` files name are left out or taken as asked. Links are followed where
    they stay inside the folder. After `files` was read, `notes` says what had to be passed over, and `unseen` holds the
    addresses of folders that could not be looked into.

    Raises:
        SourceError: there is nothing at `path`.
        SettingsError: a pattern cannot be read.

    """

    def __init__(
        self,
        path: str | Path,
        *,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        gitignore: bool = False,
        hidden: bool = False,
    ) -> None:
        self._root = Path(path).expanduser()
        self._include = tuple(include)
        self._exclude = tuple(exclude)
        self._gitignore = gitignore
        self._hidden = hidden
        self.notes: list[str] = []
        self.unseen: list[str] = []
        for pattern in (*self._include, *self._exclude):
            check(pattern)
        try:
            self._root.stat()
        except FileNotFoundError as error:
            raise SourceError(f"{shown(str(path))}: there is no such file or folder") from error
        except (OSError, ValueError) as error:
            raise SourceError(f"{shown(str(path))}: {getattr(error, 'strerror', None) or error}") from error

    def files(self) -> Iterator[SourceFile]:
        """Yield every file: by name, with `/` between folders. A file that was named is always yielded.

        Raises:
            SourceError: the folder cannot be read.

        """
        self.notes, self.unseen = [], []
        root = Path(os.path.realpath(self._root))
        if root.is_dir():
            walk = _Walk(self, root)
            yield from walk.files()
            if walk.hidden:
                self.notes.append(_hidden_note(walk.hidden))
        elif root.is_file():
            named = Path(os.path.abspath(self._root))  # noqa: PTH100  # Path.absolute keeps `..`
            yield SourceFile(name=shown(named.name), uri=file_uri(root), path=root)
        else:
            raise SourceError(f"{shown(str(self._root))}: neither a file nor a folder")

    @property
    def root(self) -> Path:
        """The folder or file, links resolved."""
        return Path(os.path.realpath(self._root))

    def takes(self, name: str) -> bool:
        """Say whether the patterns let a file pass."""
        is_included = not self._include or any(matches(name, pattern) for pattern in self._include)
        return is_included and not any(matches(name, pattern) for pattern in self._exclude)

    def enters(self, name: str) -> bool:
        """Say whether a folder of this name (its last part) is looked into."""
        return name not in SKIPPED_FOLDERS and (self._hidden or not name.startswith("."))

    @property
    def is_hidden_taken(self) -> bool:
        """Whether hidden files are yielded."""
        return self._hidden

    @property
    def is_gitignore_used(self) -> bool:
        """Whether `.gitignore` files are obeyed."""
        return self._gitignore


class _Walk:
    """One walk through a folder: which folders were entered, and which patterns hold where."""

    def __init__(self, source: FolderSource, root: Path) -> None:
        self._source = source
        self._root = root
        self._entered: set[str] = set()
        self.hidden: list[str] = []

    def files(self) -> Iterator[SourceFile]:
        try:
            os.scandir(self._root).close()
        except OSError as error:
            raise SourceError(f"{shown(str(self._root))}: {error.strerror or error}") from error
        yield from self._folder(self._root, "", ())

    def _folder(self, folder: Path, prefix: str, ignores: tuple[GitIgnore, ...]) -> Iterator[SourceFile]:
        """Yield the files of a folder and those below, sorted by the bytes of their whole names."""
        self._entered.add(os.path.realpath(folder))
        try:
            with os.scandir(folder) as entries:
                found = [entry for entry in entries if self._is_wanted(entry)]
        except OSError as error:
            self._note(prefix or ".", error.strerror or "cannot be read")
            self._source.unseen.append(file_uri(folder))
            return
        if self._source.is_gitignore_used:
            ignores = (*ignores, GitIgnore.read(folder / ".gitignore", prefix))
        folders = {entry.name for entry in found if _is_folder(entry)}
        # A folder sorts as if its name ended in "/", which keeps whole names in order.
        for entry in sorted(found, key=lambda entry: os.fsencode(entry.name + "/" * (entry.name in folders))):
            name = prefix + entry.name
            is_folder = entry.name in folders
            if _ignored(ignores, name, is_folder=is_folder):
                continue
            if is_folder:
                if name.count("/") >= MAX_DEPTH:
                    self._note(name, f"more than {MAX_DEPTH} folders deep")
                elif os.path.realpath(entry.path) not in self._entered:
                    yield from self._folder(Path(entry.path), name + "/", ignores)
            elif self._source.takes(name):
                yield SourceFile(
                    name=shown(name.replace(os.sep, "/")), uri=file_uri(Path(entry.path)), path=Path(entry.path)
                )

    def _is_wanted(self, entry: "os.DirEntry[str]") -> bool:
        if _is_folder(entry):
            is_named = self._source.enters(entry.name)
        else:
            is_named = self._source.is_hidden_taken or not entry.name.startswith(".")
        if not is_named:
            self._count_hidden(entry)
            return False
        if entry.is_symlink() and not self._is_inside(entry.path):
            self._note(entry.path, "a link to a place outside the folder, or to nothing")
            return False
        try:
            return _is_folder(entry) or stat.S_ISREG(entry.stat().st_mode)
        except OSError as error:
            self._note(entry.path, error.strerror or "cannot be read")
            return False

    def _count_hidden(self, entry: "os.DirEntry[str]") -> None:
        """Remember what only its dot keeps out; `.gitignore` and the like have no ending: they are no documents."""
        relative = os.path.relpath(entry.path, self._root)
        is_document = entry.name not in SKIPPED_FOLDERS if _is_folder(entry) else bool(_suffix(entry.name))
        if is_document and (_is_folder(entry) or self._source.takes(relative)):
            self.hidden.append(relative + "/" * _is_folder(entry))

    def _is_inside(self, path: str) -> bool:
        target = os.path.realpath(path)
        return os.path.exists(target) and os.path.commonpath([target, self._root]) == str(self._root)  # noqa: PTH110

    def _note(self, place: str, reason: str) -> None:
        relative = os.path.relpath(place, self._root) if os.path.isabs(place) else place  # noqa: PTH117
        self._source.notes.append(f"{shown(relative)}: {reason}")


def _suffix(name: str) -> str:
    """Return the ending of a name: `.md` of `..md` and `.a.md`, none of `.gitignore`."""
    at = name.rfind(".")
    return name[at:] if 0 < at < len(name) - 1 else ""


def _hidden_note(hidden: Sequence[str]) -> str:
    """Return one note for all that was passed over because its name begins with a dot."""
    n_folders = sum(name.endswith("/") for name in hidden)
    parts = [(len(hidden) - n_folders, "hidden file"), (n_folders, "hidden folder")]
    counts = " and ".join(f"{n:,} {what}{'s' if n > 1 else ''}" for n, what in parts if n)
    shown_names = ", ".join(shown(name) for name in sorted(hidden)[:3]) + (", …" if len(hidden) > 3 else "")
    are = "were" if len(hidden) > 1 else "was"
    return f"{counts} {are} passed over: {shown_names}; to add {'one' if len(hidden) > 1 else 'it'}, name it"


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _ignored(ignores: Sequence[GitIgnore], name: str, *, is_folder: bool) -> bool:
    """Say what the innermost file with a matching pattern says."""
    for ignore in reversed(ignores):
        verdict = ignore.verdict(name, is_folder=is_folder)
        if verdict is not None:
            return verdict
    return False


def shown(name: str) -> str:
    r"""Return a file name as text: bytes that are not UTF-8 as `\xff`, all else as it is.

    >>> shown("caf\udce9.md")
    'caf\\xe9.md'
    """
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def uri_path(uri: str) -> Path:
    """Return the path that a `file://` address leads to."""
    if os.name == "nt":
        return Path(url2pathname(uri.removeprefix("file:")))
    return Path(os.fsdecode(unquote_to_bytes(uri.removeprefix("file://"))))


def file_uri(path: Path) -> str:
    """Return the `file://` address of an absolute path, its bytes percent-encoded: no name is too odd for it."""
    if os.name == "nt":
        return path.as_uri()
    return "file://" + quote_from_bytes(os.fsencode(path))
