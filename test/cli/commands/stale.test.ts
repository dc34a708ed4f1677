// @module-tag system
import { existsSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { createProjectRepository, createRepository, openRepository } from "../../repository.ts"
import { testHost } from "../../test-host.ts"

const day = 86_400
const start = Date.UTC(2020, 0, 1)

const on = "{ enabled: true, rules: [{ operator: always, returnValue: true }] }"
const off = "{ enabled: false, rules: [] }"
const staff = "{ attribute: email, operator: endsWith, value: '@a', returnValue: true }"
const someone = `{ enabled: true, rules: [${staff}] }`
const share = "{ attribute: id, operator: percentage, value: '20', returnValue: true }"

const flagOf = (staging: string, production: string, more = "") =>
  `defaultValue: false\n${more}environments:\n  staging: ${staging}\n  production: ${production}\n`

/** What `stale` prints some days after the flag's last version; each version before it lasted ten days. */
async function stale(texts: readonly string[], days: number, ...options: readonly string[]) {
  const repository = createProjectRepository()
  repository.write(
    "flags/project.yaml",
    "project: shop\nenvironments: [staging, production]\nprotected: [production]\nclock: now\n",
  )
  repository.write("flags/holdout.segment.yaml", "share: { by: id, to: 5, seed: h }\n")
  repository.write(
    "flags/grown.segment.yaml",
    "ramp: { by: id, seed: g, stages: [{ at: 2020-01-05T00:00:00Z, share: 5 }, { at: 2020-01-20T00:00:00Z, share: 100 }] }\n",
  )
  let at = 0
  for (const text of texts) {
    at += 10 * day
    repository.write("flags/cart.yaml", text)
    repository.commit(at)
  }
  const now = () => start + (at + days * day) * 1000
  return repository.flagstone(["stale", ...options], { now })
}

const rampTo = (end: number) =>
  `{ enabled: true, rules: [{ ramp: { by: id, stages: [{ at: 2020-01-05T00:00:00Z, share: 5 }, { at: 2020-01-20T00:00:00Z, share: ${end} }] }, returnValue: true }] }`

const split =
  "{ enabled: true, rules: [{ split: { by: id, into: [{ share: 30.1, returnValue: true }, { share: 40, returnValue: false }], seed: s } }] }"

test.each([
  ["a share", `{ enabled: true, rules: [${share}] }`, "20 % by id"],
  ["a split with a seed", split, "30.1 %, 40 % by id (seed s)"],
  [
    "a split of some users",
    `{ enabled: true, rules: [{ none: [{ attribute: id, operator: equals, value: x }], split: { by: id, into: [{ share: 34, returnValue: true }, { share: 33, returnValue: false }] } }] }`,
    "34 %, 33 % by id",
  ],
  [
    "a share of those outside a segment with a share",
    `{ enabled: true, rules: [{ all: [{ none: [{ segment: holdout }] }, { share: { by: id, to: 20 } }], returnValue: true }] }`,
    "20 % by id",
  ],
  [
    "a segment's share",
    "{ enabled: true, rules: [{ segment: holdout, returnValue: true }] }",
    "5 % by id (seed h)",
  ],
  [
    "a share of some users, then a larger one of all",
    `{ enabled: true, rules: [{ all: [${share.replace(", returnValue: true", "")}, { attribute: a, operator: equals, value: b }], returnValue: true }, ${share.replace("20", "30")}] }`,
    "20 %, 30 % by id",
  ],
  [
    "shares by two attributes",
    `{ enabled: true, rules: [${share}, { share: { by: team, from: 10, to: 15 }, returnValue: true }] }`,
    "20 % by id and 5 % by team",
  ],
])("says at what %s a flag is stuck", async (_, production, words) => {
  const { out } = await stale([flagOf(on, production)], 40)
  const why = out.replaceAll(/\n +/g, " ") // in several lines
  expect(why).toContain(`cart  stuck at ${words} since 2020-01-11 (40 days) in production\n`)
})

test.each([
  [60, "stuck at 60 % by id since 2020-01-20 (31 days) in production\n"],
  [100, "over since 2020-01-20 (31 days) in production: make the ramp `always`\n"],
])("says since when a ramp is at %i %", async (end, words) => {
  expect((await stale([flagOf(on, rampTo(end))], 40)).out.replaceAll(/\n +/g, " ")).toContain(
    `cart  ${words}`,
  )
})

test("JSON has the path of a stuck flag, and the shares as its file writes them", async () => {
  const { out } = await stale([flagOf(on, split)], 40, "--format", "json")
  expect(JSON.parse(out)[0].path).toBe("flags/cart.yaml")
  expect(JSON.parse(out)[0].reasons[0].shares).toEqual([
    { by: "id", from: 0, to: 30.1, seed: "s" },
    { by: "id", from: 30.1, to: 70.1, seed: "s" },
  ])
})

interface Found {
  readonly keep?: unknown
  readonly reasons: readonly { readonly state: string; readonly environments: readonly string[] }[]
}

async function statesOf(texts: readonly string[], days: number): Promise<readonly unknown[]> {
  const { out } = await stale(texts, days, "--format", "json")
  const found: readonly Found[] = JSON.parse(out)
  return found.flatMap(({ reasons, keep }) =>
    reasons.map(({ state, environments }) => [state, environments.join(" "), keep]),
  )
}

const both = "staging production"

describe("a flag is", () => {
  test.each<readonly [string, readonly string[], number, readonly unknown[]]>([
    ["settled after 30 days", [flagOf(on, on)], 30, [["settled", both, true]]],
    ["not settled before", [flagOf(on, on)], 29, []],
    ["not settled by an edit of late", [flagOf(on, someone), flagOf(on, on)], 29, []],
    ["never on after 60 days", [flagOf(off, off)], 60, [["never-on", both, false]]],
    [
      "settled as its default, after it was on",
      [flagOf(on, on), flagOf(off, off)],
      60,
      [["settled", both, false]],
    ],
    [
      "stuck at a share",
      [flagOf(on, `{ enabled: true, rules: [${share}] }`)],
      30,
      [["stuck", "production", undefined]],
    ],
    ["not stuck while a ramp's last stage is new", [flagOf(on, rampTo(60))], 38, []],
    ["over", [flagOf(rampTo(100), rampTo(100))], 39, [["over", "production", undefined]]],
    [
      "not over while only a segment's ramp is",
      [flagOf(off, "{ enabled: true, rules: [{ segment: grown, returnValue: true }] }")],
      39,
      [],
    ],
    [
      "not over while another rule has a share",
      [flagOf(on, rampTo(100).replace("rules: [", `rules: [${share}, `))],
      39,
      [["stuck", "production", undefined]],
    ],
    ["not stuck before", [flagOf(on, `{ enabled: true, rules: [${share}] }`)], 29, []],
    [
      "expired on its day",
      [flagOf(someone, someone, "expires: 2020-01-15\n")],
      4,
      [["expired", "", undefined]],
    ],
    ["not expired before", [flagOf(someone, someone, "expires: 2020-01-15\n")], 3.99, []],
    ["permanent", [flagOf(on, on, "tags: [permanent]\n")], 99, []],
  ])("%s", async (_, texts, days, expected) => {
    expect(await statesOf(texts, days)).toEqual(expected)
  })
})

describe("a flag that users of a protected environment never got", () => {
  const environments = "environments: [development, staging, eu, us]\nprotected: [eu, us]\n"
  const flagIn = (configurations: Readonly<Record<string, string>>, head = "defaultValue: false\n") =>
    `${head}environments:\n${Object.entries(configurations)
      .map(([name, text]) => `  ${name}: ${text}\n`)
      .join("")}`
  const numbered = "type: number\ndefaultValue: 5\n"
  const nine = "{ enabled: true, rules: [{ operator: always, returnValue: 9 }] }"
  const launched = (text: string) => {
    const repository = createProjectRepository()
    repository.write("flags/project.yaml", `project: shop\n${environments}`)
    repository.write("flags/gift-cards.yaml", text)
    repository.write("src/a.ts", 'get("gift-cards")\n')
    repository.commit(0)
    return (...args: readonly string[]) => repository.flagstone(args, { now: () => start + 176 * day * 1000 })
  }

  test.each<readonly [string, string, string]>([
    ["not configured", flagIn({ development: on, staging: on }), "eu, us"],
    ["disabled", flagIn({ staging: on, eu: off, us: off }), "eu, us"],
    ["a number", flagIn({ staging: nine, eu: nine }, numbered), "us"],
  ])("is waiting, without a value to keep: %s", async (_, text, waitsFor) => {
    const flagstone = launched(text)
    const sentence = `waiting since 2020-01-01 (176 days) for ${waitsFor}`
    expect((await flagstone("stale")).out).toContain(`\ngift-cards  ${sentence}\n`)
    expect((await flagstone("stale", "--format", "markdown")).out).toContain(
      `| \`gift-cards\` | ${sentence} |  |  |  |\n`,
    )
    const json = JSON.parse((await flagstone("stale", "--format", "json")).out)
    expect(json).toMatchObject([
      { reasons: [{ state: "waiting", since: "2020-01-01", environments: waitsFor.split(", ") }] },
    ])
    expect(json[0]).not.toHaveProperty("keep")
  })

  test("is not listed until it has been waiting for a while", async () => {
    expect((await launched(flagIn({ staging: on }))("stale", "--after", "177d")).out).toBe("")
  })
})

test("without protected environments, every environment counts", async () => {
  const repository = createProjectRepository()
  repository.write("flags/cart.yaml", `defaultValue: false\nenvironments: { staging: ${on} }\n`)
  repository.write("flags/menu.yaml", flagOf(on, on))
  repository.write("flags/two.yaml", flagOf(on, "{ enabled: true, rules: [] }"))
  repository.commit(0)
  const { out } = await repository.flagstone(["stale"], { now: () => start + 30 * day * 1000 })
  expect(out).toBe(`FLAG  WHY                                                        KEEP  BLOCKED BY  OWNER
cart  waiting since 2020-01-01 (30 days) for production
menu  settled since 2020-01-01 (30 days) in staging, production  true
`)
})

test("prints why, since when, the value to keep and the owner", async () => {
  const { out, err, status } = await stale([flagOf(on, on, "owner: team-a|b\n")], 40)
  expect({ out, err, status }).toEqual({
    out: `FLAG  WHY                                                        KEEP  BLOCKED BY  OWNER
cart  settled since 2020-01-11 (40 days) in staging, production  true              team-a|b
`,
    err: "1 of 1 flag stale\n",
    status: 0,
  })
})

test("in a shallow clone no flag is judged", async () => {
  const origin = createProjectRepository()
  origin.write("flags/cart.yaml", flagOf(off, off))
  origin.commit(0)
  const cwd = join(origin.folder, "clone")
  origin.git("clone", "-q", "--depth", "1", `file://${origin.folder}`, cwd)
  const host = testHost({ cwd })
  const status = await run(["stale"], host, "0.0.0")
  const err = host.err()
  expect(status).toBe(1)
  expect(err).toContain(" error shallow-clone\n")
  expect(err).toMatch(/^1 error: no flag was judged\n$/m)
})

test("flags with a condition on a stale flag block its removal", async () => {
  const repository = createProjectRepository()
  repository.write("flags/project.yaml", "project: shop\nenvironments: [production]\n")
  const flag = (rule: string) =>
    `defaultValue: false\nenvironments: { production: { enabled: true, rules: [${rule}] } }\n`
  repository.write("flags/cart.yaml", flag("{ operator: always, returnValue: true }"))
  for (const key of ["a", "b"])
    repository.write(
      `flags/${key}.yaml`,
      flag(
        "{ any: [{ flag: cart }, { attribute: x, operator: equals, value: x }], returnValue: true }, { flag: cart, is: false, returnValue: true }",
      ),
    )
  repository.write("a.ts", 'get("cart")\n')
  repository.write(
    "flags/invariants.yaml",
    "- name: Carts\n  if: { attribute: x, operator: equals, value: y }\n  then: { flag: cart }\n",
  )
  repository.commit(0)
  const report = async (...options: readonly string[]) =>
    (await repository.flagstone(["stale", ...options], { now: () => start + 40 * day * 1000 })).out
  expect(await report()).toMatch(/^cart .* true {2}the flags a, b and the invariant Carts$/m)
  expect(await report("--code", ".")).toMatch(
    /^cart .* true {2}1 reference and the flags a, b and the invariant Carts$/m,
  )
  expect(await report("--code", ".", "--format", "markdown")).toMatch(
    /^\| `cart` \| .* \| `true` \| 1 reference and the flags `a`, `b` and the invariant `Carts` \| {2}\|$/m,
  )
  expect(JSON.parse(await report("--format", "json"))).toContainEqual(
    expect.objectContaining({ key: "cart", dependents: ["a", "b"], invariants: ["Carts"] }),
  )
})

test("days are whole, and flags are sorted by their keys", async () => {
  expect((await stale([flagOf(on, on)], 40.9)).out).toContain("since 2020-01-11 (40 days)")
  const repository = createProjectRepository()
  for (const [file, key] of ["zebra", "lion", "ant"].entries())
    repository.write(`flags/f${file}.yaml`, `key: ${key}\n${flagOf(on, on)}`)
  repository.commit(0)
  const now = () => start + 40 * day * 1000
  const { out } = await repository.flagstone(["stale", "--format", "json"], { now })
  expect(JSON.parse(out).map(({ key }: { key: string }) => key)).toEqual(["ant", "lion", "zebra"])
})

test("SOURCE_DATE_EPOCH is the time that counts", async () => {
  const repository = createProjectRepository()
  repository.write("flags/cart.yaml", flagOf(on, on))
  repository.commit(0)
  const env = { SOURCE_DATE_EPOCH: `${start / 1000 + 40 * day}` }
  const now = () => start
  expect((await repository.flagstone(["stale"], { env, now })).out).toContain("since 2020-01-01 (40 days)")
  const none = await repository.flagstone(["stale", "--format", "markdown"], { now })
  expect(none).toEqual({ status: 0, out: "No flag is stale.\n", err: "0 of 1 flag stale\n" })
})

test("--after and --fail", async () => {
  expect((await stale([flagOf(on, on)], 5, "--after", "5d", "--fail")).status).toBe(1)
  expect((await stale([flagOf(on, on)], 5, "--fail")).status).toBe(0)
  expect((await stale([flagOf(on, on)], 5, "--after", "soon")).status).toBe(2)
})

describe("the project file says when a flag is stale", () => {
  const experiment = flagOf(on, on, "tags: [experiment]\n")
  const staleBy = async (settings: string, text: string, days: number) => {
    const repository = createProjectRepository()
    repository.write(
      "flags/project.yaml",
      `project: shop\nenvironments: [staging, production]\nstale: ${settings}\n`,
    )
    repository.write("flags/cart.yaml", text)
    repository.commit(0)
    const now = () => start + days * day * 1000
    return (await repository.flagstone(["stale"], { now })).err
  }
  test.each([
    ["{ after: 60d }", flagOf(on, on), 59, 0],
    ["{ after: 60d }", flagOf(on, on), 60, 1],
    ["{ byTag: { experiment: 14d } }", experiment, 14, 1],
    ["{ byTag: { experiment: 14d } }", flagOf(on, on), 14, 0],
    ["{ byTag: { experiment: never } }", experiment, 999, 0],
    ["{ byTag: { experiment: 14d, slow: 90d } }", flagOf(on, on, "tags: [experiment, slow]\n"), 89, 0],
    ["{ byTag: { permanent: 90d } }", flagOf(on, on, "tags: [permanent]\n"), 90, 1],
  ])("%s", async (settings, text, days, count) => {
    expect(await staleBy(settings, text, days)).toBe(`${count} of 1 flag stale\n`)
  })
  test("in days, by tags that there are", async () => {
    expect(await staleBy("{ after: soon }", flagOf(on, on), 0)).toContain(
      "`after` must be a number of days, such as `30d`, or `never`.",
    )
    expect(await staleBy("{ byTag: { experimant: 14d } }\ntags: [experiment]", experiment, 0)).toContain(
      "Unknown tag `experimant`; did you mean `experiment`?",
    )
  })
})

describe("--code", () => {
  const code = () => {
    const repository = createProjectRepository()
    for (const key of ["cart", "menu", "never"]) repository.write(`flags/${key}.yaml`, flagOf(on, on))
    repository.write("src/a.ts", 'get("cart")\nget("cart")\nget("menu")\n')
    repository.commit(0)
    repository.write("src/a.ts", 'get("cart")\nget("cart")\n')
    repository.commit(10 * day)
    repository.write("flags/other.yaml", "defaultValue: false # 'menu'\n")
    repository.commit(20 * day)
    repository.remove("flags/other.yaml")
    repository.commit(30 * day)
    repository.write("src/large.js", " ".repeat(1_000_001))
    return (days: number, ...options: readonly string[]) =>
      repository.flagstone(["stale", "--code", ".", ...options], { now: () => start + days * day * 1000 })
  }
  test("counts references, and finds the flags that nothing uses", async () => {
    const { out, err } = await code()(45)
    expect(err).toContain("1 file over 1 MB left out: `src/large.js`\n")
    expect(
      out,
    ).toBe(`FLAG   WHY                                                        KEEP  BLOCKED BY     OWNER
cart   settled since 2020-01-01 (45 days) in staging, production  true  2 references
menu   settled since 2020-01-01 (45 days) in staging, production  true  no references
       unused since 2020-01-11 (35 days)
never  settled since 2020-01-01 (45 days) in staging, production  true  no references
       unused since 2020-01-01 (45 days)
`)
  })
  test("a flag is unused at most since it was made, though code named it before", async () => {
    const repository = createProjectRepository()
    repository.write("src/a.ts", 'get("late")\n')
    repository.commit(0)
    repository.write("src/a.ts", "")
    repository.commit(10 * day)
    repository.write("flags/late.yaml", flagOf(on, on))
    repository.commit(20 * day)
    const now = () => start + 60 * day * 1000
    const { out } = await repository.flagstone(["stale", "--code", "."], { now })
    expect(out).toContain("unused since 2020-01-21 (40 days)")
  })
  test("a flag is not unused before its time", async () => {
    const report = code()
    const countsAfter = async (days: number) => {
      const { out } = await report(days, "--format", "json")
      const found: readonly (Found & { key: string; references: number })[] = JSON.parse(out)
      return found.map(({ key, references, reasons }) => [key, references, reasons.length])
    }
    const others = [
      ["cart", 2, 1],
      ["never", 0, 2],
    ]
    expect(await countsAfter(39.99)).toEqual(others.toSpliced(1, 0, ["menu", 0, 1]))
    expect(await countsAfter(40)).toEqual(others.toSpliced(1, 0, ["menu", 0, 2]))
  })
  test("the last deletion counts, in whichever path, line or order, and not what was generated", async () => {
    const repository = createProjectRepository()
    for (const key of ["in-both", "in-line", "typed-only", "newest"])
      repository.write(`flags/${key}.yaml`, flagOf(on, on))
    repository.write("a.ts", "get('in-both')\n")
    repository.write("b/c.ts", `get('in-both') // ${"x".repeat(100_000)} get('in-line')\n`)
    repository.write("d.ts", "get('newest')\n")
    repository.commit(0)
    repository.write("b/c.ts", "")
    repository.commit(10 * day)
    repository.write("a.ts", "")
    repository.write("types.ts", (await repository.flagstone(["codegen", "types"])).out)
    repository.commit(20 * day)
    repository.write("d.ts", "\n")
    repository.commit(30 * day)
    const now = () => start + 90 * day * 1000
    const unused = async (paths: string) => {
      const { out } = await repository.flagstone(["stale", "--code", paths], { now })
      return [...out.matchAll(/^(\S+) .*\n +unused since (\S+)/gm)].map(([, key, since]) => `${key} ${since}`)
    }
    repository.git("config", "color.diff", "always")
    const expected = [
      "in-both 2020-01-21",
      "in-line 2020-01-11",
      "newest 2020-01-31",
      "typed-only 2020-01-01",
    ]
    expect(await unused("a.ts,b,d.ts,types.ts")).toEqual(expected)
    expect(await unused("types.ts,d.ts,b,a.ts")).toEqual(expected)
    expect(await unused(".")).toEqual(expected)
  })
  test.each([
    ["flägs", "diff.noprefix"],
    ["flägs", "diff.relative"],
    [".", "core.quotePath"],
  ])("what a file of the flags folder %s said is no use of code, also with %s", async (flags, setting) => {
    const repository = createProjectRepository()
    repository.remove("flags/project.yaml")
    repository.write(`${flags}/project.yaml`, "project: shop\nenvironments: [staging, production]\n")
    repository.write(`${flags}/cart.yaml`, flagOf(on, on))
    repository.write(`${flags}/cart.spec.yaml`, 'flag: "cart"\ncases: []\n')
    repository.commit(0)
    repository.remove(`${flags}/cart.spec.yaml`)
    repository.commit(10 * day)
    repository.git("config", setting, "true")
    const now = () => start + 90 * day * 1000
    const link = `${repository.folder}-link`
    symlinkSync(repository.folder, link)
    for (const top of [repository.folder, link])
      for (const code of [top, join(top, flags)]) {
        const { out } = await repository.flagstone(["stale", "--flags", join(top, flags), "--code", code], {
          now,
        })
        expect(out).toContain("unused since 2020-01-01")
      }
  })
  test("a submodule's settings run nothing", async () => {
    const repository = createProjectRepository()
    repository.write("flags/cart.yaml", flagOf(on, on))
    const module = createRepository()
    module.write("a.txt", "1")
    module.commit(0)
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", module.folder, "module")
    repository.commit(0)
    const marker = join(repository.folder, ".git/ran")
    openRepository(join(repository.folder, "module")).write("a.txt", "2")
    openRepository(join(repository.folder, "module")).commit(10)
    repository.commit(10)
    repository.git("config", "diff.submodule", "diff")
    repository.git("-C", "module", "config", "diff.external", `touch ${marker}`)
    const { out } = await repository.flagstone(["stale", "--code", "."], {
      now: () => start + 90 * day * 1000,
    })
    expect(out).toContain("no references")
    expect(existsSync(marker)).toBe(false)
  })
})
