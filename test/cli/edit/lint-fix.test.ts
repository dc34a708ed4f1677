// @module-tag property
// @module-tag system
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { runFmt } from "../../../cli/commands/fmt.ts"
import { runLint } from "../../../cli/commands/lint.ts"
import { checkOutCorpus, hasCorpora } from "../../corpora.ts"
import { runs } from "../../runs.ts"
import { testHost } from "../../test-host.ts"

function folder(text: string): string {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-fix-"))
  mkdirSync(join(cwd, "flags"))
  writeFileSync(
    join(cwd, "flags", "project.yaml"),
    "project: shop\nenvironments: [development, production]\n",
  )
  writeFileSync(join(cwd, "flags", "a.yaml"), text)
  return cwd
}

/** The file after `lint --fix`, and its output. */
async function fix(text: string, cwd = folder(text)) {
  const host = testHost({ cwd })
  const status = await runLint({ flags: "flags", format: "json", fix: true }, host)
  return {
    status,
    text: readFileSync(join(cwd, "flags", "a.yaml"), "utf8"),
    err: host.err(),
    left: JSON.parse(host.out()),
  }
}

const rules = (...lines: readonly string[]) =>
  [
    "defaultValue: false",
    "environments:",
    "  production:",
    "    enabled: true",
    "    rules:",
    ...lines,
    "",
  ].join("\n")

describe("certain fixes are made, and nothing else moves", () => {
  test.each([
    [
      "a misspelt member",
      "# head\nnmae:   'x' # why\ndefaultValue: false\n",
      "# head\nname:   'x' # why\ndefaultValue: false\n",
    ],
    [
      "a misspelt member in JSON",
      '{"nmae":"x","defaultValue":false}\n',
      '{"name":"x","defaultValue":false}\n',
    ],
    ["what a fix uncovers", "tpye: string\ndefaultValue: NO\n", 'type: string\ndefaultValue: "NO"\n'],
    ["Windows line ends", "nmae: x\r\ndefaultValue: false\r\n", "name: x\r\ndefaultValue: false\r\n"],
  ])("%s", async (_, before, after) => {
    const { status, text, left } = await fix(before)
    expect(text).toBe(after)
    expect({ status, left }).toEqual({ status: 0, left: [] })
    expect((await fix(after)).text).toBe(after)
  })
})

describe("what is not certain is left to the author", () => {
  test.each([
    [
      "an unknown environment: a fix would turn flags on",
      "defaultValue: false\nenvironments: { prod: { enabled: true } }\n",
    ],
    ["a member that is there already", "name: x\nnames: y\ndefaultValue: false\n"],
    ["yes for true", "defaultValue: yes\n"],
    [
      "a file with anchors",
      "type: string\ndefaultValue: &a 1\nenvironments: { production: { enabled: true, rules: [{ operator: always, returnValue: *a }] } }\n",
    ],
    [
      "a doubled rule with a comment",
      rules(
        "      - { operator: exists, attribute: a, returnValue: true }",
        "      - operator: exists # why",
        "        attribute: a",
        "        returnValue: true",
      ),
    ],
    [
      "a doubled rule below a comment, which the next rule would get",
      rules(
        "      - { operator: exists, attribute: a, returnValue: true }",
        "      # Customers of the trial",
        "      - { operator: exists, attribute: a, returnValue: true }",
        "      - { operator: exists, attribute: b, returnValue: true }",
      ),
    ],
    [
      "a doubled item below a comment",
      rules(
        "      - attribute: a",
        "        operator: in",
        "        value:",
        "          - x",
        "          # Customers of the trial",
        "          - x",
        "          - y",
        "        returnValue: true",
      ),
    ],
  ])("%s", async (_, before) => {
    const { text, left } = await fix(before)
    expect(text).toBe(before)
    expect(left).not.toEqual([])
  })
})

test.each([
  ["CR LF", "a1\r\nb2 \r\n a1\t\r\n", "a1\r\nb2 \r\n"],
  ["LF, but for the last", "a1\nb2\na1", "a1\nb2\n"],
  ["CR alone", "a1\rb2\r\r a1 \rc3\r", "a1\rb2\r\rc3\r"],
  ["mixed", "a1\r\nb2\ra1\nb2\r\n\nc3", "a1\r\nb2\r\nc3"],
])("only repeated lines go from a list, with their ends: %s", async (_, before, after) => {
  const use = "{ attribute: id, operator: in, value: { file: ids.txt }, returnValue: true }"
  const cwd = folder(rules(`      - ${use}`))
  const list = join(cwd, "flags", "ids.txt")
  writeFileSync(list, before)
  await fix("", cwd)
  expect(readFileSync(list, "utf8")).toBe(after)
})

test("the project file is fixed, too", async () => {
  const cwd = folder("nmae: x\ndefaultValue: false\n")
  writeFileSync(join(cwd, "flags", "project.yaml"), "project: 7 # lucky\nenvironment: [production]\n")
  expect((await fix("", cwd)).err).toContain("3 mistakes fixed in 2 files\n")
  expect(readFileSync(join(cwd, "flags", "project.yaml"), "utf8")).toBe(
    'project: "7" # lucky\nenvironments: [production]\n',
  )
})

test("a file without fixes is not written; one with fixes keeps its mode, and no other file is left beside it", async () => {
  const cwd = folder("nmae: x\ndefaultValue: false\n")
  const file = join(cwd, "flags", "a.yaml")
  chmodSync(file, 0o640)
  expect((await fix("", cwd)).err).toContain("1 mistake fixed in 1 file\n")
  expect(statSync(file).mode & 0o777).toBe(0o640)
  expect(readdirSync(join(cwd, "flags"))).toEqual(["a.yaml", "project.yaml"])
  const { ino, mtimeMs } = statSync(file)
  await fix("", cwd)
  expect(statSync(file)).toMatchObject({ ino, mtimeMs })
})

test("the second run changes nothing, whatever the first found", async () => {
  const member = fc.constantFrom(
    "nmae: 1.10 # n",
    "name: x",
    "tpye: string",
    "type: json",
    "defaultValue: NO",
    "defaultVaule: 1e3",
    "owner: true",
    "tags: [1, 2]",
    "taggs: [1]",
    "environments:\n  production:\n    enabeld: true",
    "# a comment",
    "id: 7",
    "description: &a 0777",
    "",
  )
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(member, { maxLength: 8 }), async (lines) => {
      const cwd = folder(`${lines.join("\n")}\n`)
      const once = await fix("", cwd)
      const twice = await fix("", cwd)
      expect(twice.text).toBe(once.text)
      expect(twice.err).not.toContain("fixed")
      for (const line of lines) {
        const [, comment] = /(#.*)/.exec(line) ?? []
        if (comment !== undefined) expect(once.text).toContain(comment)
      }
    }),
    { numRuns: runs(20) },
  )
})

test("fmt, lint and lint --fix, in any order, change no value of a flag without mistakes", async () => {
  const odd = [..."\u00a0\u2007\u3000\u00ad\u200b\u200d\u2060\ufeff\u0085\u2028\u202e\u007f\t\\\"' #:é👍x"]
  const escaped = (text: string) =>
    JSON.stringify(text).replace(/[^ -~]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
  const written = fc
    .string({ unit: fc.constantFrom(...odd), minLength: 1, maxLength: 4 })
    .chain((text) =>
      fc.constantFrom(
        escaped(`a${text}b`),
        escaped(`a${text}b`).replace("a", "a \\\n          "),
        JSON.stringify(`a${text}b`),
        `'a${text.replaceAll("'", "''")}b'`,
        `a${text}b`,
      ),
    )
  const steps = fc.array(fc.constantFrom("fmt", "lint", "fix"), { minLength: 2, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(written, steps, async (value, order) => {
      const cwd = folder(
        rules(`      -   { attribute: a, operator: equals, value: ${value}, returnValue: true }`),
      )
      const lint = (fix: boolean) => runLint({ flags: "flags", fix }, testHost({ cwd }))
      if ((await lint(false)) !== 0) return
      const meaning = () => parse(readFileSync(join(cwd, "flags", "a.yaml"), "utf8"))
      const before = meaning()
      for (const step of order)
        if (step === "fmt")
          await runFmt({ flags: "flags" }, testHost({ cwd })) // may leave the file as it is
        else expect(await lint(step === "fix")).toBe(0)
      expect(meaning()).toEqual(before)
    }),
    { numRuns: runs(40) },
  )
})

describe.runIf(hasCorpora)(
  "real flags: what was broken is fixed to what it was, and nothing else changes",
  { tags: ["slow"], timeout: 120_000 },
  () => {
    test.each(["vets", "android", "brave"] as const)("%s", async (name) => {
      const cwd = checkOutCorpus(name)
      const flags = join(cwd, "flags")
      const files = readdirSync(flags, { recursive: true, encoding: "utf8" }).filter((file) =>
        file.endsWith(".yaml"),
      )
      const before = new Map(files.map((file) => [file, readFileSync(join(flags, file), "utf8")]))
      for (const [file, text] of before) {
        const broken = text
          .replace(/^defaultValue:/m, "defaultVaule:")
          .replace(/^( +)returnValue:/m, "$1retrunValue:")
        const unquoted = broken.replace(/ "(\d+(\.\d+)?)"$/gm, " $1")
        writeFileSync(join(flags, file), `# kept\n${unquoted} # kept, too`)
      }
      const lint = (fix: boolean) => runLint({ flags: "flags", fix }, testHost({ cwd }))
      expect(await lint(false)).toBe(1)
      const after = () => new Map(files.map((file) => [file, readFileSync(join(flags, file), "utf8")]))
      expect(await lint(true)).toBe(0)
      const once = after()
      for (const [file, text] of before) expect(once.get(file)).toBe(`# kept\n${text} # kept, too`)
      expect(await lint(true)).toBe(0)
      expect(after()).toEqual(once)
    })
  },
)
