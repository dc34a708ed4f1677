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
  ["a.json", false],
])("%s may be a flag file or a segment file: %s", (path, is) => expect(isSourcePath(path)).toBe(is))
