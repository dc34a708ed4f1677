// @module-tag system
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { readContextLines } from "../../../cli/evaluate/read-contexts.ts"
import { run } from "../../../cli/program.ts"
import { type TestHostOptions, testHost } from "../../test-host.ts"

let cwd = ""
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "flagstone-evaluate-"))
  write("flags/project.yaml", "project: shop\nenvironments: [staging, production]\noperators: [fullMoon]\n")
  write("flags/checkout.yaml", checkout)
  write("flags/dark.yaml", "defaultValue: false\nenvironments: { production: { enabled: false } }\n")
})

const checkout = `defaultValue: false
environments:
  production:
    enabled: true
    rules:
      - attribute: plan
        operator: equals
        value: "free"
        returnValue: false
      - attribute: plan
        operator: in
        value: [pro, team]
        returnValue: true
`

const groups = `defaultValue: false
environments:
  production:
    enabled: true
    rules:
      - returnValue: true
        all:
          - &german
            attribute: country
            operator: equals
            value: DE
          - any:
              - { attribute: plan, operator: equals, value: pro }
              - none: [*german]
`

function write(path: string, text: string): void {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}

async function evaluate(args: readonly string[], options: TestHostOptions = {}) {
  const host = testHost({ cwd, ...options })
  const status = await run(["evaluate", ...args], host, "0.0.0")
  return { status, out: host.out(), err: host.err() }
}

const production = ["--environment", "production"]
const pro = ["--context", '{"plan":"pro"}']
const answer =
  "`checkout` is `true` in `production`, because of rule 2: `plan` is `pro`, which is one of `pro` and `team`"

describe("from the work tree", () => {
  test("it answers without git, and writes nothing", async () => {
    const before = readdirSync(cwd, { recursive: true })
    const result = await evaluate(["checkout", ...production, ...pro])
    expect(result).toEqual({ status: 0, out: `${answer} (flags/checkout.yaml:10)\n`, err: "" })
    expect(readdirSync(cwd, { recursive: true })).toEqual(before)
  })
  test.each([
    ["of a flag", "flags/checkout.yaml", 1],
    ["of the project file, without which there are no flags", "flags/project.yaml", 2],
  ])("a mistake %s is printed: nothing is evaluated", async (_, file, status) => {
    write(file, "environments: [\n")
    const result = await evaluate(["dark", ...production])
    expect(result).toMatchObject({ status, out: "", err: expect.stringContaining("nothing was evaluated") })
    expect(result.err).toContain(`${file}:`)
  })
  test("an attribute that the project does not list is named once, on stderr", async () => {
    const before = readFileSync(join(cwd, "flags/project.yaml"), "utf8")
    onTestFinished(() => write("flags/project.yaml", before))
    write("flags/project.yaml", `${before}attributes: { plan: {}, country: {}, email: {}, userId: {} }\n`)
    const stdin = '{"pln":"pro","other":1}\n{"pln":"team"}\n'
    const { status, err } = await evaluate(["checkout", ...production, "--context", "-"], { stdin })
    expect({ status, err }).toEqual({ status: 0, err: "unknown attribute `pln`; did you mean `plan`?\n" })
  })

  test("--explain gives a reason for each rule", async () => {
    const { out } = await evaluate(["checkout", ...production, "--context", '{"plan":"free"}', "--explain"])
    expect(out.split("\n").slice(1)).toEqual([
      "  rule 1 matches: `plan` is `free` (flags/checkout.yaml:6)",
      "  rule 2 is not reached; it would not match: `plan` is `free`, which is not one of `pro` and `team` (flags/checkout.yaml:10)",
      "",
    ])
  })
  test.each([
    ["u", "rule 2, arm 2", "61.5196` %, within `34` to `67` %"],
    ["v", "rule 2, arm 1", "32.8233` %, below `34` %"],
    ["x", "rule 2, arm 3", "84.2931` %, within `67` to `100` %"],
  ])("the arm of a split that %s has is named with its own share", async (userId, rule, share) => {
    const pro =
      "all: [{ attribute: plan, operator: equals, value: pro }, { share: { by: userId, to: 50 } }], returnValue: c"
    const arms = [34, 33, 33].map((percent, arm) => `{ share: ${percent}, returnValue: "${arm}" }`).join(", ")
    write(
      "flags/price.yaml",
      `type: string\ndefaultValue: a\nenvironments: { production: { enabled: true, rules: [{ ${pro} }, { split: { by: userId, into: [${arms}] } }] } }\n`,
    )
    const { out } = await evaluate(["price", ...production, "--context", JSON.stringify({ userId })])
    expect(out).toContain(`because of ${rule}: `)
    expect(out).toContain(`falls at \`${share}`)
  })
  test("a split is one rule: a rule after it has the number that its author counts", async () => {
    const split =
      "{ split: { by: userId, into: [{ share: 1, returnValue: b }, { share: 1, returnValue: c }] } }"
    const german = "{ attribute: country, operator: equals, value: DE, returnValue: d }"
    const ramp =
      "{ ramp: { by: userId, stages: [{ at: 2026-01-01T00:00:00Z, share: 5 }, { at: 2027-01-01T00:00:00Z, share: 9 }] }, returnValue: e }"
    write("flags/project.yaml", "project: shop\nenvironments: [production]\nclock: now\n")
    write(
      "flags/price.yaml",
      `type: string\ndefaultValue: a\nenvironments: { production: { enabled: true, rules: [${split}, ${german}, ${ramp}] } }\n`,
    )
    const context = ["--context", '{"country":"DE","userId":"u","now":"2026-02-01T00:00:00Z"}', "--explain"]
    const { out, err } = await evaluate(["price", ...context])
    expect(err).toBe("")
    expect(out).toContain("because of rule 2: ")
    expect(out.match(/^ {2}(?:the ramp of )?rule [0-9]+(?:, arm [0-9]+)?/gm)).toEqual([
      ...["  the ramp of rule 3", "  rule 1, arm 1", "  rule 1, arm 2", "  rule 2", "  rule 3"],
    ])
    const { rule, ramps, rules } = JSON.parse((await evaluate(["price", ...context, "--format", "json"])).out)
    expect([rule.number, ramps[0].rule]).toEqual([2, 3])
    expect(rules).toMatchObject([{ number: 1, arm: 1 }, { number: 1, arm: 2 }, { number: 2 }, { number: 3 }])
    const none = ["--context", '{"now":"2026-02-01T00:00:00Z"}']
    expect((await evaluate(["price", ...none])).out).toContain("none of its 3 rules matches")
  })
  test("--explain gives a reason for each condition of a group, with its place", async () => {
    write("flags/groups.yaml", groups)
    const context = ["--context", '{"country":"DE","plan":"free"}']
    const { out } = await evaluate(["groups", ...production, ...context, "--explain"])
    expect(out.split("\n").slice(1)).toEqual([
      "  rule 1 does not match: `plan` is `free`, not `pro`, and `country` is `DE` (flags/groups.yaml:6)",
      "    condition 1 of `all` matches: `country` is `DE` (flags/groups.yaml:9)",
      "    condition 2 of `all` does not match: `plan` is `free`, not `pro`, and `country` is `DE` (flags/groups.yaml:12)",
      "      condition 1 of `any` does not match: `plan` is `free`, not `pro` (flags/groups.yaml:13)",
      "      condition 2 of `any` does not match: `country` is `DE` (flags/groups.yaml:14)",
      "        condition 1 of `none` matches: `country` is `DE` (flags/groups.yaml:9)",
      "",
    ])
    const json = await evaluate(["groups", ...production, ...context, "--explain", "--format", "json"])
    expect(JSON.parse(json.out).rules[0].conditions).toMatchObject([
      { number: 1, matches: true, file: "flags/groups.yaml", line: 9 },
      {
        number: 2,
        matches: false,
        line: 12,
        conditions: [{ line: 13 }, { line: 14, conditions: [{ line: 9 }] }],
      },
    ])
  })
  test("--explain shows what another flag gives, or that it cannot be known", async () => {
    const flag = (rule: string, type = "") =>
      `${type}defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ ${rule} }] } }\n`
    write("flags/a.yaml", flag("attribute: plan, operator: equals, value: pro, returnValue: true"))
    write(
      "flags/json.yaml",
      flag("attribute: plan, operator: equals, value: pro, returnValue: true", "type: json\n"),
    )
    write("flags/own.yaml", flag("attribute: plan, operator: fullMoon, value: pro, returnValue: true"))
    const why = async (use: string, plan: string) => {
      write("flags/b.yaml", flag(`${use}, returnValue: true`))
      const { out } = await evaluate(["b", ...production, "--context", `{"plan":"${plan}"}`, "--explain"])
      return out.split("\n")[1]?.replace(/ \(.*/, "")
    }
    expect(await why("flag: a", "pro")).toBe("  rule 1 matches: the flag `a` gives `true`")
    expect(await why("flag: a", "free")).toBe(
      "  rule 1 does not match: the flag `a` gives `false`, not `true`",
    )
    expect(await why("all: [{ operator: always }, { any: [{ flag: a }] }]", "free")).toBe(
      "  rule 1 does not match: the flag `a` gives `false`, not `true`",
    )
    expect(await why("flag: json, is: true", "free")).toBe(
      "  rule 1 does not match: the flag `json` does not give `true`",
    )
    expect(await why("flag: own", "free")).toBe(
      "  rule 1 cannot be evaluated: whether the flag `own` gives `true` depends on an operator that only the project's SDKs support",
    )
  })
  test("--all evaluates every flag", async () => {
    const { out } = await evaluate(["--all", ...production])
    expect(out).toBe(
      "`checkout` is `false` in `production`: none of its 2 rules matches, so the default applies\n" +
        "`dark` is `false` in `production`: it is disabled there, so everyone gets the default\n",
    )
  })
  test("a flag that the environment lacks", async () => {
    const { out } = await evaluate(["dark", "--environment", "staging"])
    expect(out).toContain("it is not configured there")
  })
  test("JSON has the value whole, the rule and its place", async () => {
    const { out } = await evaluate(["checkout", ...production, ...pro, "--format", "json", "--explain"])
    expect(JSON.parse(out)).toMatchObject({
      key: "checkout",
      environment: "production",
      value: true,
      cause: "rule",
      rule: { number: 2, file: "flags/checkout.yaml", line: 10 },
      sentence: answer,
      rules: [
        { number: 1, matches: false, isReached: true },
        { number: 2, matches: true, isReached: true },
      ],
    })
  })
  test("the project's own operator is a finding: the value is not known here", async () => {
    write("flags/moon.yaml", checkout.replace("equals", "fullMoon"))
    const { status, out } = await evaluate(["moon", ...production, ...pro])
    expect(status).toBe(1)
    expect(out).toContain(
      "it depends on rule 1, whose operator `fullMoon` is supported only by the project's SDKs",
    )
    const json = JSON.parse((await evaluate(["moon", ...production, ...pro, "--format", "json"])).out)
    expect(json).toMatchObject({ cause: "unknownOperator", rule: { number: 1 } })
    expect(json).not.toHaveProperty("value")
  })
})

describe("contexts", () => {
  test("lines of stdin are answered one by one, skipping blank ones, up to one that is not JSON", async () => {
    const stdin = '{"plan":"pro"}\r\n\n{"plan":"\u2028"}\n{"plan":"free"\n'
    const { status, out, err } = await evaluate(["checkout", ...production, "--context", "-"], { stdin })
    expect(out.split("\n").map((line) => line.slice(0, 25))).toEqual([
      "1: `checkout` is `true` i",
      "3: `checkout` is `false` ",
      "",
    ])
    expect({ status, err }).toEqual({
      status: 2,
      err: "flagstone: stdin, line 4: not JSON: Expected ',' or '}' after property value in JSON at position 14 (line 1 column 15)\n",
    })
  })
  test("stdin without end is given up, without a word, when the output's reader stops", () => {
    const program = join(import.meta.dirname, "../../../cli/flagstone.js")
    const line = `yes '{"plan":"pro"}' | ${process.execPath} ${program} evaluate checkout ${production.join(" ")} --context -`
    const { stdout, stderr, status } = spawnSync(
      "bash",
      ["-c", `(${line}; echo "status $?" >&2) | head -n 1`],
      {
        cwd,
        encoding: "utf8",
        timeout: 30_000,
      },
    )
    expect({ stdout, stderr, status }).toEqual({
      stdout: `1: ${answer} (flags/checkout.yaml:10)\n`,
      stderr: "status 0\n",
      status: 0,
    })
  }, 40_000)
  test("a file, which may have several lines", async () => {
    write("pro.json", '{\n  "plan": "pro"\n}\n')
    const { out } = await evaluate(["checkout", ...production, "--context", "@pro.json"])
    expect(out).toContain(answer)
  })
  test.each([
    ["{x}", "--context: not JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)"],
    ["[1]", '--context: a context must be a JSON object, such as {"plan":"pro"}'],
    [
      "@bad.json",
      "bad.json: not JSON: Expected double-quoted property name in JSON at position 11 (line 2 column 3)",
    ],
    ["@none.json", "--context: cannot read none.json: ENOENT"],
  ])("%s", async (context, message) => {
    write("bad.json", '{"a": 1,\n  }\n')
    const result = await evaluate(["checkout", ...production, "--context", context])
    expect(result).toEqual({ status: 2, out: "", err: `flagstone: ${message}\n` })
  })
})

test.each([
  [["chekout", ...production], "no flag `chekout`; did you mean `checkout`?"],
  [["checkout", "--environment", "prod"], "no environment `prod`; did you mean `production`?"],
  [["checkout"], "name the environment with --environment, one of `staging` and `production`"],
  [production, "name a flag, or evaluate every flag with --all"],
  [["checkout", "--all", ...production], "give either keys of flags or --all"],
  [["dark", "chekout", ...production], "no flag `chekout`; did you mean `checkout`?"],
  [["dark", "checkout", "--history", ...production], "--history is of one flag at a time"],
])("%o cannot be done", async (args, message) => {
  expect(await evaluate(args)).toEqual({ status: 2, out: "", err: `flagstone: ${message}\n` })
})

test("several flags are evaluated in the order in which they are named, each once", async () => {
  const { out } = await evaluate(["dark", "checkout", "dark", ...production, "--format", "json"])
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).key),
  ).toEqual(["dark", "checkout"])
})

test("a line that never ends is refused as soon as it is too long", async () => {
  let sent = 0
  async function* endless() {
    for (; sent < 20; sent++) yield Buffer.alloc(1024 * 1024, "x")
  }
  const lines = readContextLines(endless(), "stdin")
  await expect(lines.next()).rejects.toThrow("stdin, line 1: a context may have at most 16777216 bytes")
  expect(sent).toBe(16)
})
