import { expect, test } from "vitest"
import { parseManifest } from "../../../proxy/contract/manifest.ts"

const environment = { id: "production", file: "production.json", sha256: "0".repeat(64), size: 12, flags: 0 }
const manifest = {
  formatVersion: 1,
  project: "shop",
  revision: null,
  environments: { production: environment },
}

test("a manifest of this version", () => {
  expect(parseManifest(JSON.stringify(manifest))).toEqual({ kind: "valid", value: manifest })
  const dirty = { ...manifest, revision: "5f1d", dirty: true }
  expect(parseManifest(JSON.stringify(dirty))).toEqual({ kind: "valid", value: dirty })
  const time = "2026-11-21T10:00:00.000Z"
  const published = { ...dirty, shallow: true, committedAt: time, publishedAt: time }
  expect(parseManifest(JSON.stringify(published))).toEqual({ kind: "valid", value: published })
})

test("environments named like members of every object", () => {
  const names = ["constructor", "toString", "hasOwnProperty"]
  const environments = Object.fromEntries(names.map((name) => [name, environment]))
  const parsed = parseManifest(JSON.stringify({ ...manifest, environments }))
  if (parsed.kind === "invalid") throw new Error(parsed.reason)
  expect(Object.keys(parsed.value.environments)).toEqual(names)
  expect(parsed.value.environments.valueOf).toBeUndefined()
})

test.each<[string, string]>([
  ["nothing", ""],
  ["half of it", JSON.stringify(manifest).slice(0, 40)],
  ["null", "null"],
  ["a list", "[]"],
  ["no version", JSON.stringify({ ...manifest, formatVersion: undefined })],
  ["an older version", JSON.stringify({ ...manifest, formatVersion: 0 })],
  ["a newer version", JSON.stringify({ ...manifest, formatVersion: 2 })],
  ["no project", JSON.stringify({ ...manifest, project: "" })],
  ["a numeric revision", JSON.stringify({ ...manifest, revision: 1 })],
  ["dirty: false", JSON.stringify({ ...manifest, dirty: false })],
  ["a commit at no time", JSON.stringify({ ...manifest, committedAt: "yesterday" })],
  ["published at no time", JSON.stringify({ ...manifest, publishedAt: 1 })],
  ["no environment", JSON.stringify({ ...manifest, environments: {} })],
  ["a list of environments", JSON.stringify({ ...manifest, environments: [environment] })],
  ["__proto__", JSON.stringify(manifest).replace('"production":{', '"__proto__":{')],
])("%s is refused", (_, text) => {
  expect(parseManifest(text).kind).toBe("invalid")
})

test.each([
  { file: "../production.json" },
  { file: "/etc/passwd" },
  { file: "C:production.json" },
  { file: "a\\b.json" },
  { file: "a//b" },
  { file: "" },
  { file: "x\0.json" },
  { file: 1 },
  { sha256: "0".repeat(63) },
  { sha256: "A".repeat(64) },
  { size: -1 },
  { size: 1.5 },
  { flags: null },
  { id: "" },
])("an environment with %j is refused", (change) => {
  const environments = { production: { ...environment, ...change } }
  expect(parseManifest(JSON.stringify({ ...manifest, environments })).kind).toBe("invalid")
})
