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

test("renaming or moving a file changes nothing; a later edit does", async () => {
  const repository = start()
  repository.write("flags/a.yaml", `key: a\n${on(false)}`)
  repository.commit(1)
  repository.move("flags/a.yaml", "flags/team/b.yaml")
  repository.commit(2)
  repository.write("flags/team/b.yaml", `key: a\n${on(true)}`)
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

test("of two files with the same key, the flag is the one whose path sorts first, as for its times", async () => {
  const repository = start()
  for (const enabled of [true, false, true]) {
    repository.write("flags/team/a.yaml", on(enabled))
    repository.commit(enabled ? 1 : 2)
  }
  repository.remove("flags/a.yaml")
  repository.commit(3)
  expect(await historyOf(repository)).toEqual(usual)
})

test("a version that cannot be read leaves the flag as it was, even if it is moved", async () => {
  const repository = start()
  repository.write("flags/a.yaml", "a: [\n")
  repository.commit(1)
  repository.move("flags/a.yaml", "flags/team/a.yaml")
  repository.commit(2)
  repository.write("flags/team/a.yaml", on(false))
  repository.commit(3)
  repository.write("flags/team/a.yaml", on(true))
  repository.commit(4)
  expect(await historyOf(repository)).toEqual(usual)
})

test("the same for a segment", async () => {
  const repository = createRepository()
  const segment = (value: string) => `attribute: email\noperator: equals\nvalue: ${value}\n`
  repository.write("flags/project.yaml", projectText())
  repository.write("flags/s.segment.yaml", segment("x"))
  repository.write(
    "flags/a.yaml",
    "defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ segment: s, returnValue: true }] }\n",
  )
  repository.commit(0)
  repository.write("flags/s.segment.yaml", "[\n")
  repository.commit(1)
  repository.write("flags/s.segment.yaml", segment("x"))
  repository.commit(2)
  expect(await historyOf(repository)).toEqual(["0 a: flag added"])
})

test("after a version that cannot be read, the history continues from the one that can", async () => {
  const repository = start()
  repository.write("flags/a.yaml", "a: [\n")
  repository.commit(1)
  repository.write("flags/a.yaml", on(false)) // not committed, so that there is a catalogue
  expect(await historyOf(repository)).toEqual(["0 a: flag added"])
  repository.commit(2)
  repository.write("flags/a.yaml", on(true))
  repository.commit(3)
  expect(await historyOf(repository)).toEqual(usual)
})

test("for a merge, the commit on the main line counts", async () => {
  const repository = start()
  repository.git("switch", "-q", "-c", "topic")
  repository.write("flags/a.yaml", on(true))
  repository.commit(1)
  repository.write("flags/a.yaml", on(false))
  repository.commit(2)
  repository.write("flags/a.yaml", on(true))
  repository.commit(3)
  repository.git("switch", "-q", "main")
  repository.write("README.md", "shop\n")
  repository.commit(4)
  repository.git("merge", "-q", "--no-ff", "-m", "merge", "topic")
  expect(await historyOf(repository)).toEqual(usual)
})

test("flags in a folder of a large repository, which was moved", async () => {
  const repository = start("apps/shop/flags")
  repository.write("apps/shop/main.ts", "")
  repository.commit(1)
  repository.move("apps/shop", "services/shop")
  repository.commit(2)
  repository.write("services/shop/flags/a.yaml", on(true))
  repository.commit(3)
  const options = { flags: "services/shop/flags" }
  expect(await historyOf(repository, options)).toEqual(usual)
  expect((await writeCatalog(repository, options)).text).toContain("<p>services/shop/flags/a.yaml")
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
    "`true` instead of `false` for users who get `true` from flag `beta` outside `DE`",
    "`false` instead of `true` for users in `DE` who do not get `true` from flag `beta`",
    "rule 1 edited: `country equals DE` → flag `beta` gives `true`",
  ])
})
