import { expect, test } from "vitest"
import { type Diagnostic, wholeFile } from "../../../cli/diagnostics/diagnostic.ts"
import { phrase, sentence, whole } from "../../../cli/phrases/phrase.ts"
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
    { kind: "diagnostics", diagnostics: [unused("/p/flags/b.yaml"), unused("/p/flags/a.yaml")] },
  ],
  data: () => ({ flags: ["\u202e"] }),
  comment: { marker: "<!-- m -->", label: "Flags", link: { text: "More", address: "https://more.example" } },
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
      also at: flags/b.yaml:1:1
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
      - \`flags/a.yaml:1\`, \`flags/b.yaml:1\`
    "
  `)
})

test("JSON has the data, without harmful characters", () => {
  expect(reportFormats.json(report)).toBe('{\n  "flags": [\n    "\\u202e"\n  ]\n}\n')
})

test("without sections, only Markdown may say that there is nothing", () => {
  const empty: CommandReport = { sections: [], data: () => [], comment: { nothing: "No flag is stale." } }
  expect(reportFormats.text(empty, printing)).toBe("")
  expect(reportFormats.markdown(empty, printing)).toBe("No flag is stale.\n")
})
