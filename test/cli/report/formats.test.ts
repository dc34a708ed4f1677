import { expect, test } from "vitest"
import { type Diagnostic, wholeFile } from "../../../cli/diagnostics/diagnostic.ts"
import { phrase, sentence, whole } from "../../../cli/diagnostics/phrase.ts"
import { reportFormats } from "../../../cli/report/formats.ts"
import type { CommandReport } from "../../../cli/report/report.ts"

const unused = (path: string): Diagnostic => ({
  ...{ code: "unused-flag", severity: "warning", message: "No code refers to it." },
  ...{ location: { source: { path, text: "a: 1\n" }, span: wholeFile }, related: [], fix: undefined },
})

const placed = (key: string, owner?: string) => ({
  subject: phrase`${key}`,
  file: `/p/flags/${key}.yaml`,
  owner,
})

const report: CommandReport = {
  title: phrase`${"main"} → ${"the work tree"}`,
  summary: phrase`${"production"}: 3 flags change`,
  notes: [phrase`${2} of 3 contexts change`],
  sections: [
    {
      kind: "list",
      heading: phrase`${"production"} (protected)`,
      rows: [
        {
          ...{
            subject: phrase`${"cart"}`,
            what: phrase`now ${"on"}`,
            notes: [phrase`for ${"x".repeat(130)}`],
          },
          placed: [{ ...placed("cart", "@web"), address: "https://git.example/cart" }],
          rows: [
            { subject: whole("a.ts:1:2"), what: ["key"], local: whole('get("cart")') },
            { subject: whole("long.ts:1:2"), what: ["key"], local: whole("get(`cart`)") },
          ],
        },
        { subject: ["2 flags"], what: ["off"], placed: [placed("a", "@web"), placed("b")] },
      ],
    },
    { kind: "list", heading: ["nothing in it"], rows: [] },
    {
      kind: "table",
      columns: ["flag", "why"],
      rows: [
        { cells: [[whole("cart")], [["settled"], ["unused"]]], address: "https://git.example/cart" },
        { cells: [[whole("x".repeat(90))], [sentence("has `code`")]] },
      ],
    },
    { kind: "diagnostics", diagnostics: [..."bac"].map((name) => unused(`/p/flags/${name}.yaml`)) },
  ],
  data: () => ({ flags: ["\u202e"] }),
  comment: {
    ...{ marker: "<!-- m -->", label: "Flags", link: { text: "More", address: "https://more.example" } },
    ...{ nothing: "No flag is stale.", end: phrase`Made by ${"ci"}` },
  },
}

const printing = { folder: "/p", colour: false }

test("text", () => {
  expect(reportFormats.text(report, printing)).toMatchInlineSnapshot(`
    "main → the work tree
    \`production\`: 3 flags change
      2 of 3 contexts change

    production (protected)
      cart: now \`on\`
        for \`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\`
        a.ts:1:2: key     get("cart")
        long.ts:1:2: key  get(\`cart\`)
      2 flags: off
        a, b

    FLAG  WHY
    cart  settled
          unused
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx  has \`code\`

    flags/a.yaml:1:1 warning unused-flag
      No code refers to it.
      also at: flags/b.yaml:1:1, flags/c.yaml:1:1
    "
  `)
})

test("Markdown", () => {
  expect(reportFormats.markdown(report, printing)).toMatchInlineSnapshot(`
    "<!-- m -->
    **Flags:** \`production\`: 3 flags change.

    \`main\` → \`the work tree\`

    [More](<https://more.example>)

    2 of 3 contexts change.

    ### \`production\` (protected)

    - **[\`cart\`](<https://git.example/cart>)** (\`@web\`, \`flags/cart.yaml\`): now \`on\`
      - for \`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…\`
      - **\`a.ts:1:2\`**: key
      - **\`long.ts:1:2\`**: key
    - **2 flags**: off
      - \`@web\`: \`a\` (\`flags/a.yaml\`)
      - \`b\` (\`flags/b.yaml\`)

    | flag | why |
    | --- | --- |
    | [\`cart\`](<https://git.example/cart>) | settled; unused |
    | \`xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\` | \`\` has \`code\` \`\` |

    - \`unused-flag\`: \`No code refers to it.\`
      - \`flags/a.yaml:1\`, \`flags/b.yaml:1\`, \`flags/c.yaml:1\`

    Made by \`ci\`.
    "
  `)
})

test("JSON has the data, without harmful characters", () => {
  expect(reportFormats.json(report)).toBe('{\n  "flags": [\n    "\\u202e"\n  ]\n}\n')
})

test("without rows in sections, only Markdown may say that there is nothing", () => {
  const empty: CommandReport = {
    sections: [{ kind: "list", rows: [] }],
    data: () => [],
    comment: { nothing: "No flag is stale." },
  }
  expect(reportFormats.text(empty, printing)).toBe("")
  expect(reportFormats.markdown(empty, printing)).toBe("No flag is stale.\n")
  expect(reportFormats.markdown({ summary: ["no change"], sections: [] }, printing)).toBe("no change.\n")
})

test("a table's columns are as wide as its cells, up to 80 characters", () => {
  const rows = [79, 80, 81].map((length) => ({
    cells: [[whole(`${length}`)], [whole("x".repeat(length))], [whole("end")]],
  }))
  const section = { kind: "table", heading: ["long"], columns: ["a", "b", "c"], rows } as const
  expect(reportFormats.text({ sections: [section] }, printing)).toBe(`long
  A   B${" ".repeat(79)}  C
  79  ${"x".repeat(79)}   end
  80  ${"x".repeat(80)}  end
  81  ${"x".repeat(81)}  end
`)
})

test("a list without a heading is not indented, and rows without a place in a column do not widen it", () => {
  const rows = [
    { subject: whole("a:1"), what: ["key"], local: whole("x") },
    { subject: whole("flags/longer.yaml:1"), what: ["flag"] },
    { subject: whole("b:1") },
  ]
  const list = { kind: "list", rows } as const
  const alike = {
    kind: "diagnostics",
    heading: ["found"],
    diagnostics: [unused("/p/a.yaml"), { ...unused("/p/b.yaml"), message: "Another." }],
  } as const
  const sections = [list, alike]
  expect(reportFormats.text({ sections }, printing)).toBe(`a:1: key  x
flags/longer.yaml:1: flag
b:1

found

a.yaml:1:1 warning unused-flag
  No code refers to it.

b.yaml:1:1 warning unused-flag
  Another.
`)
  expect(reportFormats.markdown({ sections }, printing)).toContain(`
### Found

- \`a.yaml:1\` \`unused-flag\`: \`No code refers to it.\`
- \`b.yaml:1\` \`unused-flag\`: \`Another.\`
`)
})

test.each([
  [20, [1, 20, 1]],
  [21, [1, 20, 1, 1]],
])("of %d flags, twenty are on a line of Markdown", (count, expected) => {
  const all = Array.from({ length: count }, (_, at) => placed(`f${at}`))
  const list = { kind: "list", rows: [{ subject: [`${count} flags`], placed: all }] } as const
  const shown = { sections: [list], comment: { nothing: "No flag is stale." } }
  const lines = reportFormats.markdown(shown, printing).split("\n")
  expect(lines[0]).toBe(`- ${count} flags`)
  expect(lines.map((line) => line.split(", ").length)).toEqual(expected)
})

test("a section that does not fit takes no room from a smaller one", () => {
  const list = (heading: string, text: string) =>
    ({ kind: "list", heading: [heading], rows: [{ subject: [text] }] }) as const
  const sections = [list("a", "a".repeat(64_000)), list("b".repeat(850), "b".repeat(90)), list("c", "end")]
  expect(reportFormats.markdown({ sections }, printing)).toMatch(
    /a\n\n### C\n\n- end\n\nand 1 more that do not fit here\n$/,
  )
  const rows = ["a", "b"].map((text) => ({ subject: [text.repeat(40_000)] }))
  const half = { kind: "list", rows } as const
  expect(reportFormats.markdown({ sections: [half] }, printing)).toMatch(/a\n\nand 1 more\n$/)
})

test("Markdown has at most 65,000 bytes, and counts the flags and findings that are left out", () => {
  const count = 4_000
  const rows = Array.from({ length: count }, () => ({ cells: [[whole("é")]] }))
  const filling: CommandReport = {
    title: phrase`${"t".repeat(500)}`,
    sections: [
      { kind: "table", heading: ["h".repeat(200)], columns: ["c".repeat(200)], rows: [...rows, ...rows] },
      {
        kind: "list",
        rows: [
          { subject: ["22 flags"], placed: Array.from({ length: 22 }, (_, at) => placed(`f${at}`)) },
          { subject: whole("x".repeat(100)) },
          { subject: whole("y".repeat(100)) },
        ],
      },
      {
        kind: "diagnostics",
        diagnostics: [..."abc"]
          .map((name) => unused(`/p/${name}.yaml`))
          .concat({
            ...unused("/p/d.yaml"),
            message: "Another.",
          }),
      },
    ],
    data: () => [],
    comment: { end: phrase`${"e".repeat(200)}` },
  }
  const text = reportFormats.markdown(filling, printing)
  const bytes = Buffer.byteLength(text)
  expect(bytes).toBeLessThanOrEqual(65_000)
  expect(bytes).toBeGreaterThan(64_960)
  const shown = text.split("| `é` |").length - 1
  expect(text).toContain(`\nand ${2 * count - shown} more\n\nand 28 more that do not fit here\n\n`)
})
