// @module-tag system
import { expect, test } from "vitest"
import { createProjectRepository, createRepository, time } from "../../repository.ts"

const flagOf = (value: boolean) =>
  `defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ operator: always, returnValue: ${value} }] } }\n`

/** A repository whose flag was off, on and off again, and is not committed as it is now. */
function history() {
  const repository = createProjectRepository()
  const commits = [false, true, false].map((value, at) => {
    repository.write("flags/cart.yaml", flagOf(value))
    return repository.commit((at + 1) * 86_400)
  })
  repository.write("flags/cart.yaml", "defaultValue: [\n")
  const evaluate = (...args: readonly string[]) =>
    repository.flagstone(["evaluate", "cart", "--environment", "production", ...args])
  return { ...repository, commits, evaluate }
}

test("a revision, a date or a time is the commit of that moment, and the answer names it", async () => {
  const { evaluate, commits } = history()
  const [first = "", second = ""] = commits
  for (const at of [second.slice(0, 8), "HEAD~1", time(2 * 86_400), time(3 * 86_400 - 1), "2020-01-03"])
    expect((await evaluate("--at", at)).out).toBe(
      `at ${second.slice(0, 10)}, ${time(2 * 86_400)}: at 172800\n\`cart\` is \`true\` in \`production\`, because of rule 1: it matches everyone (flags/cart.yaml:2)\n`,
    )
  const json = JSON.parse((await evaluate("--at", "2020-01-02", "--format", "json")).out)
  expect(json).toMatchObject({ revision: first, value: false })
})

test("a moment before the repository or the flag, and what is no moment, are mistakes", async () => {
  const { evaluate, flagstone } = history()
  for (const [at, message] of [
    ["2019-12-31", "no commit is as old as 2019-12-31"],
    ["2020-13-45", "2020-13-45 is not a date"],
    ["2020-02-30", "2020-02-30 is not a date"],
    ["2020-02-01T25:00:00Z", "2020-02-01T25:00:00Z is not a date or time"],
    ["nowhere", "no commit `nowhere` in this clone"],
    ["2020-01-02 17:18", ". Write a time as 2026-11-20T09:00:00Z"],
    ["-1", "no commit `-1` in this clone"],
  ] as const)
    expect(await evaluate("--at", at)).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringContaining(message),
    })
  expect(
    (await flagstone(["evaluate", "card", "--at", "HEAD", "--environment", "production"])).err,
  ).toContain("no flag `card`; did you mean `cart`?")
})

test("a commit without flags, and one with errors, say so", async () => {
  const repository = createRepository()
  repository.write("README.md", "x")
  repository.commit(1)
  const project = createProjectRepository()
  project.write("flags/cart.yaml", "defaultValues: false\n")
  project.commit(1)
  const args = ["evaluate", "cart", "--environment", "production", "--at", "HEAD"]
  expect(await project.flagstone(args)).toMatchObject({
    status: 1,
    err: expect.stringMatching(
      /\n1 error in [0-9a-f]{10}, 2020-01-01T00:00:01.000Z: at 1: nothing was evaluated\n/,
    ),
  })
  expect(await project.flagstone([...args, "--flags", "elsewhere"])).toMatchObject({
    status: 2,
    err: expect.stringContaining("there are no flags in"),
  })
})

test("mistakes in invariants are mentioned, and change no value", async () => {
  const { evaluate, write, commit } = history()
  write("flags/cart.yaml", flagOf(true))
  write("flags/invariants.yaml", "- { name: Never, never: { flag: cart, is: 5 } }\n")
  commit(5 * 86_400)
  expect(await evaluate("--at", "HEAD")).toMatchObject({
    status: 0,
    out: expect.stringContaining("`cart` is `true`"),
    err: expect.stringMatching(/^1 error in invariants in .*; values do not depend on them\n$/),
  })
})

test("a commit that had the flags in a different folder says how to name it", async () => {
  const { evaluate, move, remove, commit, write, commits } = history()
  remove("flags/cart.yaml")
  move("flags", "settings/flags")
  write("settings/flags/cart.yaml", flagOf(true))
  commit(4 * 86_400)
  const moved = (...args: readonly string[]) => evaluate("--at", "HEAD~1", ...args)
  expect((await moved("--flags", "settings/flags")).err).toBe(
    `flagstone: there are no flags in ${commits[2]?.slice(0, 10)}, ${time(3 * 86_400)}: at 259200; if they were in a different folder, name it with --flags\n`,
  )
  expect((await moved("--flags", "flags")).out).toContain("`cart` is `false`")
})
