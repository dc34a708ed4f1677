import { expect, test } from "vitest"
import { environmentsOf, refuseEnvironments, renameEnvironments } from "../../../cli/import/environments.ts"
import type { Imported } from "../../../cli/import/form/form.ts"
import { importedProject } from "../../../cli/init/imported-project.ts"

/** Flags, each with the environments in which it is. */
const reading = (...flags: readonly (readonly string[])[]) =>
  ({
    flags: flags.map((environments, at) => ({
      key: `f${at}`,
      configurations: environments.map((environment) => ({
        environment,
        node: { file: { path: `${environment}.json` } },
      })),
    })),
    segments: [{ environment: "test", name: "s" }],
    remarks: [],
  }) as unknown as Imported

test.each([
  [[["production", "test"], ["dev"]], ["test", "dev", "production"], ["production"]],
  [
    [
      ["prd", "a"],
      ["Prod-eu", "PROD"],
    ],
    ["a", "prd", "Prod-eu", "PROD"],
    ["PROD"],
  ],
  [[["live", "prod", "production"]], ["live", "prod", "production"], ["live", "prod", "production"]],
  [[["preview", "products"]], ["preview", "products"], []],
])("the environments of %j are in the order in which changes reach them", (flags, order, guarded) => {
  const project = importedProject("/flags", environmentsOf(reading(...flags)), "shop")
  expect(project.environments.map(({ name }) => name)).toEqual(order)
  expect(project.protected).toEqual(guarded)
  expect(project.source.text.includes("# By their names.")).toBe(guarded.length > 0)
  expect(project.source.path).toBe("/flags/project.yaml")
})

test("environments are renamed in flags and in segments", () => {
  const { flags, segments } = renameEnvironments(reading(["test", "live"]), new Map([["test", "qa"]]))
  expect(flags[0]?.configurations.map(({ environment }) => environment)).toEqual(["qa", "live"])
  expect(segments.map(({ environment }) => environment)).toEqual(["qa"])
})

test("environments that the project lacks are all named", () => {
  const project = importedProject("/flags", ["live", "dev"], "shop")
  expect(() => refuseEnvironments(reading(["live", "dev"]), project)).not.toThrow()
  expect(() => refuseEnvironments(reading(["live", "qa"], ["test"]), project)).toThrow(
    "/flags/project.yaml has no environment `qa` and `test`: add it there, or map it, as in --map qa=live",
  )
})
