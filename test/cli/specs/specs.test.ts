// @module-tag system
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { runTest, type TestOptions } from "../../../cli/commands/test.ts"
import { openRepository } from "../../repository.ts"
import { type TestHost, testHost } from "../../test-host.ts"

const project = "project: shop\nenvironments: [staging, production]\n"
const flag = `defaultValue: false
environments:
  staging: { enabled: false }
  production:
    enabled: true
    rules:
      - { attribute: country, operator: equals, value: DE, returnValue: true }
      - { attribute: since, operator: before, value: "2026-01-01", returnValue: true }
      - { attribute: customerId, operator: percentage, value: "20", returnValue: true }
`

function folderWith(files: Readonly<Record<string, string>>): string {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-specs-"))
  for (const [path, text] of Object.entries({ "flags/project.yaml": project, ...files })) {
    mkdirSync(dirname(join(cwd, path)), { recursive: true })
    writeFileSync(join(cwd, path), text)
  }
  return cwd
}

async function runIn(
  cwd: string,
  options: Partial<TestOptions> = {},
): Promise<TestHost & { status: number }> {
  const host = testHost({ cwd })
  const status = await runTest({ flags: "flags", format: "text", ...options }, host)
  return Object.assign(host, { status })
}

describe("--coverage", () => {
  test("names the rules and outcomes that no case covers, each with its line and a context", async () => {
    const cwd = folderWith({
      "flags/pay.yaml": flag,
      "flags/pay.spec.yaml": `flag: pay
cases:
  - { environment: production, context: { country: DE }, expect: true }
  - { environment: staging, expect: false }
`,
    })
    const { out, status } = await runIn(cwd, { coverage: true })
    expect(out()).toBe(
      [
        "40 % of 5 outcomes covered",
        "",
        'flags/pay.yaml:8: `pay`, rule 2 in `production` is not covered; try the context `{"since":"2025-12-31T00:00:00.000Z"}`',
        'flags/pay.yaml:9: `pay`, rule 3 in `production` is not covered; try the context `{"customerId":"1"}`',
        "flags/pay.yaml:4: `pay`, default in `production` is not covered; try the context `{}`",
        "",
      ].join("\n"),
    )
    expect(status).toBe(0)
  })

  test("does not count what no context can reach", async () => {
    const cwd = folderWith({
      "flags/on.yaml":
        "defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ operator: always, returnValue: true }] }\n",
      "flags/on.spec.yaml":
        "flag: on\ncases:\n  - { expect: { cause: unconfigured }, environment: staging }\n  - { expect: true, environment: production }\n",
    })
    const { out } = await runIn(cwd, { coverage: true })
    expect(out()).toBe("100 % of 2 outcomes covered\n")
  })

  test("counts flags without a spec, and --min-coverage fails below its percentage", async () => {
    const cwd = folderWith({ "flags/pay.yaml": flag })
    const { err, status } = await runIn(cwd, { minCoverage: 100 })
    expect(status).toBe(1)
    expect(err()).toContain("coverage is 0 %; --min-coverage requires 100 %")
    expect((await runIn(cwd, { minCoverage: 0 })).status).toBe(0)
  })

  test("--min-coverage is met exactly, or not at all", async () => {
    const cwd = folderWith({
      "flags/pay.yaml":
        "defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ attribute: a, operator: exists, returnValue: true }] }\n",
      "flags/pay.spec.yaml":
        "flag: pay\ncases:\n  - { environment: production, context: { a: b }, expect: true }\n  - { environment: production, expect: false }\n",
    })
    const { err, status } = await runIn(cwd, { minCoverage: 66.7 })
    expect(err()).toContain("coverage is 66.6667 %; --min-coverage requires 66.7 %")
    expect(status).toBe(1)
    expect((await runIn(cwd, { minCoverage: 66.6 })).status).toBe(0)
  })
})

describe("named files", () => {
  const expects = (key: string, value: boolean) =>
    `flag: ${key}\ncases:\n  - { environment: staging, expect: ${value} }\n`
  const files = {
    "flags/pay.yaml": flag,
    "flags/gift.yaml": flag,
    "flags/card.yaml": flag,
    "flags/pay.spec.yaml": expects("pay", false),
    "flags/more.spec.yaml": expects("pay", false),
    "flags/gift.spec.yaml": expects("gift", false),
    "flags/card.spec.yaml": expects("card", false),
  }

  test("only these specs run, and only their flags are covered", async () => {
    const cwd = folderWith(files)
    const named = await runIn(cwd, {
      files: ["flags/more.spec.yaml", "flags/gift.spec.yaml"],
      coverage: true,
    })
    expect(named.err()).toBe("2 cases of 2 specs passed\n")
    expect(named.out()).toContain("20 % of 10 outcomes covered\n")
    expect(named.out()).not.toContain("card")
    expect((await runIn(cwd, { files: [] })).err()).toBe("4 cases of 4 specs passed\n")
  })

  test.each([["flags/gone.spec.yaml"], ["flags/pay.yaml"]])("%s is no spec file", async (file) => {
    const cwd = folderWith(files)
    await expect(runIn(cwd, { files: ["flags/pay.spec.yaml", file] })).rejects.toThrow(
      `no spec file \`${file}\``,
    )
  })

  test("outcomes are in the order of their flags, then of the environments", async () => {
    const off = "defaultValue: false\n"
    const cwd = folderWith({ "flags/z/b.yaml": off, "flags/c.yaml": off, "flags/a.yaml": off })
    const { out } = await runIn(cwd, { format: "json", coverage: true })
    const { coverage } = JSON.parse(out())
    expect(coverage.percent).toBe(0)
    expect(
      coverage.outcomes.map(({ flag, environment }: Record<string, string>) => `${flag} ${environment}`),
    ).toEqual(["a", "b", "c"].flatMap((key) => [`${key} staging`, `${key} production`]))
    expect(coverage.outcomes[2]).toEqual({
      flag: "b",
      environment: "staging",
      outcome: "unconfigured",
      file: "flags/z/b.yaml",
      line: 1,
      hits: 0,
      witness: {},
    })
  })
})

describe("--suggest", () => {
  /** The printed cases as new specs, beside those that exist. */
  async function writeSuggested(cwd: string): Promise<string> {
    const { out } = await runIn(cwd, { suggest: true })
    for (const [at, text] of out()
      .split(/^(?=# )/m)
      .entries())
      writeFileSync(join(cwd, `flags/suggested-${at}.spec.yaml`), text)
    return out()
  }

  test("prints a case for each outcome without one; they pass and cover everything", async () => {
    const spec = "flag: gift\ncases: [{ environment: staging, expect: false }]\n"
    const cwd = folderWith({
      "flags/team/pay.yaml": flag,
      "flags/gift.yaml": flag,
      "flags/of-gifts.spec.yaml": spec,
    })
    expect(await writeSuggested(cwd)).toBe(
      [
        ["gift", "of-gifts"],
        ["pay", "team/pay"],
      ]
        .map(
          ([key, path]) => `# flags/${path}.spec.yaml
flag: ${key}
cases:
${key === "gift" ? "" : "  - { environment: staging, context: {}, expect: false }\n"}\
  - { environment: production, context: { country: DE }, expect: true }
  - { environment: production, context: { since: "2025-12-31T00:00:00.000Z" }, expect: true }
  - { environment: production, context: { customerId: "1" }, expect: true }
  - { environment: production, context: {}, expect: false }
`,
        )
        .join(""),
    )
    expect(readFileSync(join(cwd, "flags/of-gifts.spec.yaml"), "utf8")).toBe(spec)
    expect(await runIn(cwd, { minCoverage: 100 })).toHaveProperty("status", 0)
    expect((await runIn(cwd, { suggest: true })).out()).toBe("")
  })

  test("prints cases that it can read, whatever attributes and values are called", async () => {
    const texts = ["two\nlines", "<<", "a\tb", "a\u0085b", "yes", "# no", "{"]
    const rules = texts.map((odd) => {
      const [attribute, value] = [odd, odd].map((one) => JSON.stringify(one))
      return `      - { attribute: ${attribute}, operator: equals, value: ${value}, returnValue: ${value} }\n`
    })
    const odd = `type: string\ndefaultValue: none\nenvironments:\n  production:\n    enabled: true\n    rules:\n${rules.join("")}`
    const cwd = folderWith({ "flags/odd.yaml": odd })
    await writeSuggested(cwd)
    const { err, status } = await runIn(cwd, { minCoverage: 100 })
    expect(err()).toBe("9 cases of 1 spec passed\n")
    expect(status).toBe(0)
  })

  test("prints nothing but cases: failures and mistakes are on stderr", async () => {
    const cwd = folderWith({
      "flags/pay.yaml": flag,
      "flags/pay.spec.yaml": "flag: pay\ncases: [{ environment: production, expect: true }]\n",
    })
    const failing = await runIn(cwd, { suggest: true })
    expect(failing.status).toBe(1)
    expect(failing.err()).toContain("error failed-case")
    expect(failing.out()).toMatch(/^# flags\/pay\.spec\.yaml\n(.*\n){2}( {2}- .*\n){4}$/)
    writeFileSync(join(cwd, "flags/pay.spec.yaml"), "flag: pay\ncases: [{ expects: true }]\n")
    const { out, err, status } = await runIn(cwd, { suggest: true })
    expect({ status, out: out() }).toEqual({ status: 1, out: "" })
    expect(err()).toContain("no cases are printed while specs have errors\n")
  })

  test("prints a value that looks like a long form in the long form, and any other as it is", async () => {
    const values = [
      `{ value: 1 }`,
      `{ cause: x, rule: 2 }`,
      `{ value: 1, more: 2 }`,
      "{}",
      "[value]",
      "text",
      "null",
    ]
    const rules = values.map(
      (value, at) => `      - { attribute: a, operator: equals, value: "${at}", returnValue: ${value} }\n`,
    )
    const json = `type: json\ndefaultValue: 1\nenvironments:\n  production:\n    enabled: true\n    rules:\n${rules.join("")}`
    const cwd = folderWith({ "flags/json.yaml": json })
    const text = await writeSuggested(cwd)
    expect([...text.matchAll(/production.*expect: (.*) \}$/gm)].map(([, written]) => written)).toEqual([
      "{ value: { value: 1 } }",
      "{ value: { cause: x, rule: 2 } }",
      "{ value: 1, more: 2 }",
      "{}",
      "[value]",
      "text",
      "null",
      "1",
    ])
    expect(await runIn(cwd, { minCoverage: 100 })).toHaveProperty("status", 0)
  })

  test("prints cases of the flags that are named, and only of flags that exist", async () => {
    const cwd = folderWith({ "flags/one.yaml": flag, "flags/pay.yaml": flag, "flags/two.yaml": flag })
    const { out } = await runIn(cwd, { suggest: ["one", "two"] })
    expect(out().match(/\S+\.spec\.yaml/g)).toEqual(["flags/one.spec.yaml", "flags/two.spec.yaml"])
    for (const suggest of [["pya"], ["pay", "pya"]])
      await expect(runIn(cwd, { suggest })).rejects.toThrow("no flag `pya`; did you mean `pay`?")
  })
})

test("--changed runs the specs of flags that changed, and counts only their coverage", async () => {
  const spec = (key: string) => `flag: ${key}\ncases:\n  - { environment: staging, expect: false }\n`
  const cwd = folderWith({
    "flags/one.yaml": flag,
    "flags/two.yaml": flag,
    "flags/three.yaml": flag,
    "flags/one.spec.yaml": spec("one"),
    "flags/two.spec.yaml": spec("two"),
    "flags/three.spec.yaml": spec("three"),
  })
  const repository = openRepository(cwd)
  repository.git("init", "-q", "-b", "main")
  repository.commit(0)
  repository.git("switch", "-q", "-c", "change")
  writeFileSync(join(cwd, "flags/one.yaml"), flag.replace("DE", "FR"))
  repository.commit(1)
  writeFileSync(join(cwd, "flags/two.spec.yaml"), `# changed\n${spec("two")}`)
  writeFileSync(join(cwd, "flags/four.yaml"), flag)
  const { err, out } = await runIn(cwd, { changed: "main...", coverage: true })
  expect(err()).toBe("2 cases of 2 specs passed\n")
  expect(out()).toContain("flags/four.yaml")
  expect(out()).not.toContain("flags/three.yaml")
  // The checked-out commit may be named.
  for (const changed of ["main", "main...HEAD", "main..change"])
    expect((await runIn(cwd, { changed })).err()).toBe("2 cases of 2 specs passed\n")
  for (const changed of ["change..main", "main...main"])
    await expect(runIn(cwd, { changed })).rejects.toThrow(
      /^--changed: `main` is not checked out, and specs run on the work tree: write `(change\.\.|main\.\.\.)`, or check out `main`$/,
    )
  // A flag changes with what it uses: a segment, the list of that, and another flag.
  writeFileSync(
    join(cwd, "flags/german.segment.yaml"),
    "{ attribute: country, operator: equals, value: DE }\n",
  )
  const staff =
    "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ segment: german, returnValue: true }] } }\n"
  writeFileSync(join(cwd, "flags/three.yaml"), staff)
  repository.commit(2)
  expect((await runIn(cwd, { changed: "HEAD" })).err()).toBe("0 cases of 0 specs passed\n")
  writeFileSync(
    join(cwd, "flags/german.segment.yaml"),
    "{ attribute: country, operator: equals, value: AT }\n",
  )
  expect((await runIn(cwd, { changed: "HEAD", coverage: true })).out()).toContain("flags/three.yaml")
  expect((await runIn(cwd, { changed: "HEAD" })).err()).toBe("1 case of 1 spec passed\n")
  const listed = "{ attribute: country, operator: in, value: { file: list.txt } }\n"
  writeFileSync(join(cwd, "flags/german.segment.yaml"), listed)
  writeFileSync(join(cwd, "flags/list.txt"), "DE\n")
  const depends = staff.replace("segment: german", "flag: three")
  writeFileSync(join(cwd, "flags/two.yaml"), depends)
  repository.commit(3)
  writeFileSync(join(cwd, "flags/list.txt"), "AT\n")
  expect((await runIn(cwd, { changed: "HEAD" })).err()).toBe("2 cases of 2 specs passed\n")
  writeFileSync(join(cwd, "flags/project.yaml"), `${project}# changed\n`)
  expect((await runIn(cwd, { changed: "main..." })).err()).toBe("3 cases of 3 specs passed\n")
  writeFileSync(join(cwd, ".git/index"), "broken")
  await expect(runIn(cwd, { changed: "main" })).rejects.toThrow(/^git diff failed: .*\S$/s)
})

describe("a case of a flag that is switched off", () => {
  const checkout = `defaultValue: false
environments:
  staging: { enabled: true, rules: [{ operator: always, returnValue: true }] }
  production: { enabled: false, rules: [{ operator: always, returnValue: true }] }
`
  const files = {
    "flags/checkout.yaml": checkout,
    "flags/checkout.spec.yaml": `flag: checkout
cases:
  - { environment: production, expect: true }
  - { environment: production, share: { by: id, of: 10, value: true, is: 100 } }
  - { environment: production, expect: { cause: disabled } }
  - { environment: staging, expect: true }
`,
  }
  const line = "`checkout` is disabled in `production`: 2 cases not run\n"

  test("is not run, which every format says, because an emergency must not wait for a spec", async () => {
    const cwd = folderWith(files)
    const text = await runIn(cwd)
    expect(text.err()).toBe(`${line}4 cases of 1 spec: 2 passed, 2 not run\n`)
    expect(text.out()).toBe("")
    expect(text.status).toBe(0)
    const github = await runIn(cwd, { format: "github" })
    expect([github.out(), github.err().startsWith(line), github.status]).toEqual(["", true, 0])
    const json = JSON.parse((await runIn(cwd, { format: "json" })).out())
    expect(json.cases.map(({ passed, message }: Record<string, unknown>) => [passed, message])).toEqual([
      [null, "Not run: `checkout` is disabled in `production`."],
      [null, "Not run: `checkout` is disabled in `production`."],
      [true, undefined],
      [true, undefined],
    ])
    const junit = (await runIn(cwd, { format: "junit" })).out()
    expect(junit).toContain(
      '<testcase classname="flags/checkout.spec.yaml" name="checkout in production, line 3" line="3"><skipped message="Not run: `checkout` is disabled in `production`."/></testcase>',
    )
    expect(junit).toContain('tests="4" failures="0" errors="0" skipped="2">')
  })

  test("is not run if another flag that its rules ask for is off, however far away", async () => {
    const asks = (key: string) =>
      `defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ any: [{ flag: ${key} }], returnValue: true }] }\n`
    const cwd = folderWith({
      ...files,
      "flags/gifts.yaml": asks("checkout"),
      "flags/cards.yaml": asks("gifts"),
      "flags/cards.spec.yaml": "flag: cards\ncases:\n  - { environment: production, expect: true }\n",
    })
    const { err, status } = await runIn(cwd)
    expect(err()).toBe(
      "`checkout` is disabled in `production`: 3 cases not run\n5 cases of 2 specs: 2 passed, 3 not run\n",
    )
    expect(status).toBe(0)
  })

  test("fails where the flag is on, or where it expects what only a switched-off flag gives", async () => {
    const cwd = folderWith({
      ...files,
      "flags/checkout.spec.yaml":
        "flag: checkout\ncases:\n  - { environment: staging, expect: { cause: disabled } }\n",
    })
    expect(await runIn(cwd)).toHaveProperty("status", 1)
  })
})

test("a flag that a rule asks for in another environment does not keep a case from running", async () => {
  const off =
    "defaultValue: false\nenvironments: { staging: { enabled: false }, production: { enabled: true } }\n"
  const asks =
    "defaultValue: false\nenvironments:\n  staging: { enabled: true, rules: [{ flag: off, returnValue: true }] }\n  production: { enabled: true, rules: [] }\n"
  const cwd = folderWith({
    "flags/off.yaml": off.replace("production: { enabled: true }", "production: { enabled: false }"),
    "flags/asks.yaml": asks,
    "flags/asks.spec.yaml": "flag: asks\ncases:\n  - { expect: true }\n",
  })
  const { err, status } = await runIn(cwd)
  expect(err()).toContain("2 cases of 1 spec: 1 failed, 0 passed, 1 not run\n")
  expect(status).toBe(1)
})

test.each([
  ["50", undefined],
  ["49.9 ± 0.1", undefined],
  ["51 ± 0.9", "Expected 51 ± 0.9 % of 10 contexts by `a` to get `true`, but 50 % do"],
  ["49.99", "Expected 49.99 % of 10 contexts by `a` to get `true`, but 50 % do"],
  ["100.1", "Write a percentage and its tolerance, such as `10 ± 1`."],
])("a share of %s is met, or not: %s", async (is, message) => {
  const half = '["1", "3", "5", "7", "9", "11"]'
  const cwd = folderWith({
    "flags/odd.yaml": `defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ attribute: a, operator: in, value: ${half}, returnValue: true }] }\n`,
    "flags/odd.spec.yaml": `flag: odd\ncases:\n  - { environment: production, share: { by: a, of: 10, value: true, is: ${is} } }\n`,
  })
  const { out, err, status } = await runIn(cwd)
  expect(status).toBe(message === undefined ? 0 : 1)
  expect(`${out()}${err()}`).toContain(message ?? "1 case of 1 spec passed")
})

test.each([
  ["the most ids", "share: { by: id, of: 100000, value: false, is: 100 }", undefined],
  [
    "one more id",
    "share: { by: id, of: 100001, value: false, is: 100 }",
    "`of` must be a whole number from 1",
  ],
  ["no id", "share: { by: id, of: 0, value: false, is: 100 }", "`of` must be a whole number from 1"],
  ["half an id", "share: { by: id, of: 1.5, value: false, is: 100 }", "`of` must be a whole number from 1"],
  [
    "the most combinations",
    `matrix: { a: [${"1,".repeat(150)}], b: [${"1,".repeat(200)}] }, expect: false`,
    undefined,
  ],
  [
    "more combinations",
    `matrix: { a: [${"1,".repeat(150)}], b: [${"1,".repeat(201)}] }, expect: false`,
    "A spec may have at most 30000 combinations",
  ],
])("%s", async (_, written, message) => {
  const cwd = folderWith({
    "flags/off.yaml": "defaultValue: false\nenvironments: { production: { enabled: true } }\n",
    "flags/off.spec.yaml": `flag: off\ncases:\n  - { environment: production, ${written} }\n`,
  })
  const { err, status } = await runIn(cwd)
  expect(status).toBe(message === undefined ? 0 : 1)
  expect(err()).toContain(message ?? "1 case of 1 spec passed")
})

test.each([
  ["objects", { a: "x".repeat(130), max: 10 }, { max: 12, a: "x".repeat(130) }, "`max` `10` → `12`"],
  ["texts", `${"x".repeat(130)} 1`, `${"x".repeat(130)} 2`, '→ `…xxxxxxxxxxxxxxxxxxx 2"`'],
])("a failed case says where two long %s differ, which are cut short", async (_, value, expect_, said) => {
  const cwd = folderWith({
    "flags/pay.yaml": JSON.stringify({
      ...{ type: typeof value === "string" ? "string" : "json", defaultValue: value },
      environments: { production: { enabled: true } },
    }),
    "flags/pay.spec.yaml": JSON.stringify({
      flag: "pay",
      cases: [{ environment: "production", expect: expect_ }],
    }),
  })
  expect((await runIn(cwd)).out()).toContain(said)
})

test("json and junit list every case, passed or failed", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-specs-"))
  cpSync(join(import.meta.dirname, "../../golden/failed-case/flags"), join(cwd, "flags"), { recursive: true })
  const json = JSON.parse((await runIn(cwd, { format: "json" })).out())
  expect(json.cases).toHaveLength(15)
  expect(json.cases.filter(({ passed }: { passed: boolean | null }) => passed === false)).toHaveLength(6)
  expect(json.cases[8]).toEqual({
    file: "flags/express-pay.spec.yaml",
    line: 9,
    flag: "express-pay",
    environment: "production",
    name: "line 9",
    contexts: 1,
    passed: false,
    message:
      'Expected `false`, but `express-pay` is `true` in `production`, because of rule 1: `country` is `DE`, which is one of `DE` and `FR`. Context: {"country":"DE"}',
  })
  await expect((await runIn(cwd, { format: "junit" })).out()).toMatchFileSnapshot("junit.xml")
})

test.each(["specs"])("json, junit and github list the mistakes in %s, too", async (kind) => {
  const cwd = folderWith(
    kind === "specs"
      ? { "flags/pay.yaml": flag, "flags/pay.spec.yaml": 'flag: "pya<"\ncases: []\n' }
      : { "flags/pay.yaml": "defaultValue: false\nenvironments: { nowhere<: { enabled: true } }\n" },
  )
  const json = await runIn(cwd, { format: "json" })
  const [first] = JSON.parse(json.out()).mistakes
  expect(first).toMatchObject({ severity: "error", line: kind === "specs" ? 1 : 2 })
  expect(json.status).toBe(1)
  const { file, line, code } = first
  const junit = (await runIn(cwd, { format: "junit" })).out()
  expect(junit).toMatch(/^<testsuites name="flagstone test" tests="1" failures="0" errors="1">$/m)
  expect(junit).toContain(`<testcase classname="${file}" name="${code} at ${line}:`)
  expect(junit).toContain("&lt;")
  const github = await runIn(cwd, { format: "github" })
  expect(github.out()).toMatch(new RegExp(`^::error file=${file},line=${line},.*title=${code}::`))
  expect(github.err()).not.toContain(code)
})

test("ignored files and files that systems leave are not specs; a link is a mistake, because nothing shows what it contains", async () => {
  const cwd = folderWith({
    "flags/project.yaml": `${project}ignore: [old/**]\n`,
    "flags/pay.yaml": flag,
    "flags/old/gone.spec.yaml": "flag: gone\ncases: []\n",
    "flags/._pay.spec.yaml": "\u0000\u0005",
    "elsewhere.yaml": "flag: pay\ncases: [{ environment: staging, expect: true }]\n",
  })
  expect(await runIn(cwd)).toHaveProperty("status", 0)
  symlinkSync("../elsewhere.yaml", join(cwd, "flags/pay.spec.yaml"))
  const { err, status } = await runIn(cwd)
  expect(err()).toContain("flags/pay.spec.yaml:1:1 error bad-spec\n  Not a regular file")
  expect(status).toBe(1)
})

test("the shares of a spec have a common bound, which is checked before anything is evaluated", async () => {
  const rules = Array.from(
    { length: 300 },
    (_, at) =>
      `      - { all: [{ attribute: b, operator: notEquals, value: "${at}" }, { attribute: id, operator: percentage, value: "0.${100 + at}" }], returnValue: true }`,
  )
  const large = `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n${rules.join("\n")}\n`
  const share = "  - { environment: production, share: { by: id, of: 50000, value: true, is: 1 ± 100 } }\n"
  const host = await runIn(
    folderWith({ "flags/x.yaml": large, "flags/x.spec.yaml": `flag: x\ncases:\n${share.repeat(200)}` }),
  )
  expect(host.status).toBe(1)
  expect(host.err()).toMatch(
    "flags/x.spec.yaml:4:53 error bad-spec\n  The shares of a spec may take at most 50000000 comparisons, one per id and comparison in the flag's rules, but up to here they take 60100000.",
  )
  expect(host.err().match(/bad-spec/g)).toHaveLength(1)
})

test("a failed case names the arm's own share, as `evaluate` does", async () => {
  const arms = [34, 33, 33].map((share, at) => `{ share: ${share}, returnValue: "${at}" }`).join(", ")
  const cwd = folderWith({
    "flags/price.yaml": `type: string\ndefaultValue: a\nenvironments:\n  production: { enabled: true, rules: [{ split: { by: userId, into: [${arms}] } }] }\n`,
    "flags/price.spec.yaml":
      "flag: price\ncases:\n  - { environment: production, context: { userId: u }, expect: a }\n",
  })
  expect((await runIn(cwd)).out()).toContain("falls at `61.5196` %, within `34` to `67` %")
})

test("a split is one rule, both where specs name rules and where reports do", async () => {
  const german = "{ attribute: country, operator: equals, value: DE, returnValue: d }"
  const split =
    "{ split: { by: userId, seed: s, into: [{ share: 50, returnValue: b }, { share: 50, returnValue: c }] } }"
  const cases = (...expected: readonly string[]) =>
    `flag: price\ncases:\n${expected.map((one) => `  - { environment: production, ${one} }\n`).join("")}`
  const cwd = folderWith({
    "flags/price.yaml": `type: string\ndefaultValue: a\nenvironments:\n  production: { enabled: true, rules: [${split}, ${german}] }\n`,
    "flags/price.spec.yaml": cases("context: { country: DE }, expect: { rule: 2 }"),
  })
  expect((await runIn(cwd, { coverage: true })).out()).toMatch(
    /rule 1, arm 1 in `production`.*\n.*rule 1, arm 2 in `production`.*\n.*default in/,
  )
  const arms = 'matrix: { userId: ["1", "2", "3", "4", "5"] }, expect: { rule: 1 }'
  writeFileSync(join(cwd, "flags/price.spec.yaml"), cases(arms, "expect: { rule: 1 }"))
  expect((await runIn(cwd)).out().match(/none of its 2 rules|Expected/g)).toEqual([
    "Expected",
    "none of its 2 rules",
  ])
  writeFileSync(join(cwd, "flags/price.spec.yaml"), cases("expect: { rule: 3 }"))
  expect((await runIn(cwd)).err()).toContain("`price` has 2 in `production`")
})
