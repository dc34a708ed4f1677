import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { expect, test } from "vitest"
import { type Phrase, phrase } from "../../../cli/diagnostics/phrase.ts"
import { lossAt, type Verdict } from "../../../cli/import/form/losses.ts"
import type { Node } from "../../../cli/import/form/tree.ts"
import { importReport, type Reported } from "../../../cli/import/report.ts"
import { reportFormats } from "../../../cli/report/formats.ts"

const tally = { contexts: 0, differing: 0, withShares: 0, sharesCompared: 0 }
const nothing: Reported = {
  ...{ tool: "Flipt", results: [], remarks: [], accepted: [], written: [], isDry: false, tally },
  created: undefined,
}

function printed(format: keyof typeof reportFormats, reported: Partial<Reported>): string {
  return reportFormats[format](importReport({ ...nothing, ...reported }), { folder: "/", colour: false })
}

/** A value in a list of flags, on its own line. */
function nodeAt(line: number, name: string, path = "/a.json"): Node {
  const file = { path, name: path.slice(1), text: "\n".repeat(20), environment: undefined }
  const root = { value: null, file, start: 0, parent: undefined, name: "" }
  const flags = { ...root, parent: root, name: "flags" }
  return { ...flags, start: line - 1, parent: flags, name }
}

function remarkAt(node: Node, flag: string | undefined, detail?: Phrase) {
  const text = "an id is listed twice"
  const what = detail === undefined ? [text] : phrase`${[text]}: ${detail}`
  const whose = flag === undefined ? {} : { flag, environment: "test" }
  return { ...lossAt("import-remark", node, what), text, detail, ...whose }
}

test("a report says how many shares were compared with ids, if not all", () => {
  const summary = (sharesCompared: number) =>
    printed("text", { tally: { contexts: 1204, differing: 0, withShares: 120, sharesCompared } })
  expect(summary(120)).toBe("Flipt: 0 flags, 0 environments, 1,204 contexts: 0 differ except by share\n")
  expect(summary(100)).toBe(
    "Flipt: 0 flags, 0 environments, 1,204 contexts: 0 differ except by share\n  shares compared with 10,000 ids in 100 of 120 configurations with shares\n",
  )
})

test("losses are in the order of their verdicts, the worst first, each with its first five flags", () => {
  const codes = [
    "import-share-rebucketed",
    "import-clock",
    "import-operator",
    "import-context-missing",
  ] as const
  const results = Array.from({ length: 6 }, (_, at) => {
    const node = nodeAt(at + 1, `f${at}`)
    const losses = codes.map((code) => lossAt(code, node, ["what is lost"]))
    return { flag: `f${at}`, environment: "test", node, losses, verdict: "cannot", open: "cannot" } as const
  })
  const text = printed("text", { results, accepted: ["import-clock"] })
  expect(text.match(/^ {2}import-.*/gm)).toEqual([
    "  import-operator: cannot be expressed",
    "  import-clock: accepted",
    "  import-context-missing: differs for contexts that lack or mistype an attribute",
    "  import-share-rebucketed: exact except for who falls into a percentage",
  ])
  expect(text.match(/and 1 more/g)).toHaveLength(4)
  expect(text).toContain("a.json:5 /flags/f4: `f4` in `test`\n    and 1 more\n")
  expect(text.match(/Write the rule with other operators/g)).toHaveLength(1)
  expect(text).not.toContain("Accept this if every context sends the time")
  const { flags, counts } = JSON.parse(printed("json", { results, accepted: ["import-clock"] }))
  expect(counts).toEqual({ cannot: 6 })
  expect(flags[0].losses.map((one: { accepted: boolean }) => one.accepted)).toEqual([
    false,
    true,
    false,
    false,
  ])
})

test("a report counts verdicts, and which of them are accepted", () => {
  const judged = (verdict: Verdict, open: Verdict) => ({
    flag: "a",
    environment: "test",
    node: nodeAt(1, "a"),
    losses: [],
    verdict,
    open,
  })
  const results = [
    judged("exact", "exact"),
    judged("differs", "exact"),
    judged("differs", "differs"),
    judged("needs-answer", "exact"),
  ]
  expect(printed("text", { results })).toMatch(
    /VERDICT +FLAGS AND ENVIRONMENTS\nexact +1\ndiffers for contexts that .* +2, 1 accepted\nneeds an answer +1, accepted\n/,
  )
})

test.each([
  [{ written: ["a", "b"] }, "  wrote 2 files\n"],
  [
    { written: ["a"], created: { name: "shop", isGuessed: true, protected: ["live", "prod"] } },
    "  wrote 1 file\n  project.yaml calls the project `shop` and protects `live` and `prod`: correct that before you publish\n",
  ],
])("a report says what is written: %j", (reported, words) => {
  expect(printed("text", reported)).toBe(`Flipt: 0 flags, 0 environments, 0 contexts: 0 differ\n${words}`)
})

test("what is found on the way is reported once for all flags", () => {
  const remarks = Array.from({ length: 7 }, (_, at) =>
    remarkAt(nodeAt(at + 1, String(at)), `f${at}`, phrase`${`u-${at}`}`),
  )
  const page = {
    ...remarkAt(nodeAt(1, "0").parent?.parent ?? nodeAt(1, "0"), undefined),
    text: "there may be more",
  }
  expect(printed("text", { remarks: [...remarks, page] })).toMatchInlineSnapshot(`
    "Flipt: 0 flags, 0 environments, 0 contexts: 0 differ

    also found
      an id is listed twice
        a.json:1 /flags/0: \`f0\` in \`test\`: \`u-0\`
        a.json:2 /flags/1: \`f1\` in \`test\`: \`u-1\`
        a.json:3 /flags/2: \`f2\` in \`test\`: \`u-2\`
        a.json:4 /flags/3: \`f3\` in \`test\`: \`u-3\`
        a.json:5 /flags/4: \`f4\` in \`test\`: \`u-4\`
        and 2 more
      there may be more
        a.json:1 /
    "
  `)
  expect(JSON.parse(printed("json", { remarks: [...remarks, page] })).found.slice(6)).toMatchInlineSnapshot(`
    [
      {
        "environment": "test",
        "file": "a.json",
        "flag": "f6",
        "line": 7,
        "pointer": "/flags/6",
        "text": "an id is listed twice: \`u-6\`",
      },
      {
        "file": "a.json",
        "line": 1,
        "pointer": "",
        "text": "an id is listed twice",
      },
    ]
  `)
})

test("what is found is listed by flag, with all that is odd about each", () => {
  const ofFirst = Array.from({ length: 6 }, (_, at) => remarkAt(nodeAt(1, "f0"), "f0", phrase`${`u-${at}`}`))
  const others = Array.from({ length: 5 }, (_, at) =>
    remarkAt(nodeAt(at + 2, `f${at + 1}`), `f${at + 1}`, phrase`${`u-${at}`}`),
  )
  const remarks = [...ofFirst, ...others]
  expect(printed("text", { remarks }).split("\n").slice(2)).toMatchInlineSnapshot(`
    [
      "also found",
      "  an id is listed twice",
      "    a.json:1 /flags/f0: \`f0\` in \`test\`: \`u-0\`, \`u-1\`, \`u-2\`, \`u-3\`, \`u-4\`, 1 more",
      "    a.json:2 /flags/f1: \`f1\` in \`test\`: \`u-0\`",
      "    a.json:3 /flags/f2: \`f2\` in \`test\`: \`u-1\`",
      "    a.json:4 /flags/f3: \`f3\` in \`test\`: \`u-2\`",
      "    a.json:5 /flags/f4: \`f4\` in \`test\`: \`u-3\`",
      "    and 1 more",
      "",
    ]
  `)
})

test.each([["x` @octocat https://evil.example [a](https://evil.example) `"]])(
  "no text of a file leaves its code marks in Markdown: %j",
  (text) => {
    const node = nodeAt(1, text, `/${text}.json`)
    const losses = [
      lossAt("import-malformed", node, phrase`the flag has no variant ${text}`),
      lossAt("import-clock", node, phrase`a date`),
    ]
    const result = { flag: text, environment: text, node, losses, verdict: "cannot", open: "cannot" } as const
    const remark = remarkAt(node, text, phrase`${text}`)
    const markdown = printed("markdown", {
      results: [result, { ...result, flag: "b" }],
      remarks: [remark, { ...remark, flag: "c" }, remarkAt(node, undefined)],
    })
    const html = micromark(markdown, {
      allowDangerousHtml: true,
      extensions: [gfm()],
      htmlExtensions: [gfmHtml()],
    })
    expect(html).toContain("a date")
    const shown = html.replace(/<code>[^<]*<\/code>/g, "")
    expect(shown).not.toMatch(/@|<a |<img|<h1|evil|octocat|[\u202e\u0085]/)
    expect(shown.match(/<li>/g)?.length).toBe(2 * (1 + 2 + 2) + 1 + 3)
  },
)
