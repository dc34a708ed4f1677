// @module-tag system
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { parse } from "yaml"
import { run } from "../../../cli/program.ts"
import { testHost } from "../../test-host.ts"

let cwd = ""
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "flagstone-import-"))
})

async function flagstone(...args: readonly string[]) {
  const host = testHost({ cwd })
  const status = await run(args, host, "0.0.0")
  return { status, out: host.out(), err: host.err() }
}

const write = (path: string, content: string | Uint8Array) => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), content)
}
const read = (path: string) => readFileSync(join(cwd, path), "utf8")

/** A flag of flagd's that gives everyone its default. */
const constant = { state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "on" }
const flagd = (flags: object) => JSON.stringify({ flags })

describe("what is written", () => {
  test("a project that passes lint and fmt", async () => {
    const targeting = { if: [{ "==": [{ var: "plan" }, "pro"] }, "on", "off"] }
    write("dev.json", flagd({ a: constant }))
    write("prod.json", flagd({ a: { ...constant, targeting } }))
    const args = ["development=dev.json", "production=prod.json"]
    const accepting = ["--accept", "import-context-mistyped"]
    const { status, out } = await flagstone("import", "flagd", ...args, ...accepting)
    expect([status, out.split("\n")[0]]).toEqual([
      0,
      expect.stringMatching(/^flagd: 1 flag, 2 environments, \d+ contexts: /),
    ])
    expect(parse(read("flags/project.yaml"))).toMatchObject({
      environments: ["development", "production"],
      protected: ["production"],
    })
    expect(out).toMatch(
      /^ {2}project\.yaml calls the project \S+ and protects \S+: correct that before you publish$/m,
    )
    expect(await flagstone("lint")).toMatchObject({ status: 0, err: "1 flag checked: no mistakes\n" })
    expect(await flagstone("fmt", "--check")).toMatchObject({ status: 0 })
    const answer = ["evaluate", "a", "--environment", "production", "--format", "json", "--context"]
    expect((await flagstone(...answer, '{"plan":"pro"}')).out).toContain('"value":true')
    expect((await flagstone(...answer, '{"plan":"free"}')).out).toContain('"value":false')
  })

  test("with --attributes, those that rules compare, only in a new project file", async () => {
    const targeting = {
      if: [{ and: [{ "==": [{ var: "plan" }, "pro"] }, { ">": [{ var: "seats" }, 5] }] }, "on", "off"],
    }
    write("a.json", flagd({ a: { ...constant, targeting } }))
    const args = ["import", "flagd", "a.json", "--accept", "import-context-mistyped", "--attributes"]
    expect(await flagstone(...args)).toMatchObject({ status: 0 })
    expect(read("flags/project.yaml")).toMatch(
      /^environments: \[production\]\n# By .*\nprotected: \[production\]\nattributes:\n {2}plan: \{ type: text \} # 1 flag\n {2}seats: \{ type: number \} # 1 flag\n$/m,
    )
    expect(await flagstone("lint")).toMatchObject({ status: 0, err: "1 flag checked: no mistakes\n" })
    expect(await flagstone("fmt", "--check")).toMatchObject({ status: 0 })
    expect(await flagstone(...args)).toMatchObject({
      status: 2,
      err: "flagstone: flags/project.yaml already exists and is not overwritten: import without --attributes, then add what `flagstone attributes` prints\n",
    })
  })

  test("nothing if a flag cannot be expressed, unless it may be skipped", async () => {
    write(
      "a.json",
      flagd({ good: constant, bad: { ...constant, targeting: { if: [{ "+": [1, 2] }, "on"] } } }),
    )
    const refused = await flagstone("import", "flagd", "a.json")
    expect([refused.status, existsSync(join(cwd, "flags"))]).toEqual([1, false])
    expect(refused.err).toMatch(/^Nothing was written, /)
    expect(refused.out).toContain("a.json:1 /flags/bad/targeting/if/0: `bad` in `production`\n")
    const skipped = await flagstone("import", "flagd", "a.json", "--skip")
    expect([skipped.status, readdirSync(join(cwd, "flags")).sort()]).toEqual([
      1,
      ["good.yaml", "project.yaml"],
    ])
  })

  test("nothing if two files are for one environment", async () => {
    write("a.json", flagd({ a: constant }))
    expect(await flagstone("import", "flagd", "a.json", "production=a.json")).toMatchObject({
      status: 2,
      err: "flagstone: the flag a appears twice in production: name the environment of each file, as in development=dev.json production=prod.json\n",
    })
  })

  test("nothing if a file with several environments is for one environment", async () => {
    const states = ["dev", "prod"].map((environment) => ({ featureName: "a", environment, enabled: true }))
    write("a.json", JSON.stringify({ features: [{ name: "a" }], featureEnvironments: states }))
    expect(await flagstone("import", "unleash", "production=a.json")).toMatchObject({
      status: 2,
      err: "flagstone: the flag a appears twice in a.json: if the file has several environments, leave out production=\n",
    })
  })

  test("nothing in a dry run", async () => {
    write("a.json", flagd({ a: constant }))
    const { status, out } = await flagstone("import", "flagd", "a.json", "--dry-run")
    expect([status, out, existsSync(join(cwd, "flags"))]).toEqual([
      0,
      expect.stringContaining("would write 2 files"),
      false,
    ])
  })

  test("a dry run promises nothing if a flag cannot be expressed", async () => {
    const bad = { ...constant, targeting: { if: [{ "+": [1, 2] }, "on"] } }
    write("a.json", flagd({ good: constant, bad }))
    const { status, out, err } = await flagstone("import", "flagd", "a.json", "--dry-run")
    expect([status, err]).toEqual([
      1,
      "Nothing would be written, because some flags cannot be expressed or need an answer. --skip writes the others.\n",
    ])
    expect(out).not.toContain("would write")
    const skipping = await flagstone("import", "flagd", "a.json", "--dry-run", "--skip")
    expect(skipping.out).toContain("would write 2 files")
  })

  test("an environment that the project does not have is asked for", async () => {
    write("a.json", flagd({ a: constant }))
    write("flags/project.yaml", "project: shop\nenvironments: [live]\n")
    const { err } = await flagstone("import", "flagd", "a.json")
    expect(err).toContain(
      "has no environment `production`: add it there, or map it, as in --map production=live",
    )
    expect(await flagstone("import", "flagd", "a.json", "--map", "production=live")).toMatchObject({
      status: 0,
    })
  })

  const rollout = { on: true, offVariation: 1, fallthrough: { variation: 0 }, variations: [true, false] }
  test.each([
    ["flipt", "namespace: team\nflags: []", "flags: [{ key: a, type: BOOLEAN_FLAG_TYPE }]", 1],
    ["flagd", flagd({}), flagd({ a: constant }), 1],
    ["unleash", '{"features":[]}', '{"features":[{"name":"a","strategies":[]}]}', 1],
    ["launchdarkly", '[{"key":"s","included":[]}]', JSON.stringify({ flags: { a: rollout } }), 0],
  ])(
    "an environment of %s for which there are no flags is in the project",
    async (tool, empty, full, said) => {
      write("dev.yaml", empty)
      write("prod.yaml", full)
      const args = ["import", tool, "dev=dev.yaml", "prod=prod.yaml", "--map", "dev=development"]
      const { status, out } = await flagstone(...args)
      expect([status, out.match(/an export without flags/g)?.length ?? 0]).toEqual([0, said])
      expect(parse(read("flags/project.yaml"))).toMatchObject({ environments: ["development", "prod"] })
      expect(await flagstone("lint")).toMatchObject({ status: 0 })
      write("flags/project.yaml", "project: shop\nenvironments: [prod]\n")
      expect(await flagstone(...args)).toMatchObject({
        status: 2,
        err: expect.stringContaining("has no environment `development`: add it there"),
      })
    },
  )

  test("a list of LaunchDarkly is for the environment that the command line names", async () => {
    const { variations, ...production } = rollout
    const flag = {
      key: "a",
      variations: variations.map((value) => ({ value })),
      environments: { production },
    }
    write("a.json", JSON.stringify({ items: [flag] }))
    expect((await flagstone("import", "launchdarkly", "live=a.json")).status).toBe(0)
    expect(parse(read("flags/project.yaml"))).toMatchObject({ environments: ["live"] })
    write("a.json", JSON.stringify({ items: [{ ...flag, environments: { test: production, production } }] }))
    expect(await flagstone("import", "launchdarkly", "live=a.json")).toMatchObject({
      status: 2,
      err: "flagstone: a.json has several environments: leave out live=\n",
    })
  })

  test("--map and --split-by refuse names that the files do not have", async () => {
    write("a.json", flagd({ a: constant }))
    const args = ["import", "flagd", "a.json", "--dry-run"]
    const { status, err } = await flagstone(...args, "--map", "prod=live")
    expect([status, err]).toEqual([
      2,
      "flagstone: --map prod: the files have no such environment, only `production`\n",
    ])
    expect(await flagstone(...args, "--split-by", "evn")).toMatchObject({
      status: 2,
      err: "flagstone: --split-by evn: no rule compares that attribute\n",
    })
  })

  test("no file that is too large to be read", async () => {
    const variants = { on: "x".repeat(2_000_000), off: "y" }
    write("a.json", flagd({ a: { ...constant, variants } }))
    const { out } = await flagstone("import", "flagd", "a.json")
    expect(out).toMatch(
      /import-language: cannot be expressed\n {4}The file is \d+ bytes; a flag file may be at most/,
    )
  })
})

describe("options", () => {
  const project = "project: shop\nenvironments: [production]\n"
  const isPlan = (plan: string) => ({ "===": [{ var: "plan" }, plan] })

  test("--strategy may be repeated, and says what each custom strategy checks", async () => {
    const strategies = [
      { name: "schema", parameters: { names: "x" } },
      { name: "region", parameters: { list: "eu" } },
    ]
    write("a.json", JSON.stringify({ features: [{ name: "a", enabled: true, strategies }] }))
    const [schema, region] = ["schema=in:tenant:names", "region=in:place:list"]
    const args = ["import", "unleash", "a.json", "--strategy", schema ?? ""]
    expect((await flagstone(...args, "--dry-run")).out).toContain("the strategy `region`")
    expect(await flagstone(...args, "--strategy", region ?? "")).toMatchObject({ status: 0 })
    expect(read("flags/a.yaml")).toMatch(
      /attribute: tenant\n.*\n +value: x\n(?:.*\n)*.*attribute: place\n.*\n +value: eu\n/,
    )
  })

  test.each([
    ["--strategy", "schema", "schema: write name=value"],
    ["--strategy", "schema=tenant:names", "tenant:names: write name=in:attribute:parameter"],
    ["--strategy", "schema=in:tenant", "in:tenant: write name=in:attribute:parameter"],
    ["--map", "production", "production: write name=value"],
    ["--map", "production=", "production=: write name=value"],
    ["--map", "production=a,production=b", "production is given twice, as a and as b"],
    ["--rename", "key=id", "--rename key=id: no rule compares key"],
    ["--accept", "import-nothing", "unknown code import-nothing: docs/import.md lists them all"],
    ["--known-values", "gone.json", "gone.json cannot be read (ENOENT)"],
  ])("%s %s is refused", async (option, value, said) => {
    write("a.json", flagd({ a: constant }))
    expect(await flagstone("import", "flagd", "a.json", option, value)).toMatchObject({
      ...{ status: 2, out: "", err: `flagstone: ${said}\n` },
    })
  })

  test("--known-values has the keys of big segments", async () => {
    const rules = [
      { variation: 0, clauses: [{ attribute: "", op: "segmentMatch", values: ["big", "huge"] }] },
    ]
    const flag = {
      on: true,
      variations: [true, false],
      offVariation: 1,
      fallthrough: { variation: 1 },
      rules,
    }
    const segments = { big: { key: "big", unbounded: true }, huge: { key: "huge", unbounded: true } }
    write("a.json", JSON.stringify({ flags: { a: flag }, segments }))
    write("keys.yaml", "big: [ann]\nhuge: [bob, 7]\n")
    expect((await flagstone("import", "launchdarkly", "a.json", "--dry-run")).out).toContain(
      "import-segment-keys: needs an answer",
    )
    expect(await flagstone("import", "launchdarkly", "a.json", "--known-values", "keys.yaml")).toMatchObject({
      status: 0,
    })
    expect(parse(read("flags/segments/huge.segment.yaml"))).toMatchObject({ value: ["bob", "7"] })
  })

  test.each(["big: ann\n", "big:\n  - included: [ann]\n", "- ann\n", "big:\n"])(
    "--known-values without a list of keys is refused: %j",
    async (text) => {
      write("a.json", flagd({ a: constant }))
      write("keys.yaml", text)
      const args = ["import", "flagd", "a.json", "--known-values", "keys.yaml"]
      expect(await flagstone(...args)).toMatchObject({
        ...{ status: 2, out: "" },
        err: expect.stringMatching(
          /^flagstone: keys.yaml:\d: write a list of keys for each segment, such as /,
        ),
      })
    },
  )

  test("--map and --accept may be repeated", async () => {
    const targeting = { if: [{ "==": [{ var: "plan" }, "7"] }, "on"] }
    write("dev.json", flagd({ a: { ...constant, defaultVariant: null, targeting } }))
    const files = ["dev=dev.json", "prod=dev.json"]
    const args = ["import", "flagd", ...files, "--map", "dev=test", "--map", "prod=live"]
    const accept = ["--accept", "import-caller-default", "--accept", "import-context-mistyped"]
    expect(await flagstone(...args, ...accept)).toMatchObject({ status: 0 })
    expect(parse(read("flags/project.yaml"))).toMatchObject({
      environments: ["test", "live"],
      protected: ["live"],
    })
  })

  test("--project names a new project, and no other than the one that is there", async () => {
    write("a.json", flagd({ a: constant }))
    const args = ["import", "flagd", "test=a.json", "--project"]
    const { status, out } = await flagstone(...args, "shop")
    expect([status, read("flags/project.yaml").split("\n")[0]]).toEqual([0, "project: shop"])
    expect(out).toContain("  project.yaml protects no environment: correct that before you publish\n")
    expect(await flagstone(...args, "other")).toMatchObject({
      status: 2,
      err: "flagstone: flags/project.yaml already calls the project shop: import without --project other\n",
    })
    const again = await flagstone(...args, "shop")
    expect([again.status, again.out]).toEqual([0, expect.not.stringContaining("wrote")])
  })

  test("--attributes adds none if no rule compares any, and those of segments", async () => {
    write("a.json", flagd({ a: constant }))
    expect((await flagstone("import", "flagd", "a.json", "--attributes", "--flags", "one")).out).toContain(
      "wrote 2 files",
    )
    expect(read("one/project.yaml")).not.toContain("attributes")
    const $evaluators = { isPro: isPlan("pro") }
    const targeting = { if: [{ $ref: "isPro" }, "on", "off"] }
    write("b.json", JSON.stringify({ $evaluators, flags: { a: { ...constant, targeting } } }))
    await flagstone("import", "flagd", "b.json", "--attributes", "--flags", "two")
    expect(parse(read("two/project.yaml"))).toMatchObject({ attributes: { plan: { type: "text" } } })
  })

  test("--split-by makes an environment of each value of an attribute", async () => {
    const isEnv = (env: string) => ({ "===": [{ var: "env" }, env] })
    const targeting = { if: [{ and: [isEnv("test"), isPlan("pro")] }, "off", isEnv("production"), "off"] }
    write("a.json", flagd({ a: { ...constant, targeting } }))
    expect((await flagstone("import", "flagd", "a.json", "--split-by", "env")).status).toBe(0)
    expect(parse(read("flags/project.yaml"))).toMatchObject({ environments: ["test", "production"] })
    const asked = async (...more: readonly string[]) =>
      JSON.parse((await flagstone("evaluate", "a", "--format", "json", "--environment", ...more)).out).value
    expect([
      await asked("test"),
      await asked("test", "--context", '{"plan":"pro"}'),
      await asked("production"),
    ]).toEqual([true, false, false])
    expect(read("flags/a.yaml")).not.toContain("env\n")
  })

  test.each([
    [["pro=a.json", "--map", "pro=live"], "`a` in `live`"],
    [["a.json", "--split-by", "env"], "`a`"],
  ])("what the reader finds odd is in the environments that are imported: %j", async (args, whose) => {
    const targeting = [
      { query: 'env eq "live"', variation: "on" },
      { query: "plan pr", variation: "on", disable: true },
    ]
    const variations = { on: true, off: false }
    write("a.json", JSON.stringify({ a: { variations, targeting, defaultRule: { variation: "off" } } }))
    const { out } = await flagstone("import", "goff", ...args, "--dry-run")
    expect(out).toContain(`a disabled rule is left out\n    a.json:1 /a/targeting/1: ${whose}\n`)
  })

  test("--split-by into a project takes the tool's names from --map, and reports names that are no environments", async () => {
    const isEnv = (env: string) => ({ "===": [{ var: "env" }, env] })
    const targeting = { if: [{ or: [isEnv("pro"), isEnv("Test"), isEnv("test")] }, "on", "off"] }
    write("a.json", flagd({ a: { ...constant, targeting } }))
    write("flags/project.yaml", "project: shop\nenvironments: [development, test, production]\n")
    const args = ["import", "flagd", "a.json", "--split-by", "env"]
    const { out } = await flagstone(...args, "--dry-run")
    expect(out.slice(out.indexOf("also found"))).toBe(
      "also found\n  a rule asks for an environment that the project does not have\n    a.json:1 /flags/a/targeting/if/1: `a`: `pro`, `Test`\n",
    )
    expect((await flagstone(...args, "--map", "pro=prod")).err).toBe(
      "flagstone: --map pro=prod: the project has only development, test, production\n",
    )
    const mapped = await flagstone(...args, "--map", "pro=production")
    expect([mapped.status, mapped.out]).toEqual([0, expect.not.stringContaining("`pro`")])
    expect(parse(read("flags/a.yaml")).environments).toMatchObject({
      development: { enabled: false },
      test: { enabled: true },
      production: { enabled: true },
    })
  })

  test("a project file with mistakes is reported, and nothing else is done", async () => {
    write("a.json", flagd({ a: constant }))
    write("flags/project.yaml", "project: shop\nenvironment: [production]\n")
    const { status, out, err } = await flagstone("import", "flagd", "a.json")
    expect([status, out, existsSync(join(cwd, "flags/a.yaml"))]).toEqual([2, "", false])
    expect(err).toContain("flags/project.yaml:2:1")
  })

  test("files and flags that are there are named together", async () => {
    write("a.json", flagd({ a: constant, b: constant, c: constant }))
    write("flags/project.yaml", project)
    write("flags/a.yaml", "defaultValue: false\n")
    write("flags/b.yaml", "defaultValue: false\n")
    expect((await flagstone("import", "flagd", "a.json")).err).toBe(
      "flagstone: flags/a.yaml\nflags/b.yaml\nalready exist, so nothing was written\n",
    )
    write("b.json", flagd({ "x/a": constant, y: constant, z: constant }))
    write("flags/deep/q.yaml", "# first\nkey: x/a\ndefaultValue: false\n")
    write("flags/deep/y.yml", "defaultValue: false\n")
    write("flags/deep/z.segment.yaml", "attribute: plan\noperator: equals\nvalue: pro\n")
    expect((await flagstone("import", "flagd", "b.json")).err).toMatch(
      /^flagstone: x\/a \(flags\/deep\/q\.yaml\)\n/,
    )
  })
})

describe("a project that has a name already, or ignores a path", () => {
  const rule = { variation: 0, clauses: [{ op: "segmentMatch", values: ["beta"] }] }
  const environment = { on: true, offVariation: 1, fallthrough: { variation: 1 }, rules: [rule] }
  const variations = [{ value: true }, { value: false }]
  const flags = { items: [{ key: "a", variations, environments: { production: environment } }] }
  const segments = { items: [{ key: "beta", included: ["ann"] }] }
  const segment = "attribute: plan\noperator: equals\nvalue: pro\n"
  const project = "project: shop\nenvironments: [production]\n"

  test.each([
    ["flags/beta.segment.yaml", segment, "beta (flags/beta.segment.yaml)\nalready exists as a segment"],
    ["flags/beta.segment.yml", "broken: [", "beta (flags/beta.segment.yml)\nalready exists as a segment"],
    ["flags/x/a.yaml", "broken: [", "a (flags/x/a.yaml)\nalready exists as a flag"],
    [
      "flags/project.yaml",
      `${project}ignore: [segments/**]\n`,
      "flags/segments/beta.segment.yaml\nwould be ignored, as project.yaml says",
    ],
  ])("in %s: %j", async (path, text, said) => {
    write("flags.json", JSON.stringify(flags))
    write("segments.json", JSON.stringify(segments))
    write("flags/project.yaml", project)
    write(path, text)
    const before = readdirSync(join(cwd, "flags"), { recursive: true })
    expect(await flagstone("import", "launchdarkly", "flags.json", "production=segments.json")).toMatchObject(
      {
        status: 2,
        err: `flagstone: ${said}, so nothing was written\n`,
      },
    )
    expect(readdirSync(join(cwd, "flags"), { recursive: true })).toEqual(before)
  })

  test("a segment that was imported and then moved is used where it is", async () => {
    const importing = () => flagstone("import", "launchdarkly", "flags.json", "production=segments.json")
    write("segments.json", JSON.stringify(segments))
    write("flags.json", JSON.stringify(flags))
    expect(await importing()).toMatchObject({ status: 0 })
    renameSync(join(cwd, "flags/segments"), join(cwd, "flags/x"))
    write("flags.json", JSON.stringify({ items: flags.items.map((flag) => ({ ...flag, key: "b" })) }))
    expect(await importing()).toMatchObject({ status: 0, err: "" })
    expect([existsSync(join(cwd, "flags/b.yaml")), existsSync(join(cwd, "flags/segments"))]).toEqual([
      true,
      false,
    ])
  })

  test("a folder with flags and no project file, or one with the wrong name", async () => {
    write("flags.json", flagd({ a: constant }))
    write("flags/x/a.yaml", "defaultValue: false\n")
    const importing = () => flagstone("import", "flagd", "production=flags.json")
    expect(await importing()).toMatchObject({
      status: 2,
      err: "flagstone: a (flags/x/a.yaml)\nalready exists as a flag, so nothing was written\n",
    })
    write("flags/project.yml", project)
    expect(await importing()).toMatchObject({
      status: 2,
      err: expect.stringMatching(/rename .*project\.yml/),
    })
  })

  test("a flag that is left out may have been written by hand", async () => {
    write("flags.json", flagd({ a: constant, b: { ...constant, targeting: { cat: ["x", "y"] } } }))
    write("flags/project.yaml", project)
    write("flags/b.yaml", "defaultValue: false\n")
    const { status, err } = await flagstone("import", "flagd", "production=flags.json", "--skip")
    expect([status, err, existsSync(join(cwd, "flags/a.yaml"))]).toEqual([1, "", true])
    expect(read("flags/b.yaml")).toBe("defaultValue: false\n")
  })
})

test.each([
  ["launch-darkly", "unknown tool launch-darkly; did you mean `launchdarkly`?"],
  ["jira", "unknown tool jira. Known: `launchdarkly`, `unleash`, `flagd`, `goff` and `flipt`."],
])("the tool %s is unknown", async (tool, message) => {
  expect(await flagstone("import", tool, "a.json")).toMatchObject({
    status: 2,
    err: `flagstone: ${message}\n`,
  })
})

test("an environment whose name is not possible is named", async () => {
  const environments = [{ name: ":global:", enabled: true }]
  write("a.json", JSON.stringify({ features: [{ name: "a", environments }] }))
  expect(await flagstone("import", "unleash", "a.json")).toMatchObject({
    status: 2,
    err: "flagstone: the environment :global: needs a name of 1 to 64 letters, digits, `.`, `_` and `-`, starting with a letter or digit: rename it with --map :global:=default\n",
  })
})

test("secrets and addresses that are written are found on the way", async () => {
  const key = `sk_live_${"4eC39HqLyjWDarjtT1zdp7dc"}`
  const flags = {
    pay: { ...constant, variants: { on: key, off: "" } },
    mail: { ...constant, metadata: { owner: "ann@x.example" } },
    users: {
      ...constant,
      targeting: { if: [{ in: [{ var: "email" }, ["ann@x.example", "bob@x.example"]] }, "on", "off"] },
    },
    domain: {
      ...constant,
      targeting: { if: [{ ends_with: [{ var: "email" }, "@x.example"] }, "on", "off"] },
    },
  }
  write("a.json", flagd(flags))
  const { out } = await flagstone("import", "flagd", "a.json", "--dry-run")
  expect(out).not.toContain(key)
  expect(
    out.slice(out.indexOf("  what looks")),
  ).toBe(`  what looks like a secret is written: remove it before you commit, because everyone with the files has it
    a.json:1 /flags/pay: \`pay\`: \`sk_live_…\`
  e-mail addresses are written, and stay in git's history once you commit
    a.json:1 /flags/mail: \`mail\`: \`ann@x.example\`
    a.json:1 /flags/users: \`users\`: \`ann@x.example\`, \`bob@x.example\`
`)
})

test("on a terminal a line shows how many flags are proved, and disappears before the report", async () => {
  write("a.json", flagd(Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`f${at}`, constant]))))
  let now = 0
  const host = testHost({
    ...{ cwd, isTerminal: { stdin: false, stdout: true, stderr: true } },
    monotonicNow: () => (now += 2000),
  })
  expect(await run(["import", "flagd", "a.json", "--dry-run"], host, "0.0.0")).toBe(0)
  expect(host.err()).toBe("\rflags proved: 100 of 150\u001b[K\rflags proved: 150 of 150\u001b[K\r\u001b[K")
})

test("a share that changes nothing is left out, and is not a loss", async () => {
  const flag = { key: "a", type: "BOOLEAN_FLAG_TYPE", enabled: true }
  const rollouts = [{ threshold: { percentage: 50, value: true } }]
  write("a.json", JSON.stringify({ namespace: "default", flags: [{ ...flag, rollouts }] }))
  const { status, out } = await flagstone("import", "flipt", "a.json")
  expect([status, out]).toEqual([0, expect.stringContaining("exact    1\n\nalso found\n")])
})

test("unreadable JsonLogic is a loss only of its flag", async () => {
  const rest = "variations: { on: true, off: false }\n  defaultRule: { variation: off }"
  write("a.yaml", `a:\n  ${rest}\n  targeting: [{ query: "{bad", variation: on }]\nb:\n  ${rest}\n`)
  const { status, out } = await flagstone("import", "goff", "a.yaml", "--skip")
  expect([status, out]).toEqual([
    1,
    expect.stringContaining("exact                1\ncannot be expressed  1\n"),
  ])
  expect(out).toContain("a.yaml:4 /a/targeting/0/query: `a` in `production`\n")
})

const exactly: readonly (readonly [string, string, unknown])[] = [
  ...["seats ne 5", "seats eq 5"].map(
    (query) =>
      [
        "goff",
        query,
        {
          a: {
            variations: { on: true, off: false },
            bucketingKey: "company",
            targeting: [{ query, percentage: { on: 50, off: 50 } }],
            defaultRule: { variation: "off" },
          },
        },
      ] as const,
  ),
  [
    "unleash",
    "texts in a flag that depends on chance",
    {
      features: [
        {
          name: "a",
          enabled: true,
          strategies: [{ name: "gradualRolloutRandom", parameters: { percentage: 50 } }],
        },
        { name: "b", enabled: false, strategies: [], dependencies: [{ feature: "a" }] },
        {
          name: "c",
          enabled: true,
          strategies: [
            {
              name: "default",
              constraints: [
                { contextName: "x", operator: "STR_ENDS_WITH", values: ["5"] },
                { contextName: "x", operator: "NUM_GT", value: "5" },
              ],
            },
          ],
        },
      ],
    },
  ],
  [
    "launchdarkly",
    "a share by an attribute before one by the key",
    {
      flags: {
        a: {
          on: true,
          variations: ["a", "b", "c"],
          rules: [
            {
              clauses: [{ attribute: "plan", op: "in", values: ["pro"] }],
              rollout: {
                bucketBy: "plan",
                variations: [
                  { variation: 0, weight: 20000 },
                  { variation: 1, weight: 80000 },
                ],
              },
            },
          ],
          offVariation: 2,
          fallthrough: {
            rollout: {
              variations: [
                { variation: 1, weight: 50000 },
                { variation: 2, weight: 50000 },
              ],
            },
          },
        },
      },
    },
  ],
]
test.each(exactly)("%s: the proof does not fail for %s", async (tool, _, file) => {
  write("a.json", JSON.stringify(file))
  const { out } = await flagstone("import", tool, "a.json", "--dry-run")
  expect(out).toContain(" contexts: ")
  expect(out).not.toContain("import-disproved")
})

test("a pre-release in a query of GO Feature Flag, which drops it", async () => {
  const flag = { variations: { on: true, off: false }, defaultRule: { variation: "off" } }
  const targeting = [{ query: "version ge 10.0.0-10", variation: "on" }]
  write("a.json", JSON.stringify({ a: { ...flag, targeting } }))
  const { status } = await flagstone("import", "goff", "a.json", "--accept", "import-context-mistyped")
  expect([status, read("flags/a.yaml")]).toEqual([0, expect.stringContaining('value: "10.0.0"')])
})

test("the caller's default of a string flag, if accepted, is an empty string", async () => {
  const targeting = { if: [{ "==": [{ var: "plan" }, "pro"] }, null, "a"] }
  write("a.json", flagd({ a: { state: "ENABLED", variants: { a: "x", b: "y" }, targeting } }))
  const accept = "import-caller-default,import-context-mistyped"
  expect(await flagstone("import", "flagd", "a.json", "--accept", accept)).toMatchObject({ status: 0 })
  expect(read("flags/a.yaml")).toMatch(
    /^# yaml-language-server: \$schema=.\/flag.schema.json\n[\s\S]*defaultValue: ""\n/,
  )
  expect(read("flags/a.yaml")).toContain('returnValue: ""\n')
})

test("disabled rules are left out, and reported", async () => {
  const flag = { variations: { on: true, off: false }, defaultRule: { variation: "off" } }
  const targeting = [{ query: 'a eq "b"', variation: "on", disable: true }]
  write("a.json", JSON.stringify({ a: { ...flag, targeting } }))
  const { status, out } = await flagstone("import", "goff", "a.json", "--dry-run")
  const line = "  a disabled rule is left out\n    a.json:1 /a/targeting/0: `a` in `production`\n"
  expect([status, out]).toEqual([0, expect.stringContaining(line)])
})

test("ids that are listed twice are found on the way", async () => {
  const strategies = [{ name: "userWithId", parameters: { userIds: "u,v,u" } }]
  write("a.json", JSON.stringify({ features: [{ name: "a", enabled: true, strategies }] }))
  expect((await flagstone("import", "unleash", "a.json", "--dry-run")).out).toContain(
    "an id is listed twice\n    a.json:1 /features/0/strategies/0: `a` in `production`: `u`",
  )
})

test("a difference is attributed to the odd attribute", async () => {
  const constraints = [{ contextName: "age", operator: "NUM_EQ", value: "20" }]
  const parameters = { rollout: "50", stickiness: "default" }
  const strategies = [{ name: "flexibleRollout", parameters, constraints }]
  write("a.json", JSON.stringify({ features: [{ name: "a", enabled: true, strategies }] }))
  const { out } = await flagstone("import", "unleash", "a.json")
  expect(out).toContain("an unexpected `age`")
  expect(out).not.toContain("an unexpected `userId`")
})

describe("hostile files", () => {
  const refusals: readonly (readonly [string, string | Uint8Array, string])[] = [
    [
      "deep nesting",
      "[".repeat(100_000),
      "flagstone: a.json:1: nested deeper than 200 levels, which no flag tool writes\n",
    ],
    ...[300, 5_000].map(
      (depth) =>
        [
          `nesting of ${depth} levels in YAML`,
          `a: ${"[".repeat(depth)}${"]".repeat(depth)}`,
          "flagstone: a.json: nested deeper than 200 levels, which no flag tool writes\n",
        ] as const,
    ),
    [
      "a member twice",
      '{"flags": {"a": 1,\n"a": 2}}',
      'flagstone: a.json:2: duplicate field "a": tools disagree about which one counts\n',
    ],
    [
      "a member twice in YAML",
      "flags:\n  a: 1\n  a: 2\n",
      "flagstone: a.json: Map keys must be unique at line 3, column 3:\n",
    ],
    ["no JSON", '{"flags": tru}', "flagstone: a.json:1: not JSON: expected a value\n"],
    [
      "a control character",
      '{"flags":\n"a\u0001"}',
      "flagstone: a.json:2: not JSON: expected a string in double quotes\n",
    ],
    [
      "a long string with escapes",
      `["${"\\n".repeat(12_000_000)}"]`,
      "flagstone: a.json has no flagd flags: docs/import.md shows how to export them\n",
    ],
    ["text behind the JSON", "{} {}", "flagstone: a.json:1: not JSON: unexpected text after the value\n"],
    [
      "UTF-16",
      Buffer.from("\ufeff{}", "utf16le"),
      "flagstone: a.json is UTF-16: save it as UTF-8, for example with `iconv -f UTF-16 -t UTF-8`\n",
    ],
    [
      "Latin 1",
      Buffer.from('{"a":"é"}', "latin1"),
      "flagstone: a.json is not UTF-8: save it as UTF-8, for example with `iconv -f LATIN1 -t UTF-8`\n",
    ],
    ["nothing", "", "flagstone: no flags in `a.json`\n"],
    [
      "something else",
      '{"name": "package"}',
      "flagstone: a.json has no flagd flags: docs/import.md shows how to export them\n",
    ],
    [
      "a file of Unleash",
      '{"version":1,"features":[{"name":"a","strategies":[]}]}',
      "flagstone: a.json looks like a file from Unleash: use `flagstone import unleash`\n",
    ],
  ]
  const hugeRefusals: typeof refusals = [
    [
      "a YAML bomb",
      bomb(),
      "flagstone: a.json: more than 500000 values once its aliases are expanded: split the file\n",
    ],
    [
      "50 MB",
      `[${"0,".repeat(25_000_000)}0]`,
      "flagstone: a.json:1: more than 5000000 values: import fewer flags at a time\n",
    ],
  ]
  test.each(refusals)("%s", isRefused)
  test("more than 256 MiB, before it is read", async () => {
    write("a.json", "")
    truncateSync(join(cwd, "a.json"), 256 * 1024 * 1024 + 1)
    const { err } = await flagstone("import", "flagd", "a.json")
    expect(err).toBe(
      "flagstone: a.json has 268435457 bytes, more than 268435456: export one project at a time\n",
    )
  })
  test.each(hugeRefusals)("%s", { tags: ["slow"], timeout: 60_000 }, isRefused)

  async function isRefused(_what: string, content: (typeof refusals)[number][1], message: string) {
    write("a.json", content)
    const { status, err, out } = await flagstone("import", "flagd", "a.json")
    expect([status, err.slice(0, message.length), out]).toEqual([2, message, ""])
    expect(existsSync(join(cwd, "flags"))).toBe(false)
  }

  const onFlag = { on: true, variations: [true, false], offVariation: 1, fallthrough: { variation: 1 } }
  const strange: readonly (readonly [string, unknown, string])[] = [
    [
      "launchdarkly",
      {
        flags: { a: { ...onFlag, rules: [{ variation: 0, clauses: [{ op: "constructor", values: [1] }] }] } },
      },
      "the operator `constructor`",
    ],
    [
      "unleash",
      {
        features: [
          {
            ...{ name: "a", enabled: true },
            strategies: [{ name: "default", constraints: [{ operator: "NUM_constructor" }] }],
          },
        ],
      },
      "the operator `NUM_constructor`",
    ],
    [
      "flagd",
      { flags: { a: { ...constant, targeting: { if: [{ toString: [1, 2] }, "on"] } } } },
      "the operation `toString`",
    ],
    [
      "goff",
      { a: { variations: {}, targeting: [{ query: 'a constructor "b"' }], defaultRule: {} } },
      "`constructor` is not an operator",
    ],
    [
      "flipt",
      {
        flags: [{ key: "a", type: "BOOLEAN_FLAG_TYPE", rollouts: [{ segment: { key: "s" } }] }],
        segments: [{ key: "s", constraints: [{ property: "a", operator: "constructor" }] }],
      },
      "`a` `constructor`",
    ],
  ]
  test.each(strange)(
    "an operator of %s with the name of a member of every object",
    async (tool, file, what) => {
      write("a.json", JSON.stringify(file))
      const { status, out } = await flagstone("import", tool, "a.json", "--dry-run")
      expect([status, out]).toEqual([1, expect.stringContaining(what)])
    },
  )

  test("names of members that every object has", async () => {
    const targeting = { if: [{ "==": [{ var: "__proto__" }, "x"] }, "toString", "constructor"] }
    const text = `{"flags":{"__proto__x":${JSON.stringify(constant)},"constructor":{"state":"ENABLED","variants":{"__proto__":"a","toString":"b","constructor":"c"},"defaultVariant":"__proto__","targeting":${JSON.stringify(targeting)}},"hasOwnProperty":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"valueOf"}}}`
    write("a.json", text)
    const { out } = await flagstone("import", "flagd", "a.json", "--skip")
    expect(readdirSync(join(cwd, "flags")).sort()).toEqual(["constructor.yaml", "project.yaml"])
    expect(out).toContain("the flag has no variant `valueOf`")
    expect(read("flags/constructor.yaml")).toContain("returnValue: b")
    expect(await flagstone("lint")).toMatchObject({ status: 0 })
  })

  test("keys that cannot be file names, and keys that differ only in case", async () => {
    const keys = [
      "team/checkout",
      "con",
      "project",
      "a.segment",
      "Saved",
      "saved",
      "../../etc/passwd",
      "a..b",
      "x/../y",
      "ünï",
      "-a",
    ]
    write("a.json", flagd(Object.fromEntries(keys.map((key) => [key, constant]))))
    const { out } = await flagstone("import", "flagd", "a.json", "--skip")
    const files = readdirSync(join(cwd, "flags"), { recursive: true, encoding: "utf8" }).sort()
    expect(files.filter((path) => path.endsWith(".yaml"))).toMatchInlineSnapshot(`
      [
        "Saved.yaml",
        "_a.segment_.yaml",
        "_con_.yaml",
        "_project_.yaml",
        "a..b.yaml",
        "project.yaml",
        "saved-2.yaml",
        "team/checkout.yaml",
        "x/_.._/y.yaml",
      ]
    `)
    const named =
      /import-name: cannot be expressed\n(?: {4}.*\n){2} {4}a\.json:1 \S+: `\.\.\/\.\.\/etc\/passwd` in `production`\n/
    expect(out).toMatch(named)
    expect(await flagstone("lint")).toMatchObject({ status: 0 })
    for (const key of ["team/checkout", "con", "project", "a.segment", "Saved", "saved", "x/../y"])
      expect((await flagstone("evaluate", key, "--format", "json")).out).toContain('"value":true')
    expect(existsSync(join(cwd, "../etc"))).toBe(false)
  })

  test("strings that would be something else in YAML, or hide something", async () => {
    const texts = [
      "yes",
      "1.10",
      "# no comment",
      "a: b",
      "\u202e",
      "line\nbreak",
      "*/",
      "{{",
      "é",
      "\ud800".toWellFormed(),
    ]
    const variants = Object.fromEntries(texts.map((text) => [text, text]))
    const flags = Object.fromEntries(
      texts.map((text, at) => [
        `f${at}`,
        { state: "ENABLED", variants, defaultVariant: text, metadata: { description: text } },
      ]),
    )
    write("a.json", flagd(flags))
    expect(await flagstone("import", "flagd", "a.json")).toMatchObject({ status: 0 })
    for (const [at, text] of texts.entries()) {
      const { out } = await flagstone("evaluate", `f${at}`, "--format", "json")
      expect(JSON.parse(out).value).toBe(text)
    }
  })

  test("cyclic segments and prerequisites", async () => {
    const flag = { on: true, variations: [true, false], offVariation: 1, fallthrough: { variation: 1 } }
    const clause = (name: string) => ({ attribute: "", op: "segmentMatch", values: [name] })
    const segments = {
      s: { key: "s", rules: [{ clauses: [clause("t")] }] },
      t: { key: "t", rules: [{ clauses: [clause("s")] }] },
    }
    const flags = {
      a: { ...flag, rules: [{ variation: 0, clauses: [clause("s")] }] },
      b: { ...flag, prerequisites: [{ key: "c", variation: 0 }] },
      c: { ...flag, prerequisites: [{ key: "b", variation: 0 }] },
      d: flag,
    }
    write("a.json", JSON.stringify({ flags, segments }))
    const { status, out } = await flagstone("import", "launchdarkly", "a.json", "--skip")
    expect(status).toBe(1)
    expect(out).toContain("the segment `s` refers to itself")
    expect(readdirSync(join(cwd, "flags")).sort()).toEqual(["d.yaml", "project.yaml"])
  })
})

/** Nine levels of nine aliases: 387 million values. */
function bomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, at) =>
      `l${at}: &l${at} [${Array(9)
        .fill(at === 0 ? "x" : `*l${at - 1}`)
        .join(", ")}]`,
  )
  return `${levels.join("\n")}\n`
}
