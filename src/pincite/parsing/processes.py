"""Processes of this package, and what goes through their pipes.

A frame is eight bytes of length (big-endian) and a body.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Final

#: Length of a frame's length.
_LENGTH_BYTES: Final = 8


def module_process(module: str, *arguments: str) -> "subprocess.Popen[bytes]":
    """Start a child that runs a module of this very package, wherever the parent imported it from; with two pipes."""
    environment = dict(os.environ)
    root = Path(__file__).resolve().parents[2]
    if root.name not in {"site-packages", "dist-packages"}:
        paths = [str(root), *filter(None, [environment.get("PYTHONPATH")])]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
    # -P keeps the working directory out of the import path: a file there must not replace a module.
    command = [sys.executable, "-P", "-m", module, *arguments]
    return subprocess.Popen(  # noqa: S603  # our own interpreter and module
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )


def write_frame(pipe: IO[bytes], body: bytes) -> None:
    """Write one frame and flush it."""
    pipe.write(len(body).to_bytes(_LENGTH_BYTES, "big"))
    pipe.write(body)
    pipe.flush()


def read_frame(pipe: IO[bytes]) -> bytes | None:
    """Return the next frame, or `None` where the other side is gone, even in the middle of a frame."""
    head = pipe.read(_LENGTH_BYTES)
    if len(head) < _LENGTH_BYTES:
        return None
    length = int.from_bytes(head, "big")
    body = pipe.read(length)
    return body if len(body) == length else None
