"""A process that runs a Ray cluster of two nodes on this machine, reachable from it alone.

Argument: a folder with a short path for Ray's own files. Prints the address of the cluster, then does what it is told
line by line: `kill` ends everything of the second node with SIGKILL, the end of input ends the cluster.
"""

import os
import signal
import sys
from pathlib import Path
from typing import Any


def main(folder: str) -> None:
    """Run the cluster."""
    from ray.cluster_utils import Cluster

    options: dict[str, Any] = {
        "node_ip_address": "127.0.0.1", "num_cpus": 1, "include_dashboard": False, "object_store_memory": 200 << 20,
    }  # fmt: skip
    # Ray has no types here.
    cluster: Any = Cluster(initialize_head=True, head_node_args={**options, "temp_dir": folder})
    second = cluster.add_node(**options)
    sys.stdout.write(f"{cluster.address}\n")
    sys.stdout.flush()
    for line in sys.stdin:
        if line.strip() == "kill":
            for processes in second.all_processes.values():
                for info in processes:
                    kill_all(info.process.pid)
            sys.stdout.write("killed\n")
            sys.stdout.flush()
    cluster.shutdown()


def kill_all(pid: int) -> None:
    """Stop a process and all it has started, then kill them: none of them can notice anything before."""
    family = [pid]
    for one in family:
        try:
            os.kill(one, signal.SIGSTOP)
        except ProcessLookupError:
            continue
        family += children(one)
    for one in family:
        try:
            os.kill(one, signal.SIGKILL)
        except ProcessLookupError:
            continue


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


if __name__ == "__main__":
    main(sys.argv[1])
