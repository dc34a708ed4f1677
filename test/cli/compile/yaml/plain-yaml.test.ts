import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { parseWithYaml } from "../../../../cli/compile/yaml/parse.ts"
import { readPlainYaml } from "../../../../cli/compile/yaml/plain-yaml.ts"
import { createReport } from "../../../../cli/diagnostics/diagnostic.ts"
import { flagText } from "../../../bench/flags-repository.ts"
import { checkOutCorpus, hasCorpora } from "../../../corpora.ts"

const runs = Number(process.env.FLAGSTONE_TEST_RUNS ?? 2000)

/** What the fast reader accepts, the yaml package accepts without a word, and both make the same tree of it. */
function agree(text: string): boolean {
  const fast = readPlainYaml(text)
  if (fast === undefined) return false
  const report = createReport()
  const [file] = parseWithYaml({ path: "/x.yaml", text }, report)
  expect({ text, root: fast, diagnostics: [] }).toStrictEqual({
    text,
    root: file?.root,
    diagnostics: report.diagnostics,
  })
  return true
}

function flagFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
}

/** Pieces that YAML joins in every possible way, most of them wrong. */
const piece = fc.constantFrom(
  ..."\n,\n  ,\n    ,\n- ,\n  - ,\n    - ,- , ,  ,: ,:, #,#,# c,a,b: ,key: ,c.d/e-1: ,true,null,~,1,-1,0x1,1.5,1e3,.5,-0,007".split(
    ",",
  ),
  ..."2027-03-01,1.2.3,130.*,<,<<,*,&a ,!t,|,>,%,@,`,?,? ,=,...,---,x y,é,😀,\u00a0,\u2028,\t,\r\n,\"q\",'s','it''s',\"\\n\",\"\\x41\",\"a\" : ,'k': ".split(
    ",",
  ),
  ...["[", "]", "{", "}", ", ", ",", "[1, a]", "{a: 1}", "[]", "{}", "{ x: [1, {y: z}] }", '"', "'", "\\"],
)

/** Writes a value behind its name or dash; `indent` is that of the line on which these stand. */
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
const flows = ["[a, 'b' ,1]", "{k: v, l: [ ]}", "[{a: b}]"]
const names = fc.uniqueArray(fc.constantFrom("a", "b", "c.d", '"e f"', "'g'", "1", "true", "h-i_j/k"), {
  minLength: 1,
  maxLength: 3,
})

/** Trees written out with every choice of form that the subset leaves, and some that it does not. */
const { members } = fc.letrec<{ value: Write; scalar: Write; members: Write; items: Write }>((tie) => {
  const values = fc.array(tie("value"), { minLength: 3, maxLength: 3 })
  return {
    value: fc.oneof({ maxDepth: 4 }, tie("scalar"), tie("members"), tie("items")),
    scalar: fc
      .tuple(fc.constantFrom(...scalars, ...flows), fc.constantFrom("", "", " ", " # c", "  # - a: b"))
      .map(
        ([scalar, end]) =>
          () =>
            ` ${scalar}${end}\n`,
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
/** A whole file: the members of the outermost mapping stand at the left. */
const file = fc
  .tuple(names, fc.array(members, { minLength: 3, maxLength: 3 }))
  .map(([names, values]) => names.map((name, i) => `${name}:${values[i]?.("")}`).join(""))

describe("the fast reader and the yaml package agree", () => {
  test("on any text made of YAML's pieces", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => void agree(`a: ${pieces.join("")}`)),
      { numRuns: runs },
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => void agree(pieces.join(""))),
      { numRuns: runs },
    )
  })

  test("on trees of every form", () => {
    let accepted = 0
    let made = 0
    fc.assert(
      fc.property(file, (text) => {
        made++
        if (agree(text)) accepted++
      }),
      { numRuns: runs },
    )
    expect(accepted).toBeGreaterThan(made / 10)
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
        agree(text)
      }),
      { numRuns: runs },
    )
  })

  test("on the golden cases and on this project's flags, all of which it accepts", () => {
    for (const text of flagFiles(resolve(import.meta.dirname, "../../../golden"))) agree(text)
    for (const text of flagFiles(resolve(import.meta.dirname, "../../../../flags")))
      expect(agree(text)).toBe(true)
  })

  test.runIf(hasCorpora).each(["vets", "android", "brave"] as const)(
    "on the flags of %s, nearly all of which it accepts",
    (name) => {
      const texts = flagFiles(join(checkOutCorpus(name), "flags"))
      expect(texts.filter(agree).length).toBeGreaterThan(texts.length * 0.95)
    },
  )
})
