import { expect, test } from "vitest"
import {
  isFlagSource,
  isInvariantsPath,
  isListPath,
  isSchemaPath,
  isSegmentPath,
  isSpecPath,
  keyOfFile,
  segmentNameOf,
} from "../../../../cli/reading/files/file-names.ts"
import { isIgnored, isLeftover } from "../../../../cli/reading/files/ignored-files.ts"
import { isFlagPath, isSourcePath, pathFrom, whyStray } from "../../../../cli/reading/files/read.ts"

test.each([
  ["a.yaml", true],
  ["team/a-1_b.yml", true],
  ["a.b.yaml", true],
  ["é.yaml", true],
  ["plans.segment.yaml", true],
  ["project.yaml", false],
  ["project.yml", false],
  ["team/project.yaml", true],
  ["invariants.yaml", false],
  ["a.spec.yaml", false],
  ["a.yaml.bak", false],
  ["._a.yaml", false],
  [".#a.yaml", false],
  ["team/customers.txt", true],
  ["readme.txt", false],
  ["team/limits.json", true],
  ["flag.schema.json", false],
  ["customers.csv", false],
])("%s may be a flag file, a segment file, or one that these name: %s", (path, is) =>
  expect(isSourcePath(path)).toBe(is),
)

test.each([
  ["a.yaml", "flag"],
  ["team/a.segments.yml", "flag"],
  ["a.segment.yaml", "segment"],
  ["team/a.segment.yml", "segment"],
  ["invariants.yml", "invariants"],
  ["team/invariants.yaml", "invariants"],
  ["my-invariants.yaml", "flag"],
  ["customers.txt", "list"],
  ["team/limits.json", "schema"],
  ["team/flag.schema.json", "nothing"],
  ["segment.schema.json", "nothing"],
  ["invariants.schema.json", "nothing"],
  ["project.schema.json", "nothing"],
  ["spec.schema.json", "nothing"],
  ["a.spec.yml", "spec"],
])("%s is the file of a %s", (path, kind) => {
  expect(isSegmentPath(path)).toBe(kind === "segment")
  expect(isInvariantsPath(path)).toBe(kind === "invariants")
  expect(isListPath(path)).toBe(kind === "list")
  expect(isSchemaPath(path)).toBe(kind === "schema")
  expect(isSpecPath(path)).toBe(kind === "spec")
  expect(isFlagPath(path)).toBe(kind === "flag")
  if (kind !== "nothing" && kind !== "spec") expect(isFlagSource(path)).toBe(kind === "flag")
})

test.each([
  ["a.yaml", "a"],
  ["team/a.b.yml", "a.b"],
  ["team/sub/a", "a"],
])("the key of %s is %s", (path, key) => expect(keyOfFile(path)).toBe(key))

test.each([
  ["staff.segment.yaml", "staff"],
  ["team/staff.x.segment.yml", "staff.x"],
])("the segment of %s is %s", (path, name) => expect(segmentNameOf(path)).toBe(name))

test("a path is relative to the folder, with or without a separator at its end", () => {
  expect(pathFrom("/flags", "/flags/team/a.yaml")).toBe("team/a.yaml")
  expect(pathFrom("/", "/team/a.yaml")).toBe("team/a.yaml")
})

test.each([
  ..."README ReadMe.md readme.rst readme.adoc OWNERS CODEOWNERS .gitkeep .gitignore .gitattributes".split(
    " ",
  ),
  ..."thumbs.db Desktop.ini .editorconfig .DS_Store ._x a.yaml~ #a.yaml# .#a.yaml a.bak a.yaml.orig".split(
    " ",
  ),
  ...".a.yaml.swp .a.swa .a.yaml.new".split(" "),
])("%s is left by users or programs", (name) => {
  expect([isLeftover(name), isLeftover(`team/${name}`), isIgnored(name)]).toEqual([true, true, true])
})

test.each([
  ..."readme.yaml a-readme.md owners xOWNERS .gitkeeper x.gitignore thumbs.dbx #a.yaml a# a.baks".split(" "),
  ..."a.swp .a.swq a.yaml.new .new.yaml".split(" "),
])("%s is not", (name) => expect(isLeftover(name)).toBe(false))

test.each([
  ["a.yaml", true, undefined],
  ["a.spec.yml", true, undefined],
  ["customers.txt", true, undefined],
  ["a.yaml", false, "Not a regular file: links and devices are not followed. Put the flag file itself here."],
  [
    "team/a.csv",
    true,
    "Not a flag file: only `.yaml` and `.yml` files belong here. Move it elsewhere, or add `team/a.csv` to `ignore` in project.yaml.",
  ],
  ["project.yml", true, "The project file is `project.yaml`, next to this file. Remove this one."],
  ["team/project.yml", true, undefined],
])("%s (a regular file: %s) is stray: %s", (path, isRegular, why) =>
  expect(whyStray(`/flags/${path}`, isRegular, "/flags")).toBe(why),
)
