import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createReport } from "../../../../cli/diagnostics/diagnostic.ts"
import { readSources } from "../../../../cli/reading/files/read.ts"
import { decodeSource, readSource } from "../../../../cli/reading/files/read-source.ts"
import { refuseBareRepositories } from "../../../../cli/reading/files/refuse-bare-repositories.ts"

const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"6f".repeat(32)}\nsize 12\n`

test.each([
  ["a pointer of Git LFS", pointer, "`git lfs pull`"],
  ["a pointer with CRLF", pointer.replaceAll("\n", "\r\n"), "`git lfs pull`"],
  [
    "a pointer of an extension",
    pointer.replace("\n", `\next-0-x sha256:${"00".repeat(32)}\n`),
    "`git lfs pull`",
  ],
  ["a pointer of git-annex", "/annex/objects/SHA256E-s12--6f.txt\n", "`git annex get`"],
  ["a file that transcrypt has encrypted", "U2FsdGVkX1/gk2Wl\nabcd==\n", "Decrypt it"],
])("%s is refused instead of every kind of file", (_, text, advice) => {
  for (const name of ["a.yaml", "list.txt", "limits.json", "project.yaml", "vips.segment.yaml"]) {
    const report = createReport()
    expect(decodeSource(`/p/${name}`, Buffer.from(text), report)).toBeUndefined()
    expect(report.diagnostics).toMatchObject([{ code: "unreadable-file", severity: "error" }])
    expect(report.diagnostics[0]?.message).toContain(advice)
  }
})

test.each(["version\nhttps://git-lfs.github.com/spec/v1\n", "annex/objects/\n", "DE\nAT\n"])(
  "%j is a list",
  (text) => {
    const report = createReport()
    expect(decodeSource("/p/list.txt", Buffer.from(text), report)).toEqual({ path: "/p/list.txt", text })
    expect(report.diagnostics).toEqual([])
  },
)

test.each([
  ["flag.yaml", 2 ** 20, "Put a long list into a file of its own"],
  ["list.txt", 2 ** 22, "Send an attribute that says who is on it instead"],
])("%s is read whole up to its limit, and not beyond", (name, most, advice) => {
  const path = join(mkdtempSync(join(tmpdir(), "flagstone-")), name)
  const text = `${"a".repeat(most - 2)}z\n`
  writeFileSync(path, text)
  expect(readSource(path, createReport())?.text === text).toBe(true)
  writeFileSync(path, `a${text}`)
  const report = createReport()
  expect(readSource(path, report)).toBeUndefined()
  expect(report.diagnostics).toMatchObject([
    { code: "file-too-large", message: expect.stringContaining(advice) },
  ])
})

// Node writes bytes that are not UTF-8 as U+FFFD, and then finds no such file.
test.skipIf(process.platform !== "linux")(
  "a name that is not UTF-8 is an error, and no other file is lost",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "flagstone-"))
    writeFileSync(notUtf8(folder, ".yaml"), "defaultValue: false\n")
    writeFileSync(join(folder, "z.yaml"), "defaultValue: false\n")
    const report = createReport()
    expect(readSources(folder, report).map(({ path }) => path)).toEqual([join(folder, "z.yaml")])
    expect(report.diagnostics).toMatchObject([
      { code: "bad-name", message: expect.stringMatching(/UTF-8\. Rename it/) },
    ])
    mkdirSync(notUtf8(folder, ""))
    expect(() => refuseBareRepositories(folder, report)).toThrow(
      /\/\ufffd has a name that is not UTF-8: rename it/,
    )
  },
)

function notUtf8(folder: string, end: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0xff), Buffer.from(end)])
}
