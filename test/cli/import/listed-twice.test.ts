import { expect, test } from "vitest"
import { renameEnvironments } from "../../../cli/import/environments.ts"
import { readDocuments } from "../../../cli/import/form/read-file.ts"
import { unleash } from "../../../cli/import/unleash.ts"
import { importTexts } from "./import-text.ts"

const feature = (name: string, userIds: string, more: object = {}) => ({
  ...{ name, enabled: true, strategies: [{ name: "userWithId", parameters: { userIds } }] },
  ...more,
})
const fileOf = (path: string, ...features: readonly object[]) => ({
  ...{ path, environment: undefined },
  text: `{ "version": 1, "features": [\n${features.map((one) => JSON.stringify(one)).join(",\n")}\n] }`,
})

test("a feature that is listed twice with the same meaning is imported once", async () => {
  const [first, second] = ["2023-05-03", "2024-01-23"].map((createdAt) => feature("a", "u1", { createdAt }))
  const { results } = await importTexts(unleash, [fileOf("a.json", first ?? {}, second ?? {})])
  expect(results.map(({ flag, verdict }) => [flag, verdict])).toEqual([["a", "exact"]])
})

test("a feature that is listed twice with two meanings is malformed, and the others are imported", async () => {
  const file = fileOf(
    "a.json",
    feature("a", "u1"),
    feature("b", "u1"),
    feature("a", "u2"),
    feature("a", "u1"),
  )
  const { results, sources } = await importTexts(unleash, [file])
  expect(results.map(({ flag, verdict }) => [flag, verdict])).toEqual([
    ["a", "cannot"],
    ["b", "exact"],
  ])
  expect(results[0]?.losses.map(({ message }) => message)).toEqual([
    "it is listed with different meanings, at 2:1 and 4:1",
  ])
  expect(sources.map(({ path }) => path)).toEqual(["/flags/b.yaml"])
})

test("an environment that --map makes of two is named", () => {
  const environments = [
    { name: "test", enabled: true },
    { name: "production", enabled: true },
  ]
  const file = fileOf("a.json", { name: "a", environments })
  const read = unleash.read(readDocuments(file), {
    strategies: new Map(),
    knownValues: new Map(),
  })
  expect(() => renameEnvironments(read, new Map([["production", "test"]]))).toThrow(
    "--map makes test of test and production, and the flag a is in both",
  )
})
