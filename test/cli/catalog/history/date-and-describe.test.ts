// @module-tag system
// @module-tag slow
import { expect, test } from "vitest"
import { historyByFlag } from "../../../../cli/catalog/page/history.ts"
import { createRepository, openRepository, type TestRepository } from "../../../repository.ts"
import { dataOf, writeCatalog } from "../catalog-project.ts"

/** The history as readers have it, oldest first: commits by number, then each flag's sentences. */
async function historyOf(
  repository: TestRepository,
  options: Parameters<typeof writeCatalog>[1] = {},
): Promise<readonly string[]> {
  const { text, err } = await writeCatalog(repository, options)
  expect(text, err).not.toBe("")
  const lines = [...historyByFlag(dataOf(text).history)].flatMap(([key, changes]) =>
    changes.map(({ commitAt, change: { environment, what } }) => {
      const where = environment === undefined ? "" : `${environment}: `
      return { commitAt, line: `${commitAt} ${key}: ${where}${what.join("")}` }
    }),
  )
  return lines.sort((a, b) => a.commitAt - b.commitAt).map(({ line }) => line)
}

const projectText = (more = "") => `project: shop\nenvironments: [production]\n${more}`
const on = (enabled: boolean) =>
  `defaultValue: false\nenvironments: { production: { enabled: ${enabled} } }\n`

function start(folder = "flags"): TestRepository {
  const repository = createRepository()
  repository.write(`${folder}/project.yaml`, projectText())
  repository.write(`${folder}/a.yaml`, on(false))
  repository.commit(0)
  return repository
}

/** The first commit, and the switch that each of these tests ends with. */
const usual = ["0 a: flag added", "1 a: production: switched on"]

test("a commit that changes a flag's meaning is in its history", async () => {
  const repository = start()
  repository.write("flags/a.yaml", on(true))
  repository.commit(1)
  expect(await historyOf(repository)).toEqual(usual)
})

test("files that project.yaml ignores today are in no history", async () => {
  const repository = start()
  repository.write("flags/drafts/b.yaml", on(false))
  repository.write("flags/drafts/a.yaml", "key: a\ndefaultValue: true\n")
  repository.write("flags/drafts/s.segment.yaml", "attribute: email\noperator: equals\nvalue: x\n")
  repository.commit(1)
  repository.write("flags/drafts/a.yaml", "key: a\ndefaultValue: false\n")
  repository.remove("flags/drafts/s.segment.yaml")
  repository.commit(2)
  repository.write("flags/project.yaml", projectText("ignore: [drafts/**]\n"))
  repository.write("flags/a.yaml", on(true))
  repository.commit(3)
  expect(await historyOf(repository)).toEqual(usual)
})

test("a flag that one commit copies and a later one removes from its old path stays the same flag", async () => {
  const repository = start()
  repository.write("flags/team/b.yaml", `key: a\n${on(false)}`)
  repository.commit(1)
  repository.remove("flags/a.yaml")
  repository.commit(2)
  repository.write("flags/team/b.yaml", `key: a\n${on(true)}`)
  repository.commit(3)
  expect(await historyOf(repository)).toEqual(usual)
})

test("a shallow clone is refused, or its history begins where the clone does", async () => {
  const repository = start()
  repository.write("flags/a.yaml", on(true))
  repository.commit(1)
  repository.write("flags/a.yaml", on(false))
  repository.commit(2)
  repository.git("clone", "-q", "--depth", "2", `file://${repository.folder}`, ".git/clone")
  const clone = openRepository(`${repository.folder}/.git/clone`)
  expect((await writeCatalog(clone)).err).toContain("shallow")
  expect((await writeCatalog(clone)).status).toBe(1)
  expect(await historyOf(clone, { allowShallow: true })).toEqual([
    "0 a: flag added",
    "1 a: production: switched off",
  ])
  clone.git("fetch", "-q", "--unshallow")
  expect(await historyOf(clone)).toHaveLength(3)
})

test("without a commit there is no history, and the page says so", async () => {
  const repository = createRepository()
  repository.write("flags/project.yaml", projectText())
  repository.write("flags/a.yaml", on(true))
  expect(await historyOf(repository, { out: "index.html" })).toEqual([])
})

test("a condition on another flag names it, and does not spell out its rules", async () => {
  const repository = createRepository()
  const rule = (condition: string) =>
    `defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ ${condition}, returnValue: true }] }\n`
  repository.write("flags/project.yaml", projectText())
  repository.write("flags/beta.yaml", rule("attribute: email, operator: endsWith, value: '@a'"))
  repository.write("flags/a.yaml", rule("attribute: country, operator: equals, value: DE"))
  repository.commit(0)
  repository.write("flags/a.yaml", rule("flag: beta"))
  repository.commit(1)
  const { text } = await writeCatalog(repository)
  const sentences = dataOf(text).history.flatMap(({ changes }) =>
    changes.flatMap(({ what, who }) => [...who.map(({ sentence }) => sentence), what]),
  )
  const words = sentences.map((parts) =>
    parts.map((part, at) => (at % 2 === 0 ? part : `\`${part}\``)).join(""),
  )
  expect(words.filter((one) => one.includes("beta"))).toEqual([
    "`true` instead of `false` for users outside `DE` who get `true` from flag `beta`",
    "`false` instead of `true` for users in `DE` who do not get `true` from flag `beta`",
    "rule 1 edited: `country equals DE` → flag `beta` gives `true`",
  ])
})
