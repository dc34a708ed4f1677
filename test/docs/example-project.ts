import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "./pages.ts"

/** The time of the only commit of a clone, and of everything that reads `SOURCE_DATE_EPOCH`. */
const now = "2026-11-21T10:00:00Z"

/** A copy of this repository's flags with a history of one commit, as a fresh clone has it. */
export function cloneProject(name = "flagstone-docs-"): string {
  const folder = mkdtempSync(join(tmpdir(), name))
  for (const entry of ["package.json", "flags", ".gitignore"]) {
    cpSync(join(root, entry), join(folder, entry), { recursive: true })
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  git(folder, "init", "-q", "-b", "main")
  commit(folder, "flags")
  return folder
}

export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: folder, env: environment(), encoding: "utf8" })
}

/** Commits everything in the work tree. */
export function commit(folder: string, message: string): void {
  git(folder, "add", "-A")
  git(folder, "commit", "-q", "-m", message)
}

/** The machine's, but outside GitHub Actions, with an author, and on a day when no example flag has expired. */
export function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}`,
    GITHUB_ACTIONS: "",
    GIT_AUTHOR_NAME: "Ann",
    GIT_AUTHOR_EMAIL: "ann@shop.example",
    GIT_AUTHOR_DATE: now,
    GIT_COMMITTER_NAME: "Ann",
    GIT_COMMITTER_EMAIL: "ann@shop.example",
    GIT_COMMITTER_DATE: now,
    SOURCE_DATE_EPOCH: String(Date.parse(now) / 1000),
  }
}
