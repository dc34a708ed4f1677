import { expect, test } from "vitest"
import { diffOf, shop, sideOf } from "../sides.ts"
import { after, before, compared, printed } from "./compared.ts"

test("a document has each change, with who is affected and how to recognise them", () => {
  const { changes, ...rest } = JSON.parse(printed.json(compared(before, after)))
  expect(rest).toMatchObject({
    formatVersion: 2,
    base: { name: "origin/main", revision: "0123456789abcdef0123456789abcdef01234567" },
    head: { name: "the work tree", revision: null },
    warnings: [{ code: "users-lose" }, { code: "on-before-staging" }, { code: "removed-while-enabled" }],
  })
  const staff = { attribute: "email", operator: "endsWith", value: "@example.com" }
  expect(changes.find(({ kind }: { kind: string }) => kind === "rule-added")).toMatchObject({
    flag: "checkout",
    environment: "production",
    to: 0,
    after: { ...staff, returnValue: true },
    weight: "behaviour",
    summary: "rule 1 added: `email endsWith @example.com` gives `true`",
    affected: [
      { before: false, after: true, exact: true, witness: { email: "@example.com" } },
      {
        sentence:
          "the share of users whose `email` does not end with `@example.com` who get `true` falls from 50 % to 20 %, by `id`",
        before: true,
        after: false,
      },
    ],
    file: "flags/checkout.yaml",
    owner: "team-a",
  })
  expect(changes.find(({ kind }: { kind: string }) => kind === "configured")).toMatchObject({
    flag: "banner",
    weight: "definition",
    affected: [],
    reason: "the flag is disabled in `development`",
  })
})

test("a witness that JSON cannot express is left out", () => {
  const flag = (value: string) => ({
    defaultValue: false,
    environments: {
      production: {
        enabled: true,
        rules: [
          {
            all: [
              { attribute: "x", operator: "equals", value: "-Infinity" },
              { attribute: "x", operator: "lessThan", value },
            ],
            returnValue: true,
          },
        ],
      },
    },
  })
  const { json } = diffOf(sideOf({}), sideOf({ f: flag("0") }))
  const { changes } = JSON.parse(json)
  expect(changes[0].affected).toMatchObject([
    { after: true, exact: true },
    { after: false, exact: true, witness: {} },
  ])
  expect(changes[0].affected[0]).not.toHaveProperty("witness")
})

test("an entry of a ramp has the time for which it holds", () => {
  const flagWith = (...stages: readonly (readonly [string, number])[]) => {
    const ramp = { by: "id", stages: stages.map(([at, share]) => ({ at, share })) }
    const rules = [{ ramp, returnValue: true }]
    return { f: { defaultValue: false, environments: { production: { enabled: true, rules } } } }
  }
  const project = `${shop}clock: now\n`
  const [first, second] = ["2026-12-01T09:00:00.000Z", "2026-12-05T09:00:00.000Z"] as const
  const before = sideOf(flagWith([first, 5], [second, 100]), project)
  const { json } = diffOf(before, sideOf(flagWith([first, 10], [second, 100]), project))
  const [{ affected }] = JSON.parse(json).changes
  expect(affected.map(({ time }: { time: unknown }) => time)).toEqual([{ from: first, until: second }])
})
