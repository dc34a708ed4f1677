import { execFileSync } from "node:child_process"
import { mkdirSync } from "node:fs"

/** The size of a generated repository. Every commit after the first edits `edits` flags. */
export interface Size {
  readonly flags: number
  readonly commits: number
  readonly edits: number
  /** The files' contents; `flagText` by default. */
  readonly text?: FlagText
  /** How many segments there are, and how many of them each commit after the first changes; none by default. */
  readonly segments?: { readonly count: number; readonly edits: number }
}

/** Of every generated flag. */
export const environments = ["development", "staging", "production"]
const firstCommitAt = 1_700_000_000

/**
 * Makes a git repository of invented flags in 3 environments and checks it out. The same size gives the same bytes.
 * Half of the flags exist from the first commit on; each later commit adds an equal part of the others.
 */
export function makeFlagsRepository(
  folder: string,
  { flags, commits, edits, text = flagText, segments = { count: 0, edits: 0 } }: Size,
): void {
  mkdirSync(folder, { recursive: true })
  const chunks: string[] = []
  const write = (path: string, text: string) =>
    chunks.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`)
  const old = Math.ceil(flags / 2)
  let made = 0
  let edited = 0
  let editedSegments = 0
  for (let commit = 0; commit < commits; commit++) {
    const time = firstCommitAt + commit * 600
    chunks.push(`commit refs/heads/main\ncommitter Ann <ann@example.com> ${time} +0000\ndata 1\nx\n`)
    if (commit === 0)
      write("flags/project.yaml", `project: bench\nenvironments: [${environments.join(", ")}]\n`)
    const target =
      commit === 0 && commits > 1 ? old : Math.ceil(old + ((flags - old) * commit) / Math.max(1, commits - 1))
    for (; made < Math.min(flags, target); made++) write(pathOf(made), text(made, 0))
    for (let edit = 0; commit > 0 && edit < edits; edit++) {
      edited++
      const flag = (edited * 7919) % old
      write(pathOf(flag), text(flag, commit))
    }
    for (let segment = 0; commit === 0 && segment < segments.count; segment++)
      write(segmentPathOf(segment), segmentText(segment, 0))
    for (let edit = 0; commit > 0 && edit < segments.edits; edit++) {
      const segment = editedSegments++ % segments.count
      write(segmentPathOf(segment), segmentText(segment, commit))
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
export function pathOf(flag: number): string {
  const group = String(Math.floor(flag / 500)).padStart(3, "0")
  return `flags/team-${group}/flag-${String(flag).padStart(5, "0")}.yaml`
}

function segmentPathOf(segment: number): string {
  return `flags/segments/group-${segment}.segment.yaml`
}

function segmentText(segment: number, revision: number): string {
  return `description: Group ${segment}.
any:
  - attribute: email
    operator: endsWith
    value: "@group-${segment}.example"
  - attribute: customerId
    operator: in
    value: [${segment}-${revision}, ${segment}-x, ${segment}-y]
`
}

/** Writes a flag file of one shape and style; each revision has a different meaning. */
export type FlagText = (flag: number, revision: number) => string

/** A flag file of ordinary size and style. */
export const flagText: FlagText = (flag, revision) => {
  const share = (flag * 13 + revision) % 101
  return `# Made for the benchmark.
name: Feature number ${flag}
description: ${descriptionOf(flag).join(" ")}
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

/** The same flag; three of ten have one of 20 segments instead of the first comparison in production. */
export const flagWithSegment: FlagText = (flag, revision) => {
  const text = flagText(flag, revision)
  return flag % 10 >= 3
    ? text
    : text.replace(/ {6}- attribute: country\n.*\n.*\n/, `      - segment: group-${flag % 20}\n`)
}

function descriptionOf(flag: number): readonly [string, string] {
  return [`Shows feature ${flag} to those who asked for it,`, "and later to all of them."]
}

/** The same flag with its description written in a different style. */
function describing(write: (first: string, second: string) => string): FlagText {
  return (flag, revision) => {
    const [first, second] = descriptionOf(flag)
    return flagText(flag, revision).replace(
      `description: ${first} ${second}`,
      `description: ${write(first, second)}`,
    )
  }
}

/** The same flags, as authors write them: no one should have to know which style is fast. */
export const styles: Readonly<Record<string, FlagText>> = {
  "one line": flagText,
  "folded (>-)": describing((first, second) => `>-\n  ${first}\n  ${second}`),
  "literal (|)": describing((first, second) => `|-\n  ${first} ${second}`),
  "continued without quotes": describing((first, second) => `${first}\n  ${second}`),
  "quoted over two lines": describing((first, second) => `"${first}\n  ${second}"`),
  "anchors and aliases": (flag, revision) =>
    flagText(flag, revision).replaceAll(": true", ": *on").replace(": *on", ": &on true"),
  "a comment before each line": (flag, revision) =>
    flagText(flag, revision)
      .replace(/^( *)/gm, "$1# What this line does, and why.\n$1")
      .replace(/\n[^\n]*\n$/, "\n"),
  CRLF: (flag, revision) => flagText(flag, revision).replaceAll("\n", "\r\n"),
}

/** Unusual flags: shorter, longer, deeper, and in other alphabets. */
export const shapes: Readonly<Record<string, FlagText>> = {
  "three lines": (flag, revision) =>
    `defaultValue: false\nenvironments:\n  production: { enabled: ${(flag + revision) % 2 === 0} }\n`,
  "200 rules": (flag, revision) =>
    `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n${Array.from(
      { length: 200 },
      (_, rule) =>
        `      - attribute: userId\n        operator: equals\n        value: user-${flag + revision}-${rule}\n        returnValue: true\n`,
    ).join("")}`,
  "a deep JSON value": (flag, revision) =>
    `type: json\ndefaultValue:\n${Array.from({ length: 40 }, (_, level) => `${"  ".repeat(level + 1)}level-${level}:\n`).join("")}${"  ".repeat(41)}{ flag: ${flag}, revision: ${revision} }\n`,
  "non-ASCII text": (flag, revision) =>
    flagText(flag, revision)
      .replace(/^name: .*/m, `name: Funktionsänderung № ${flag} – 機能フラグ 🚩`)
      .replace(
        /^description: .*/m,
        `description: Für alle, die es möchten – später für jeden. フラグ ${flag} を表示します。`,
      ),
}
