import { join } from "node:path"
import { expect, test } from "vitest"
import { diffOf, sideOf } from "../sides.ts"
import { after, before, compared, printed } from "./compared.ts"

test("a document", async () => {
  const json = printed.json(compared(before, after))
  await expect(json).toMatchFileSnapshot(join(import.meta.dirname, "expected.json.txt"))
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
