// @module-tag system
// @module-tag slow
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createProjectRepository, time } from "../../repository.ts"

const flagOf = (value: string) =>
  `type: string\ndefaultValue: none\nenvironments: { production: { enabled: true, rules: [{ operator: always, returnValue: ${value} }] } }\n`

/** A repository that publishes to the folder `site`; times are in days after 2020. */
function publisher() {
  const repository = createProjectRepository()
  const now = (day: number) => () => Date.parse(time(day * 86_400))
  const publish = async (day: number, ...args: readonly string[]) =>
    expect(
      await repository.flagstone(["publish", "site", ...args], { now: now(day) }),
      `publishing on day ${day}`,
    ).toMatchObject({ status: 0 })
  const release = async (value: string, day: number, ...args: readonly string[]) => {
    repository.write("flags/cart.yaml", flagOf(value))
    const revision = repository.commit((day - 1) * 86_400)
    await repository.flagstone(["build"])
    await publish(day, ...args)
    return revision
  }
  const evaluate = (...args: readonly string[]) =>
    repository.flagstone(["evaluate", "cart", "--environment", "production", "--published", "site", ...args])
  const valueOn = async (day: number) => {
    const { out, err } = await evaluate("--at", time(day * 86_400), "--format", "json")
    return out === "" ? err : JSON.parse(out).value
  }
  return { ...repository, publish, release, evaluate, valueOn }
}

test("what readers had at a time is the revision of that time, and the answer names it", async () => {
  const { evaluate, release } = publisher()
  const first = await release("one", 10)
  const second = await release("two", 20)
  expect((await evaluate("--at", time(15 * 86_400))).out).toBe(
    `at ${first.slice(0, 10)}, published ${time(864_000)}: at 777600\n` +
      '`cart` is `"one"` in `production`, because of rule `d4565f76`: it matches everyone\n',
  )
  expect(JSON.parse((await evaluate("--format", "json")).out)).toMatchObject({
    revision: second,
    value: "two",
  })
  expect(JSON.parse((await evaluate("--at", first.slice(0, 9), "--format", "json")).out)).toMatchObject({
    revision: first,
  })
  expect((await evaluate("--at", "HEAD~1")).out).toContain(`at ${first.slice(0, 10)}, published`)
  expect((await evaluate("--at", "HEAD~2")).err).toContain("site has no revision HEAD~2")
})

test("after rollbacks, each time has what was current then", async () => {
  const { release, publish, valueOn } = publisher()
  const first = await release("one", 10)
  const second = await release("two", 20)
  await release("three", 30)
  await publish(40, "--rollback", second)
  await publish(50, "--rollback", first)
  const values = await Promise.all([15, 25, 35, 45, 55].map(valueOn))
  expect(values).toEqual(["one", "two", "three", "two", "one"])
})

test("times before the first publication, and those that pruning has forgotten, are not guessed", async () => {
  const { release, publish, valueOn } = publisher()
  const first = await release("one", 10)
  expect(await valueOn(9)).toContain(
    `site does not know what readers had at ${time(9 * 86_400)}: its oldest publication is of ${time(10 * 86_400)}`,
  )
  await release("two", 20)
  await release("three", 30)
  await publish(40, "--rollback", first, "--keep", "2")
  expect(await valueOn(25)).toContain("its oldest publication is of") // not "one", which is older and is still there
  expect(await Promise.all([35, 45].map(valueOn))).toEqual(["three", "one"])
})

test("a target without publications, a damaged document, and a name that is none are mistakes", async () => {
  const { evaluate, release, folder, flagstone } = publisher()
  expect(await evaluate()).toMatchObject({
    status: 2,
    err: expect.stringContaining("site has no publication"),
  })
  await release("one", 10)
  for (const [at, message] of [
    ["2020-02-30", "2020-02-30 is not a date"],
    ["abc", "site has no revision abc"],
  ] as const)
    expect(await evaluate("--at", at)).toMatchObject({ status: 2, err: expect.stringContaining(message) })
  expect(
    await flagstone(["evaluate", "cart", "--published", "site", "--environment", "producton"]),
  ).toMatchObject({ status: 2, err: expect.stringContaining("did you mean `production`?") })
  for (const file of readdirSync(join(folder, "site/snapshots"))) rmSync(join(folder, "site/snapshots", file))
  expect(await evaluate()).toMatchObject({ status: 2, err: expect.stringContaining("is missing or damaged") })
})
