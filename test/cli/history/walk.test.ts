// @module-tag system
import { symlinkSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createGit } from "../../../cli/git.ts"
import { findRepository, type Inside } from "../../../cli/history/repository.ts"
import { walk } from "../../../cli/history/walk.ts"
import { createRepository, time } from "../../repository.ts"

test("git's log is read field by field, whatever the paths are", async () => {
  const repository = createRepository()
  const odd = ":100644 100644 x"
  repository.write("other.txt", "x")
  repository.write("flags/c", "c")
  const first = repository.commit(5)
  repository.write("other.txt", "y")
  const elsewhere = repository.commit(6)
  repository.write(`flags/${odd}`, "odd")
  repository.write("flags/\u00e4\n.yaml", "text")
  repository.remove("flags/c")
  const second = repository.commit(7)
  repository.remove("flags/\u00e4\n.yaml")
  symlinkSync(odd, join(repository.folder, "flags/\u00e4\n.yaml"))
  const third = repository.commit(8)
  const blob = (revision: string, path: string) => repository.git("rev-parse", `${revision}:${path}`).trim()

  const found = (await findRepository(repository.folder, createGit(process.env))) as Inside
  const commits = await walk(found, third, "flags/")
  expect(commits.map(({ at, ...commit }) => ({ ...commit, at: new Date(at).toISOString() }))).toEqual([
    {
      id: first,
      parent: undefined,
      at: time(5),
      author: repository.folder,
      subject: "at 5",
      changes: new Map([["c", { before: undefined, after: blob(first, "flags/c") }]]),
    },
    {
      id: second,
      parent: elsewhere,
      at: time(7),
      author: repository.folder,
      subject: "at 7",
      changes: new Map([
        [odd, { before: undefined, after: blob(second, `flags/${odd}`) }],
        ["c", { before: blob(first, "flags/c"), after: undefined }],
        ["\u00e4\n.yaml", { before: undefined, after: blob(second, "flags/\u00e4\n.yaml") }],
      ]),
    },
    {
      id: third,
      parent: second,
      at: time(8),
      author: repository.folder,
      subject: "at 8",
      changes: new Map([
        ["\u00e4\n.yaml", { before: blob(second, "flags/\u00e4\n.yaml"), after: undefined }],
      ]),
    },
  ])
})

test("a subject is kept as is, even if it looks like a change or is empty", async () => {
  const repository = createRepository()
  const subjects = [":100644 100644 x", "", "0123456789012345678901234567890123456789 12"]
  for (const [at, subject] of subjects.entries()) {
    repository.write("flags/a", `${at}`)
    repository.git("add", "-A")
    repository.git("commit", "-q", "--allow-empty-message", "-m", subject)
  }
  const found = (await findRepository(repository.folder, createGit(process.env))) as Inside
  const commits = await walk(found, "HEAD", "flags/")
  expect(commits.map(({ subject, changes }) => [subject, changes.size])).toEqual(
    subjects.map((subject) => [subject, 1]),
  )
})
