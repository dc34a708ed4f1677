import { execFileSync, spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { homedir } from "node:os"
import { join, resolve } from "node:path"

/** The folder of the SDK for Python. */
export const pythonSdk = resolve(import.meta.dirname, "../../../sdk/python")

/** Whether the SDK for Python can be installed here. */
export const hasPython =
  spawnSync("python3", ["-c", "import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))"]).status ===
  0

/** An environment of Python's own, in the user's cache. */
export interface PythonEnvironment {
  /** The path of a program in it. */
  program(name: "python" | "pytest" | "ruff" | "pyright" | "pip"): string
  /** Installs the SDK as it is now, as a wheel, with what its authors need; once, however often it is called. */
  install(): void
}

/** Test files that may run at the same time have environments with different names. */
export function createPythonEnvironment(name: string): PythonEnvironment {
  const venv = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "flagstone", name)
  const program: PythonEnvironment["program"] = (name) => join(venv, "bin", name)
  const pip = (...args: readonly string[]) => execFileSync(program("pip"), ["install", "-q", ...args])
  let isInstalled = false
  return {
    program,
    install() {
      if (isInstalled) return
      if (!existsSync(program("pip"))) execFileSync("python3", ["-m", "venv", venv])
      pip("pip>=25.1", "hatchling")
      pip("--no-build-isolation", `${pythonSdk}[re2]`, "--group", `${join(pythonSdk, "pyproject.toml")}:dev`)
      isInstalled = true
    },
  }
}
