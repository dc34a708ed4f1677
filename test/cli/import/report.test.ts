import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { expect, test } from "vitest"
import { formats } from "../../../cli/import/report.ts"

test("a report says how many shares were compared with ids, if not all", () => {
  const reported = { tool: "Flipt", results: [], remarks: [], accepted: [], written: [], isDry: false }
  const summary = (sharesCompared: number) =>
    formats.text({ ...reported, tally: { contexts: 1204, differing: 0, withShares: 120, sharesCompared } })
  expect(summary(120)).toBe("Flipt: 0 flags, 0 environments, 1,204 contexts: 0 differ except by share\n")
  expect(summary(100)).toBe(
    "Flipt: 0 flags, 0 environments, 1,204 contexts: 0 differ except by share\n  shares compared with 10,000 ids in 100 of 120 configurations with shares\n",
  )
})

test.each([
  [1, "1 context"],
  [2, "2 contexts"],
])("a report counts %d as %s", (contexts, words) => {
  const tally = { contexts, differing: 0, withShares: 0, sharesCompared: 0 }
  const report = { tool: "Flipt", results: [], remarks: [], accepted: [], written: [], isDry: false, tally }
  expect(formats.text(report)).toContain(`${words}: 0 differ`)
})

test("what is found on the way is reported once for all flags", () => {
  const remarks = Array.from({ length: 7 }, (_, at) => ({
    place: { file: "a.json", pointer: `/flags/${at}`, line: at + 1 },
    ...{ flag: `f${at}`, environment: "test", text: "an id is listed twice", detail: `\`u-${at}\`` },
  }))
  const page = { place: { file: "a.json", pointer: "", line: 1 }, text: "there may be more" }
  const tally = { contexts: 0, differing: 0, withShares: 0, sharesCompared: 0 }
  const reported = { tool: "Flipt", results: [], accepted: [], written: [], isDry: false, tally }
  const report = { ...reported, remarks: [...remarks, page] }
  expect(formats.text(report)).toMatchInlineSnapshot(`
    "Flipt: 0 flags, 0 environments, 0 contexts: 0 differ

    Also found:

    a.json:1 /flags/0 f0 (test)
      an id is listed twice: \`u-0\`
      also a.json:2 /flags/1 f1 (test): \`u-1\`
      also a.json:3 /flags/2 f2 (test): \`u-2\`
      also a.json:4 /flags/3 f3 (test): \`u-3\`
      also a.json:5 /flags/4 f4 (test): \`u-4\`
      and 2 more

    a.json:1 /
      there may be more
    "
  `)
  const twice = { ...report, remarks: [...remarks, ...remarks, page] }
  expect(formats.markdown(twice).split("\n").slice(-4)).toMatchInlineSnapshot(`
    [
      "  - also \`\` a.json:5 /flags/4 f4 (test): \`u-4\` \`\`",
      "  - and 2 more",
      "- \`a.json:1 /\`: \`there may be more\`",
      "",
    ]
  `)
  expect(JSON.parse(formats.json(report)).found.slice(6)).toMatchInlineSnapshot(`
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
        "text": "there may be more",
      },
    ]
  `)
})

test("what is found is listed by flag, with all that is odd about each", () => {
  const remarkOn = (flag: string, detail: string, line: number) => ({
    place: { file: "a.json", pointer: `/flags/${flag}`, line },
    ...{ flag, environment: "test", text: "an id is listed twice", detail },
  })
  const ofFirst = Array.from({ length: 6 }, (_, at) => remarkOn("f0", `\`u-${at}\``, 1))
  const others = Array.from({ length: 5 }, (_, at) => remarkOn(`f${at + 1}`, `\`u-${at}\``, at + 2))
  const tally = { contexts: 0, differing: 0, withShares: 0, sharesCompared: 0 }
  const reported = { tool: "Flipt", results: [], accepted: [], written: [], isDry: false, tally }
  const report = { ...reported, remarks: [...ofFirst, ...others] }
  expect(formats.text(report).split("\n").slice(4)).toEqual([
    "a.json:1 /flags/f0 f0 (test)",
    "  an id is listed twice: `u-0`, `u-1`, `u-2`, `u-3`, `u-4`, 1 more",
    "  also a.json:2 /flags/f1 f1 (test): `u-0`",
    "  also a.json:3 /flags/f2 f2 (test): `u-1`",
    "  also a.json:4 /flags/f3 f3 (test): `u-2`",
    "  also a.json:5 /flags/f4 f4 (test): `u-3`",
    "  and 1 more",
    "",
  ])
  expect(formats.markdown(report).split("\n").slice(7)).toEqual([
    "- `a.json:1 /flags/f0 f0 (test)`: ``an id is listed twice: `u-0`, `u-1`, `u-2`, `u-3`, `u-4`, 1 more``",
    "  - also `` a.json:2 /flags/f1 f1 (test): `u-0` ``",
    "  - also `` a.json:3 /flags/f2 f2 (test): `u-1` ``",
    "  - also `` a.json:4 /flags/f3 f3 (test): `u-2` ``",
    "  - also `` a.json:5 /flags/f4 f4 (test): `u-3` ``",
    "  - and 1 more",
    "",
  ])
})

test.each([
  ["x` @octocat https://evil.example [a](https://evil.example) `"],
  ["``` @octocat ``"],
  ["a \\| b | <img src=x> @octocat"],
  ["@octocat #1 www.evil.example"],
  ["\n\n# @octocat\n| a |\n| - |\n"],
  ["\u202e@octocat\u0085"],
])("no text of a file leaves its code marks in Markdown: %j", (text) => {
  const place = { file: `${text}.json`, pointer: `/flags/${text}`, line: 1 }
  const losses = [
    { code: "import-malformed", text: `the flag has no variant \`${text}\``, place },
    { code: "import-clock", text: "a date", place },
  ] as const
  const file = { path: place.file, text: "{}", environment: undefined }
  const node = { value: null, file, start: 0, parent: undefined, name: "" }
  const result = { flag: text, environment: text, node, losses, verdict: "cannot", open: "cannot" } as const
  const remark = { place, flag: text, environment: text, text: `an id \`${text}\``, detail: `\`${text}\`` }
  const whole = { place: { file: "b.json", pointer: "", line: 1 }, text: `more \`${text}\`` }
  const tally = { contexts: 0, differing: 0, withShares: 0, sharesCompared: 0 }
  const report = {
    tool: "flagd",
    results: [result, { ...result, flag: "b" }],
    accepted: [],
    written: [],
    isDry: true,
    tally,
  }
  const markdown = formats.markdown({ ...report, remarks: [remark, { ...remark, flag: "c" }, whole] })
  const html = micromark(markdown, {
    allowDangerousHtml: true,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })
  expect(html).toContain("a date")
  const shown = html.replace(/<code>[^<]*<\/code>/g, "")
  expect(shown).not.toMatch(/@|<a |<img|<h1|evil|octocat|[\u202e\u0085]/)
  expect(shown.match(/<t[dh][ >]/g)?.length).toBe(2 + 2 * 1 + 4 + 2 * 4)
})
