// @module-tag system
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { runFmt } from "../../../cli/commands/fmt.ts"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { formatFile } from "../../../cli/edit/format-file.ts"
import { readSources } from "../../../cli/reading/files/read.ts"
import { checkOutCorpus, hasCorpora } from "../../corpora.ts"
import { testHost } from "../../test-host.ts"

function formatted(text: string): string {
  const result = formatFile(text)
  if (result.kind === "kept") throw new Error(result.reason)
  return result.text
}

describe("the canonical layout", () => {
  test.each([
    ["indentation", "a:\n    b: 1\n    c:\n    - 2\n", "a:\n  b: 1\n  c:\n    - 2\n"],
    ["brackets", "{a: {b: [1,2 , 3],c: {}},d: [ ]}\n", "{ a: { b: [1, 2, 3], c: {} }, d: [] }\n"],
    [
      "comments",
      "#  head\na:   1   # one\n\n\n# b\nb: 2\n# end",
      "#  head\na: 1 # one\n\n# b\nb: 2\n\n# end\n",
    ],
    ["quotes", "a: 'x'\nb: \"y\"\nc: z\n", "a: 'x'\nb: \"y\"\nc: z\n"],
    [
      "numbers as they were written",
      "a: [1.10, 0x1F, 1e3, -0.0, 0777, 12345678901234567890]\n",
      "a: [1.10, 0x1F, 1e3, -0.0, 0777, 12345678901234567890]\n",
    ],
    ["long lines", `a: ${"word ".repeat(60)}end\n`, `a: ${"word ".repeat(60)}end\n`],
    ["comments in brackets", "a: [1, # one\n  2]\n", "a:\n  [\n    1, # one\n    2\n  ]\n"],
    ["Windows line ends", "a: 1\r\nb:   2 # x\r\n", "a: 1\r\nb: 2 # x\r\n"],
    ["anchors", "a:   &x  [1]\nb: *x\n", "a: &x [1]\nb: *x\n"],
    [
      "comments above what they are about",
      "a:\n    b:\n    - c: 1\n      # more of c\n    # d\n    - d: 1\n    # of b\n# e\ne: 1\n# end\n",
      "a:\n  b:\n    - c: 1\n      # more of c\n    # d\n    - d: 1\n    # of b\n# e\ne: 1\n\n# end\n",
    ],
    [
      "groups",
      "a:\n# both\n- all:\n  - {attribute: x,operator: exists}\n  # or\n  - any:\n      - operator:  always\n",
      "a:\n  # both\n  - all:\n      - { attribute: x, operator: exists }\n      # or\n      - any:\n          - operator: always\n",
    ],
    ["escapes", 'a:   "x\\u00a0\\x41\\"\\e"\n', 'a: "x\\u00a0\\x41\\"\\e"\n'],
    ["brackets in text", "a:   '[ x ]'\n", "a: '[ x ]'\n"],
  ])("%s", (_, before, after) => expect(formatted(before)).toBe(after))

  test.each([
    ["mistakes of syntax", "a: [1\n"],
    ["two documents", "a: 1\n---\nb: 1\n"],
    ["nothing", "# only\n"],
    ["an alias to nowhere", "a: *b\n"],
    ["an alias inside its own list", "a: &a [*a]\n"],
    ["an alias inside its own mapping", "a: &a { b: *a }\n"],
    ["an escape of what no one sees, on two lines", 'a: "x\\u00a0\n  y"\n'],
    ["deep nesting", `a: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n`],
    [
      "billions of values",
      `a: &a [1, 2]\n${[..."bcdefghijklmnopqrstuvwxyz"].map((name, at) => `${name}: &${name} [*${"abcdefghijklmnopqrstuvwxyz"[at]}, *${"abcdefghijklmnopqrstuvwxyz"[at]}]`).join("\n")}\n`,
    ],
  ])("a file with %s stays", (_, text) => expect(formatFile(text).kind).toBe("kept"))
})

describe("meaning and comments stay the same, and a second run changes nothing", () => {
  function check(text: string) {
    const once = formatted(text)
    expect(parse(once, { uniqueKeys: false })).toEqual(parse(text, { uniqueKeys: false }))
    expect(once.match(/#.*$/gm)).toEqual(text.match(/#.*$/gm))
    expect(formatted(once)).toBe(once)
  }

  describe.runIf(hasCorpora)("real flags", { tags: ["slow"] }, () => {
    test.each(["vets", "brave", "android"] as const)("%s", (name) => {
      const sources = readSources(join(checkOutCorpus(name), "flags"), createReport())
      expect(sources.length).toBeGreaterThan(100)
      for (const { text } of sources) check(text)
    })
  })

  const scalar = fc.constantFrom(
    "1",
    "1.10",
    "'a b'",
    '"c\\n"',
    "plain text",
    "true",
    "null",
    "2026-01-01",
    "0x1F",
    "~",
    "[ ]",
    "{}",
  )
  const comment = fc.constantFrom("", "", "", " # why", "   #tight")
  const lines = fc.array(
    fc.oneof(
      fc.tuple(fc.nat(99), scalar, comment).map(([n, value, why]) => `m${n}:  ${value}${why}\n`),
      fc
        .tuple(fc.nat(99), fc.array(fc.tuple(scalar, comment), { minLength: 1, maxLength: 3 }), comment)
        .map(
          ([n, items, why]) => `l${n}:${why}\n${items.map(([item, c]) => `   -   ${item}${c}\n`).join("")}`,
        ),
      fc
        .tuple(fc.nat(99), fc.array(scalar, { maxLength: 4 }))
        .map(([n, items]) => `f${n}: [${items.join(" ,")}]\n`),
      fc.constantFrom("# alone\n", "\n", "\n\n# after a gap\n"),
      fc.tuple(fc.nat(99), scalar).map(([n, value]) => `o${n}:\n      # inner\n      deep: ${value}\n`),
      fc.nat(99).map((n) => `t${n}: |\n    # no comment\n    text\n`),
    ),
    { minLength: 1, maxLength: 8 },
  )
  test("made-up flags", () => {
    fc.assert(
      fc.property(lines, (parts) => {
        const text = `first: 1\n${parts.join("")}`
        const result = formatFile(text)
        // A file that cannot be formatted without loss is left alone. This must stay rare for `fmt` to be useful.
        if (result.kind === "formatted") check(text)
        else expect(result.reason).toMatch(/comment|settle|meaning/)
      }),
      { numRuns: 500 },
    )
  })
})

describe("fmt", () => {
  function folder() {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-fmt-"))
    mkdirSync(join(cwd, "flags"))
    writeFileSync(join(cwd, "flags", "project.yaml"), "project: shop\nenvironments: [development]\n")
    writeFileSync(join(cwd, "flags", "a.yaml"), "defaultValue:   false # off\n")
    return cwd
  }
  async function fmt(cwd: string, check: boolean) {
    const host = testHost({ cwd })
    const status = await runFmt({ flags: "flags", check }, host)
    return { status, out: host.out(), err: host.err() }
  }

  test("--check lists what would change, and changes nothing; fmt changes it; then nothing is left", async () => {
    const cwd = folder()
    expect(await fmt(cwd, true)).toEqual({
      status: 1,
      out: "flags/a.yaml\n",
      err: "2 files read, 1 would change\n",
    })
    expect(await fmt(cwd, false)).toEqual({
      status: 0,
      out: "flags/a.yaml\n",
      err: "2 files read, 1 changed\n",
    })
    expect(readFileSync(join(cwd, "flags", "a.yaml"), "utf8")).toBe("defaultValue: false # off\n")
    expect(await fmt(cwd, true)).toEqual({ status: 0, out: "", err: "2 files read, 0 would change\n" })
  })

  test("a file with mistakes is left alone and named", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "flags", "a.yaml"), "defaultValue: [\n")
    const { status, err } = await fmt(cwd, false)
    expect(status).toBe(1)
    expect(err).toContain("flags/a.yaml is left unchanged: it has errors; run `flagstone lint`\n")
  })

  test("a file that cannot be read is named", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "flags", "b.yaml"), Buffer.from("name: caf\xe9\n", "latin1"))
    writeFileSync(join(cwd, "flags", "notes.txt"), "stray files are lint's affair")
    expect(await fmt(cwd, false)).toEqual({
      status: 1,
      out: "flags/a.yaml\n",
      err:
        "flags/b.yaml:1:1 error unreadable-file\n  The file is not UTF-8 text. Save it as UTF-8.\n\n" +
        "2 files read, 1 changed\n",
    })
  })

  test("segment files are formatted like flag files, and mean the same", async () => {
    const cwd = folder()
    const file = join(cwd, "flags", "staff.segment.yaml")
    const text =
      "description:   Ours # who\nany:\n# by address\n- {attribute: email,operator: endsWith,value:  '@a'}\n- segment:   beta\n"
    writeFileSync(file, text)
    expect(await fmt(cwd, false)).toMatchObject({
      status: 0,
      out: "flags/a.yaml\nflags/staff.segment.yaml\n",
    })
    const after = readFileSync(file, "utf8")
    expect(after).toBe(
      "description: Ours # who\nany:\n  # by address\n  - { attribute: email, operator: endsWith, value: '@a' }\n  - segment: beta\n",
    )
    expect(parse(after)).toEqual(parse(text))
    expect(await fmt(cwd, true)).toEqual({ status: 0, out: "", err: "3 files read, 0 would change\n" })
  })

  test("ignored files are left alone, even while the project file has mistakes", async () => {
    const cwd = folder()
    const project = "project: shop\nenvironments: [development]\nignore: [docs/**]\n"
    writeFileSync(join(cwd, "flags", "project.yaml"), project)
    mkdirSync(join(cwd, "flags", "docs"))
    const ignored = join(cwd, "flags", "docs", "chart.yaml")
    writeFileSync(ignored, "a:   1\n")
    expect(await fmt(cwd, false)).toMatchObject({ status: 0, out: "flags/a.yaml\n" })
    writeFileSync(join(cwd, "flags", "project.yaml"), `${project}ignored: []\n`)
    const { status, out, err } = await fmt(cwd, false)
    expect({ status, out }).toEqual({ status: 2, out: "" })
    expect(err).toContain("Unknown field `ignored`")
    expect(readFileSync(ignored, "utf8")).toBe("a:   1\n")
  })

  test("the example flags have the canonical layout", async () => {
    const root = join(import.meta.dirname, "../../..")
    expect(await fmt(root, true)).toMatchObject({ status: 0, out: "" })
  })
})

describe("line ends", () => {
  const layouts = [
    "defaultValue:    false # off\n",
    "# who\nrules:\n- { attribute: a,   operator: in }\n",
    "a: |\n    one\n\n    two\nb: >-\n  three\n  four\n",
    'a: "one\n  two"\n\nb: [ 1,\n  2 ]',
  ]

  test.each(layouts)("CRLF throughout stays CRLF, and changes nothing else: %j", (text) => {
    const plain = formatFile(text)
    const crlf = formatFile(text.replaceAll("\n", "\r\n"))
    if (plain.kind !== "formatted" || crlf.kind !== "formatted") throw new Error("kept")
    expect(crlf.text).toBe(plain.text.replaceAll("\n", "\r\n"))
    expect(formatFile(crlf.text)).toEqual(crlf)
  })

  test.each(["a:   1\r\nb: 2\n", "a:   1\nb: 2\r\n"])("a mixture becomes LF: %j", (text) => {
    expect(formatFile(text)).toEqual({ kind: "formatted", text: "a: 1\nb: 2\n" })
  })
})
