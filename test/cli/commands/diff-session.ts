import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Ajv } from "ajv"
import { beforeEach, expect } from "vitest"
import { run } from "../../../cli/program.ts"
import { openRepository, type TestRepository } from "../../repository.ts"
import { testHost } from "../../test-host.ts"
import { shop } from "../diff/sides.ts"

/** Contents by path; `null` removes the file. */
type Files = Readonly<Record<string, string | null>>

/** A separate folder for each test of the file that calls this, and `diff` in it. It is not a repository before `git init`. */
export function inNewFolders() {
  let repository: TestRepository
  let commits = 0
  beforeEach(() => {
    repository = openRepository(mkdtempSync(join(tmpdir(), "flagstone-diff-")))
  })
  const write = (files: Files): void => {
    for (const [path, text] of Object.entries(files))
      if (text === null) repository.remove(path)
      else repository.write(path, text)
  }
  return {
    folder: () => repository.folder,
    git: (...args: readonly string[]) => repository.git(...args),
    write,
    /** Commits everything with these files, and returns the revision. */
    commit(files: Files): string {
      write(files)
      return repository.commit(++commits)
    },
    diff: (...args: readonly string[]) => diffIn(repository.folder, ...args),
    kinds: (...args: readonly string[]) => kindsIn(repository.folder, ...args),
  }
}

export async function diffIn(cwd: string, ...args: readonly string[]) {
  const host = testHost({ cwd })
  const status = await run(["diff", ...args], host, "0.0.0")
  return { status, out: host.out(), err: host.err() }
}

/** The kinds of the changes with their subjects. */
export async function kindsIn(cwd: string, ...args: readonly string[]): Promise<readonly string[]> {
  const { out, err } = await diffIn(cwd, ...args, "--format", "json")
  expect(err).toBe("")
  return JSON.parse(out).changes.map((change: { kind: string; flag?: string; environment?: string }) =>
    [change.kind, change.flag, change.environment].filter((part) => part !== undefined).join(" "),
  )
}

/** Whether JSON has the form that `diff --format json` promises. */
export const isDiff = new Ajv().compile(
  JSON.parse(readFileSync(join(import.meta.dirname, "../../../cli/diff/diff.schema.json"), "utf8")),
)

export const off = "defaultValue: false\n"
export const on =
  "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ operator: always, returnValue: true }] } }\n"

/** A project with one flag. */
export const start = { "flags/project.yaml": shop, "flags/a.yaml": off }
