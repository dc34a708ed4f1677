import { expect, test } from "vitest"
import { versionOfFlag } from "../../../cli/history/flag-version.ts"
import { readOldFlag } from "../../../cli/history/old-version.ts"
import { shop, sideOf } from "../diff/sides.ts"

test("a version of a flag stays small, because the history keeps all of them in memory", () => {
  const { project } = sideOf({}, shop)
  const large = "x".repeat(100_000)
  const rules = [{ operator: "always", returnValue: { large } }]
  const file = {
    type: "json",
    defaultValue: { large },
    environments: { production: { enabled: true, rules } },
  }
  const flag = project && readOldFlag(Buffer.from(JSON.stringify(file)), "a.yaml", project)
  const version = flag && versionOfFlag(flag, "a.yaml", "0")
  const { key, definition, defaultValue, configurations } = version ?? {}
  expect(key).toBe("a")
  expect(JSON.stringify([definition, defaultValue, ...(configurations ?? [])]).length).toBeLessThan(300)
})
