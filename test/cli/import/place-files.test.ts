import { expect, test } from "vitest"
import { placeFiles } from "../../../cli/import/place-files.ts"

/** Keys, and the files of those that can be one, each with its `key:` where the file's name is not the key. */
test.each([
  [
    ["a", "b"],
    ["a.yaml", "b.yaml"],
  ],
  [["a/b"], ["a/b.yaml a/b"]],
  [
    ["A", "a", "A-2"],
    ["A.yaml", "a-2.yaml a", "A-2-2.yaml A-2"],
  ],
  [
    ["con", "CON.x", "lpt1", "com10", "console"],
    ["_con_.yaml con", "_CON.x_.yaml CON.x", "_lpt1_.yaml lpt1", "com10.yaml", "console.yaml"],
  ],
  [
    ["project", "invariants", "a.spec", "a.segment", "a.", "projects"],
    [
      "_project_.yaml project",
      "_invariants_.yaml invariants",
      "_a.spec_.yaml a.spec",
      "_a.segment_.yaml a.segment",
      "_a._.yaml a.",
      "projects.yaml",
    ],
  ],
  [
    ["x//y", "x/.y"],
    ["x/__/y.yaml x//y", "x/_.y_.yaml x/.y"],
  ],
  [["-a", "", "a b", "ok"], ["ok.yaml"]],
  [
    ["x".repeat(150), `${"x".repeat(150)}y`],
    [`${"x".repeat(150)}.yaml`, `${"x".repeat(150)}-2.yaml ${"x".repeat(150)}y`],
  ],
])("the keys %j are in these files: %j", (keys, files) => {
  const found = [...placeFiles(keys, "/flags").values()]
  expect(
    found.map(({ path, key }) => `${path.replace("/flags/", "")}${key === undefined ? "" : ` ${key}`}`),
  ).toEqual(files)
})
