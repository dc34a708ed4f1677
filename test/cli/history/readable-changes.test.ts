import { expect, test } from "vitest"
import { readableChanges } from "../../../cli/history/readable-changes.ts"

type Changes = Parameters<typeof readableChanges<string>>[0]

const before = new Map([
  ["a.yaml", "A"],
  ["s.segment.yaml", "S"],
])

test.each<readonly [string, Readonly<Record<string, string | undefined>>, object]>([
  ["a version that can be read counts", { "a.yaml": "B" }, { "a.yaml": "B" }],
  ["one that cannot changes nothing", { "a.yaml": "unreadable" }, { "a.yaml": "A" }],
  ["a file that is removed says nothing", { "a.yaml": undefined }, { "a.yaml": undefined }],
  ["a new file that cannot be read says nothing", { "b.yaml": "unreadable" }, { "b.yaml": undefined }],
  [
    "a file that was moved says what it said at its old path",
    { "a.yaml": undefined, "team/a.yml": "unreadable" },
    { "a.yaml": undefined, "team/a.yml": "A" },
  ],
  [
    "and so does a segment",
    { "team/s.segment.yaml": "unreadable", "s.segment.yaml": undefined },
    { "team/s.segment.yaml": "S", "s.segment.yaml": undefined },
  ],
  [
    "a file that stays was not moved",
    { "a.yaml": "B", "team/a.yaml": "unreadable" },
    { "a.yaml": "B", "team/a.yaml": undefined },
  ],
  [
    "another removed file was not moved either",
    { "a.yaml": undefined, "team/b.yaml": "unreadable" },
    { "a.yaml": undefined, "team/b.yaml": undefined },
  ],
])("%s", (_, changes, expected) => {
  expect(Object.fromEntries(readableChanges(new Map(Object.entries(changes)) as Changes, before))).toEqual(
    expected,
  )
})
