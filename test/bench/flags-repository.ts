import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"

/** The size of a generated repository. Every commit after the first edits `edits` flags. */
export interface Size {
  readonly flags: number
  readonly commits: number
  readonly edits: number
}

/** Of every generated flag. */
const environments = ["development", "staging", "production"]
const firstCommitAt = 1_700_000_000

/**
 * Makes a git repository of invented flags in 3 environments and checks it out. The same size gives the same bytes.
 * Half of the flags exist from the first commit on; each later commit adds an equal part of the others.
 */
export function makeFlagsRepository(folder: string, { flags, commits, edits }: Size): void {
  mkdirSync(folder, { recursive: true })
  const chunks: string[] = []
  const write = (path: string, text: string) =>
    chunks.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`)
  const old = Math.ceil(flags / 2)
  let made = 0
  let edited = 0
  for (let commit = 0; commit < commits; commit++) {
    const time = firstCommitAt + commit * 600
    chunks.push(`commit refs/heads/main\ncommitter Ann <ann@example.com> ${time} +0000\ndata 1\nx\n`)
    if (commit === 0)
      write("flags/project.yaml", `project: bench\nenvironments: [${environments.join(", ")}]\n`)
    const target =
      commit === 0 && commits > 1 ? old : Math.ceil(old + ((flags - old) * commit) / Math.max(1, commits - 1))
    for (; made < Math.min(flags, target); made++) write(pathOf(made), flagText(made, 0))
    for (let edit = 0; commit > 0 && edit < edits; edit++) {
      edited++
      const flag = (edited * 7919) % old
      write(pathOf(flag), flagText(flag, commit))
    }
    chunks.push("\n")
  }
  const git = (args: readonly string[], input?: string) =>
    execFileSync("git", args, { cwd: folder, input, stdio: ["pipe", "ignore", "inherit"] })
  git(["init", "-q", "-b", "main"])
  git(["fast-import", "--quiet"], chunks.join(""))
  git(["reset", "-q", "--hard", "main"])
}

/** Folders of 500: git's walk takes eight times as long over one flat folder of ten thousand files. */
function pathOf(flag: number): string {
  const group = String(Math.floor(flag / 500)).padStart(3, "0")
  return `flags/team-${group}/flag-${String(flag).padStart(5, "0")}.yaml`
}

/** A flag file of ordinary size and style; each revision has a different meaning. */
export function flagText(flag: number, revision: number): string {
  const share = (flag * 13 + revision) % 101
  return `# Made for the benchmark.
name: Feature number ${flag}
description: Shows feature ${flag} to those who asked for it, and later to all of them.
defaultValue: false
owner: team-${flag % 20}
tags: [area-${flag % 7}, "wave ${flag % 3}"]
environments:
  development: { enabled: true, rules: [{ operator: always, returnValue: true }] }
  staging:
    enabled: true
    rules:
      - attribute: email
        operator: endsWith
        value: "@example.com"
        returnValue: true
  production:
    enabled: ${flag % 3 === 0}
    rules:
      - attribute: country
        operator: in
        value: [DE, AT, "CH"]
        returnValue: true
      - attribute: userId
        operator: percentage
        value: "${share}"
        returnValue: true
`
}
