// @module-tag system
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { testHost } from "../../test-host.ts"
import { shop } from "../diff/sides.ts"
import { inNewFolders, isDiff, on, start } from "./diff-session.ts"

// --contexts
const { commit, diff, folder, write, git } = inNewFolders()
beforeEach(() => void git("init", "-q", "-b", "main"))

const rules = (...texts: readonly string[]) =>
  `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n${texts.map((text) => `      - { ${text} }\n`).join("")}`
const german = "attribute: country, operator: equals, value: DE, returnValue: true"
const pro = "attribute: plan, operator: equals, value: pro, returnValue: true"
const visitors = [
  { country: "FR" },
  { country: "DE", plan: "pro" },
  { country: "DE" },
  { plan: "pro" },
  { country: "DE" },
  { country: "DE", plan: "free" },
  { country: ["FR", "DE"] },
]
const lines = visitors.map((context) => `${JSON.stringify(context)}\n`).join("")

test("says how many get a different value, from what to what, with the first three", async () => {
  commit({ ...start, "flags/a.yaml": rules(german), "flags/b.yaml": on })
  write({ "flags/a.yaml": rules(pro), "flags/new.yaml": on, "visitors.jsonl": `\n${lines}` })
  const { status, out } = await diff("--contexts", "visitors.jsonl")
  expect(status).toBe(0)
  expect(out).toContain("\n  5 of 7 contexts of `visitors.jsonl` get a different value\n\n")
  expect(out.slice(out.indexOf("contexts\n"), out.indexOf("\nwarnings"))).toBe(
    [
      "contexts",
      "  a in production: 4 now get `false` instead of `true`",
      '    line 4  {"country":"DE"}',
      '    line 6  {"country":"DE"}',
      '    line 7  {"country":"DE","plan":"free"}',
      "  a in production: 1 now gets `true` instead of `false`",
      '    line 5  {"plan":"pro"}\n',
    ].join("\n"),
  )
  const json = JSON.parse((await diff("--contexts", "visitors.jsonl", "--format", "json")).out)
  expect(isDiff(json) ? [] : isDiff.errors).toEqual([])
  expect(json.contexts).toMatchObject({ file: "visitors.jsonl", count: 7, affected: 5, unknown: 0 })
  expect(json.contexts.steps[1]).toEqual({
    flag: "a",
    environment: "production",
    before: false,
    after: true,
    count: 1,
    first: [{ line: 5, context: { plan: "pro" } }],
  })
})

test("a comment names lines, not their contents", async () => {
  commit({ ...start, "flags/a.yaml": rules(german) })
  write({ "flags/a.yaml": rules(pro), "visitors.jsonl": lines })
  const { out } = await diff("--contexts", "visitors.jsonl", "--format", "markdown")
  expect(out).toContain("5 of 7 contexts of `visitors.jsonl` get a different value.")
  expect(out).toContain("  - line 3\n  - line 5\n  - line 6\n")
  expect(out).not.toContain("free")
})

test("reads stdin, and only the requested environments", async () => {
  commit({ ...start, "flags/a.yaml": rules(german) })
  write({ "flags/a.yaml": rules(pro) })
  const of = async (...args: readonly string[]) => {
    const host = testHost({ cwd: folder(), stdin: lines.trimEnd() })
    expect(await run(["diff", "--contexts", "-", "--format", "json", ...args], host, "0.0.0")).toBe(0)
    return JSON.parse(host.out()).contexts
  }
  expect(await of()).toMatchObject({ file: "stdin", count: 7, affected: 5 })
  expect(await of("--only", "staging")).toMatchObject({ count: 7, affected: 0, steps: [] })
})

test("counts what the project's own operator decides, and compares a renamed flag", async () => {
  const own = "attribute: country, operator: ours, value: x, returnValue: true"
  const project = `${shop}operators: [ours]\n`
  commit({
    ...start,
    "flags/project.yaml": project,
    "flags/a.yaml": rules(own),
    "flags/b.yaml": rules(german),
  })
  write({ "flags/a.yaml": rules(pro, own), "flags/b.yaml": null, "flags/c.yaml": rules(german) })
  write({ "visitors.jsonl": lines })
  const { out } = await diff("--contexts", "visitors.jsonl")
  expect(out).toContain(
    "0 of 7 contexts of `visitors.jsonl` get a different value; 7 depend on an operator that only the project's SDKs support\n",
  )
})

test("a line that is not a context ends it, with its number", async () => {
  commit(start)
  for (const [line, message] of [
    [
      "{country:1}",
      "visitors.jsonl, line 8: not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)",
    ],
    ["[1]", 'visitors.jsonl, line 8: a context must be a JSON object, such as {"plan":"pro"}'],
    [Buffer.from([0x22, 0xff, 0x22]), "visitors.jsonl, line 8: the text is not UTF-8"],
  ] as const) {
    writeFileSync(join(folder(), "visitors.jsonl"), Buffer.concat([Buffer.from(lines), Buffer.from(line)]))
    expect(await diff("--contexts", "visitors.jsonl")).toEqual({
      status: 2,
      out: "",
      err: `flagstone: ${message}\n`,
    })
  }
  expect((await diff("--contexts", "nobody.jsonl")).err).toBe(
    "flagstone: --contexts: cannot read nobody.jsonl: ENOENT\n",
  )
})
