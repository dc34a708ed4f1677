import { expect, test } from "vitest"
import { openSide, openSides } from "../../../../cli/diff/sides/open-sides.ts"
import { memoryFiles } from "../../../../cli/project/files.ts"

const filesOf = (files: Readonly<Record<string, string>>) =>
  memoryFiles(
    "/p",
    Object.entries(files)
      .map(([name, text]) => ({ path: `/p/${name}`, text }))
      .sort((a, b) => (a.path < b.path ? -1 : 1)),
  )

const rule = (condition: string) =>
  `defaultValue: false\nenvironments: { live: { enabled: true, rules: [{ ${condition}, returnValue: true }] } }\n`
const project = `project: p
environments: [live]
attributes: { appVersion: { type: version }, plan: { type: text, values: [free, pro] } }
tags: [ops]
`
const files = {
  "project.yaml": project,
  "edited.yaml": rule("attribute: plan, operator: equals, value: pro"),
  "other.yaml": `owner: o\ntags: [ops]\n${rule("attribute: appVersion, operator: semverGreaterThan, value: '4.2'")}`,
}

test.each<readonly [string, string, string]>([
  ["another type for an attribute", "type: version", "type: text"],
])("an edit of the project file shows what is wrong with files that stay: %s", async (_, from, to) => {
  const edited = { ...files, "project.yaml": project.replace(from, to) }
  const own = from === "tags:" && to.startsWith("operators")
  const withOwn = { ...edited, "own.yaml": rule("attribute: plan, operator: mine, value: pro") }
  const [good, bad] = own ? [withOwn, { ...withOwn, "project.yaml": project }] : [files, edited]
  const there = await openSides(filesOf(good), filesOf(bad))
  expect([there.before.errors, there.after.errors.length > 0]).toEqual([[], true])
  const back = await openSides(filesOf(bad), filesOf(good))
  expect([back.before.errors.length > 0, back.after.errors]).toEqual([true, []])
})

test("without an edit of the project file, a file that stays is not checked", async () => {
  const broken = { ...files, "broken.yaml": "defaultValue: maybe\n" }
  const { before, after } = await openSides(
    filesOf(broken),
    filesOf({ ...broken, "edited.yaml": rule("attribute: plan, operator: equals, value: free") }),
  )
  expect([...before.errors, ...after.errors]).toEqual([])
  expect(after.flags.map(({ key }) => key)).toEqual(["edited"])
})

test("broken keys are those of flags that have mistakes or cannot be read, and of no other file", async () => {
  const broken = {
    "project.yaml": `${project}fastLane: [{ environments: [live], only: { segment: nowhere } }]\n`,
    "staff.segment.yaml": "attribute: plan\n",
    "list.txt": "a\rb\n",
    "unread.yaml": "- no flag\n",
    "wrong.yaml": "key: other-key\ndefaultValue: maybe\n",
    "user.yaml": rule("segment: staff"),
  }
  const side = await openSide(filesOf({ ...files, ...broken }))
  expect([...side.brokenKeys].sort()).toEqual(["other-key", "unread", "user"])
  expect(side.flags.map(({ key }) => key)).toEqual(["edited", "other"])
})
