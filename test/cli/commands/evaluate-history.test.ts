// @module-tag system
// @module-tag slow
import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"
import { createProjectRepository, time } from "../../repository.ts"

const rule = (condition: string, value = "true") =>
  `defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ ${condition}, returnValue: ${value} }] } }\n`
const everyone = "operator: always"
const pro = "attribute: plan, operator: equals, value: pro"

/** A repository in which each call commits files, a second after the last; `undefined` removes a file. */
function history() {
  const repository = createProjectRepository()
  let now = 0
  const commit = (files: Readonly<Record<string, string | undefined>>) => {
    for (const [path, text] of Object.entries(files))
      if (text === undefined) repository.remove(path)
      else repository.write(path, text)
    return repository.commit(++now).slice(0, 10)
  }
  const evaluate = (...args: readonly string[]) =>
    repository.flagstone(["evaluate", "cart", "--environment", "production", "--history", ...args])
  /** What follows the times, but for the author. */
  const lines = async (...args: readonly string[]) =>
    (await evaluate(...args)).out
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(repository.folder, "Ann"))
  return { ...repository, commit, evaluate, lines }
}

const end = "nothing else changed it since the flag was created"

test("one line for each change of the value, newest first: since when, why, which commit and who", async () => {
  const { commit, evaluate, lines } = history()
  const first = commit({ "flags/cart.yaml": rule(pro) })
  commit({ "flags/cart.yaml": `description: For orders\n${rule(pro)}` })
  commit({ "flags/other.yaml": rule(everyone) })
  const fourth = commit({ "flags/cart.yaml": rule(everyone) })
  const gone = commit({ "flags/cart.yaml": undefined })
  expect(await lines()).toEqual([
    `${time(5)}  \`cart\` does not exist in \`production\`  ${gone} Ann: at 5`,
    `${time(4)}  \`cart\` is \`true\` in \`production\`, because of rule 1: it matches everyone (flags/cart.yaml:2)  ${fourth} Ann: at 4`,
    `${time(1)}  \`cart\` is \`false\` in \`production\`: its only rule does not match, so the default applies  ${first} Ann: at 1`,
    end,
  ])
  expect((await lines("--context", '{"plan":"pro"}')).map((line) => line.slice(0, 24))).toEqual([
    time(5),
    time(1),
    end.slice(0, 24),
  ])
  const json = (await evaluate("--format", "json")).out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(json).toMatchObject([
    { since: time(5), cause: "unknownFlag", subject: "at 5", rule: null },
    { since: time(4), value: true, cause: "always", rule: { number: 1, file: "flags/cart.yaml", line: 2 } },
    { since: time(1), value: false, key: "cart", environment: "production", isFirst: true },
  ])
})

test("a context without a time has that of each change, so a ramp changes its value by itself", async () => {
  const { commit, lines, evaluate, flagstone } = history()
  const stages = `[{ at: "${time(3)}", share: 0.001 }, { at: "${time(5)}", share: 100 }]`
  const ramp = rule(`ramp: { by: id, stages: ${stages} }`)
  commit({ "flags/project.yaml": "{ project: shop, environments: [production], clock: now }\n" })
  const second = commit({ "flags/cart.yaml": ramp })
  const withId = ["--context", '{"id":"u2"}']
  const found = await lines(...withId)
  expect(found.map((line) => [line.slice(0, 24), line.includes(second)])).toEqual([
    [time(5), true],
    [time(2), true],
    [end.slice(0, 24), false],
  ])
  expect((await evaluate("--context", '{"id":"u2","now":0}')).out.split("\n")).toHaveLength(3)
  await flagstone(["build"])
  expect(await flagstone(["publish", "site"], { now: () => Date.parse(time(2)) })).toMatchObject({
    status: 0,
  })
  const published = ["--published", "site"]
  expect((await lines(...published, ...withId)).slice(0, 2)).toEqual([
    expect.stringMatching(`^${time(5)} .* is \`true\``),
    expect.stringMatching(`^${time(2)} .* is \`false\``),
  ])
  const standing = async (...args: readonly string[]) =>
    (await flagstone(["evaluate", "cart", ...args])).out
      .split("\n")
      .find((line) => line.startsWith("  the ramp"))
  const at = ["--at", second]
  expect([
    await standing(...at),
    await standing(),
    await standing("--context", '{"now":"2020-01-01T00:00:04"}'),
    await standing("--context", `{"now":"${time(4)}"}`),
    await standing(...published, "--context", `{"now":"${time(4)}"}`),
  ]).toEqual([
    "  the ramp of rule 1: no stage has begun; 0.001 % from 2020-01-01 00:00:03 UTC; 100 % from 2020-01-01 00:00:05 UTC; the context has no time in `now`, so it is in no stage",
    "  the ramp of rule 1: 100 % since 2020-01-01 00:00:05 UTC; the context has no time in `now`, so it is in no stage",
    "  the ramp of rule 1: 100 % since 2020-01-01 00:00:05 UTC; `now` is neither a date nor a time with a zone, so it is in no stage",
    "  the ramp of rule 1: 0.001 % since 2020-01-01 00:00:03 UTC; 100 % from 2020-01-01 00:00:05 UTC",
    "  the ramp of rule `a83c48a3`: 0.001 % since 2020-01-01 00:00:03 UTC; 100 % from 2020-01-01 00:00:05 UTC",
  ])
  commit({
    "flags/grown.segment.yaml": `ramp: { by: id, seed: g, stages: ${stages} }\n`,
    "flags/list.yaml": rule("all: [{ segment: grown }, { segment: grown }, { flag: cart }]"),
  })
  const { out } = await flagstone(["evaluate", "list", "--context", `{"now":"${time(6)}"}`])
  expect(out.split("\n").filter((line) => line.includes("ramp"))).toEqual([
    "  the ramp of the segment `grown`: 100 % since 2020-01-01 00:00:05 UTC",
    "  the ramp of the flag `cart`: 100 % since 2020-01-01 00:00:05 UTC",
  ])
})

test("lists and schemas count while the flag or what it depends on names them, and are no flags", async () => {
  const { commit, lines, evaluate, flagstone } = history()
  const listed = "attribute: plan, operator: in, value: { file: plans.txt }"
  commit({ "flags/cart.yaml": rule(listed), "flags/plans.txt": "pro\n", "flags/invariants.yaml": "[]\n" })
  commit({ "flags/plans.txt": "pro\nfree\n" })
  commit({ "flags/cart.yaml": rule("segment: some"), "flags/some.segment.yaml": `{ ${listed} }\n` })
  commit({ "flags/plans.txt": "free\n" })
  commit({
    "flags/cart.yaml": `type: json\nschema: cart.json\n${rule(everyone, "{}").replace("false", "{}")}`,
    "flags/cart.json": "{}\n",
    "flags/some.segment.yaml": undefined,
    "flags/plans.txt": undefined,
  })
  commit({ "flags/other.txt": "a\na\n" })
  commit({ "flags/cart.json": '{ "type": "array" }\n' })
  const since = async (plan: string) =>
    (await lines("--context", JSON.stringify({ plan }))).map((line) => line.split("  ")[0])
  expect(await since("free")).toEqual([...[7, 5, 2, 1].map(time), end])
  expect(await since("pro")).toEqual([...[7, 5, 4, 1].map(time), end])
  expect((await evaluate()).status).toBe(0)
  const missing = await flagstone(["evaluate", "plans", "--environment", "production", "--history"])
  expect(missing.err).toMatch(/no flag `plans`/)
  expect(missing.err).not.toMatch(/plans\.txt|invariants|cart\.json/)
})

test("what is not committed is the newest line if it gives a different value", async () => {
  const { commit, lines, write, evaluate, remove } = history()
  commit({ "flags/cart.yaml": rule("segment: staff"), "flags/staff.segment.yaml": `{ ${pro} }\n` })
  write("flags/cart.yaml", `description: For orders\n${rule("segment: staff")}`)
  expect(await lines()).toHaveLength(2)
  write("flags/cart.yaml", rule("segment: everyone"))
  write("flags/everyone.segment.yaml", `{ ${everyone} }\n`)
  const [first] = await lines()
  expect(first).toBe(
    "not committed yet  `cart` is `true` in `production`, because of rule 1: it matches everyone (flags/cart.yaml:2)",
  )
  expect(JSON.parse((await evaluate("--format", "json")).out.split("\n")[0] ?? "")).not.toHaveProperty(
    "since",
  )
  remove("flags/everyone.segment.yaml")
  expect((await lines())[0]).toMatch(/^not committed yet {2}`cart`, or something .* has mistakes/)
  remove("flags/cart.yaml")
  expect((await lines())[0]).toMatch(/^not committed yet {2}`cart` does not exist/)
})

test("the folder's moves are followed, and an environment that the project does not have has no flags", async () => {
  const { commit, flagstone, folder } = history()
  commit({
    "flags/project.yaml": "project: shop\nenvironments: [staging]\n",
    "flags/cart.yaml": "defaultValue: true\n",
  })
  commit({ "flags/project.yaml": "project: shop\nenvironments: [staging, production]\n" })
  execFileSync("git", ["mv", "flags", "settings"], { cwd: folder })
  commit({ "settings/cart.yaml": rule(everyone, "false") })
  const args = ["evaluate", "cart", "--history", "--flags", "settings", "--environment"]
  const since = async (environment: string) =>
    (await flagstone([...args, environment])).out.split("\n").map((line) => line.split("  ")[0])
  const begins = "the project had no environment `production` before: ask about older commits with --at"
  expect(await since("production")).toEqual([time(3), time(2), begins, ""])
  expect(await since("staging")).toEqual([time(3), time(1), end, ""])
})

test("a merge counts when it arrives, and its pull request is linked", async () => {
  const { commit, git, evaluate } = history()
  commit({ "flags/cart.yaml": rule(pro) })
  git("switch", "-q", "-c", "branch")
  commit({ "flags/cart.yaml": rule(everyone) })
  git("switch", "-q", "main")
  commit({ "README.md": "x" })
  git("merge", "-q", "--no-ff", "-m", "Merge pull request #12 from acme/branch", "branch")
  git("remote", "add", "origin", "git@github.com:acme/shop.git")
  const [merged, first] = (await evaluate("--format", "json")).out.split("\n")
  expect(JSON.parse(merged ?? "")).toMatchObject({
    value: true,
    request: "https://github.com/acme/shop/pull/12",
  })
  expect(JSON.parse(first ?? "")).toMatchObject({ since: time(1), value: false })
})

test("a shallow clone does not know the beginning", async () => {
  const { commit, folder, flagstone } = history()
  commit({ "flags/cart.yaml": rule(pro) })
  commit({ "flags/cart.yaml": rule(everyone) })
  execFileSync("git", ["clone", "-q", "--depth", "1", `file://${folder}`, "clone"], { cwd: folder })
  const { out } = await flagstone([
    "evaluate",
    "cart",
    "--history",
    "--environment",
    "production",
    "--flags",
    "clone/flags",
  ])
  expect(out).toContain("older changes are unknown: the clone is shallow (git fetch --unshallow)")
})

test("with --published, no rules are counted: which of them are arms of one split is not published", async () => {
  const { commit, evaluate, flagstone } = history()
  const split = "split: { by: id, into: [{ share: 1, returnValue: true }, { share: 1, returnValue: false }] }"
  commit({ "flags/cart.yaml": rule(split).replace(", returnValue: true }]", " }]") })
  await flagstone(["build"])
  await flagstone(["publish", "site"])
  const outs = [await evaluate(), await evaluate("--published", "site")].map(({ out }) => out)
  expect(outs).toEqual([
    expect.stringContaining("its only rule does not match"),
    expect.stringContaining("none of its rules matches"),
  ])
})

test("with --published, the times are those of publication, also after a rollback, as far back as the target knows", async () => {
  const { commit, folder, flagstone, evaluate } = history()
  const publish = async (day: number, ...args: readonly string[]) => {
    await flagstone(["build"])
    const now = () => Date.parse(time(day * 86_400))
    expect(
      await flagstone(["publish", "site", ...args], { now, env: { GITHUB_ACTOR: "Ann" } }),
    ).toMatchObject({ status: 0 })
  }
  commit({ "flags/other.yaml": rule(everyone) })
  await publish(1)
  const second = commit({ "flags/cart.yaml": rule(pro) })
  await publish(2)
  const third = commit({ "flags/cart.yaml": rule(everyone) })
  await publish(3)
  await publish(4, "--rollback", second, "--reason", "orders fail")
  const text = async () => (await evaluate("--published", "site")).out.split("\n")
  expect((await text())[0]).toMatch(
    new RegExp(`^${time(4 * 86_400)} .* rolled back to ${second} by Ann: orders fail$`),
  )
  const found = (await evaluate("--published", "site", "--format", "json")).out.trimEnd().split("\n")
  expect(found.map((line) => JSON.parse(line))).toMatchObject([
    {
      since: time(4 * 86_400),
      revision: expect.stringContaining(second),
      value: false,
      rollback: { by: "Ann", reason: "orders fail" },
    },
    { since: time(3 * 86_400), revision: expect.stringContaining(third), value: true, author: folder },
    { since: time(2 * 86_400), revision: expect.stringContaining(second), value: false, isFirst: true },
  ])
  await publish(5, "--resume")
  expect((await text())[0]).toMatch(new RegExp(` rolled back to ${second} by Ann: orders fail$`))
  await publish(6, "--keep", "1")
  expect((await evaluate("--published", "site")).out).toMatch(
    /\nolder changes are unknown: site has no older publication\n$/,
  )
})

test("a flag that never was, no commit yet, several contexts and other options are mistakes", async () => {
  const { commit, flagstone, evaluate } = history()
  expect((await evaluate()).err).toContain("there is no history: the git repository has no commit yet")
  expect((await evaluate("--flags", "nowhere")).err).toMatch(/nowhere.*(project|folder)/)
  commit({ "flags/cart.yaml": rule(pro) })
  const args = ["--environment", "production", "--history"]
  expect(await flagstone(["evaluate", "card", ...args])).toMatchObject({
    status: 2,
    err: expect.stringContaining("the history of production has no flag `card`; did you mean `cart`?"),
  })
  expect((await flagstone(["evaluate", "--all", ...args])).err).toContain("cannot be used with")
  expect((await evaluate("--context", "[]")).status).toBe(2)
  commit({
    "flags/cart.yaml": rule("operator: fullMoon"),
    "flags/project.yaml": "project: shop\nenvironments: [production]\noperators: [fullMoon]\n",
  })
  expect(await evaluate()).toMatchObject({
    status: 1,
    out: expect.stringContaining("cannot be evaluated here"),
  })
})
