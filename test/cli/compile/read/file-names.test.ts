import { expect, test } from "vitest"
import { isSourcePath } from "../../../../cli/compile/read/read.ts"

test.each([
  ["a.yaml", true],
  ["team/a-1_b.yml", true],
  ["a.b.yaml", true],
  ["é.yaml", true],
  ["plans.segment.yaml", true],
  ["project.yaml", false],
  ["project.yml", false],
  ["team/project.yaml", true],
  ["a.spec.yaml", false],
  ["a.Segment.yaml", false],
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
