import { readdirSync, statSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createRepository, openRepository, type TestRepository } from "../../../repository.ts"
import { writeCatalog } from "../catalog-project.ts"

function partsFile({ folder }: TestRepository): string {
  const cache = join(folder, ".git/flagstone")
  return join(cache, readdirSync(cache).find((name) => name.endsWith(".flags-page")) ?? "none")
}

const flagText = (share: number, more = "") =>
  `defaultValue: false\n${more}environments:\n  staging: { enabled: true, rules: [{ operator: always, returnValue: true }] }\n` +
  `  production:\n    enabled: true\n    rules: [{ attribute: userId, operator: percentage, value: "${share}", returnValue: true }]\n`

/** Enough flags that a few edited ones are made anew and not written. */
function createLargeProject(): TestRepository {
  const repository = createRepository()
  repository.write("flags/project.yaml", "project: shop\nenvironments: [staging, production]\n")
  repository.write("flags/staff.segment.yaml", "attribute: email\noperator: endsWith\nvalue: '@a.example'\n")
  for (let flag = 0; flag < 250; flag++)
    repository.write(
      `flags/flag-${String(flag).padStart(3, "0")}.yaml`,
      flagText(flag % 7, `owner: team-${flag % 3}\n`),
    )
  repository.write(
    "flags/user.yaml",
    "defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ segment: staff, returnValue: true }] }\n",
  )
  repository.commit(0)
  return openRepository(repository.folder)
}

/** One after the other, each on top of what was remembered of those before. */
const edits: readonly (readonly [string, (repository: TestRepository) => void])[] = [
  ["a share that no flag had", (repository) => repository.write("flags/flag-004.yaml", flagText(55))],
  [
    "an owner that stands first",
    (repository) => repository.write("flags/flag-000.yaml", flagText(1, "owner: abc\n")),
  ],
  ["a flag that comes", (repository) => repository.write("flags/a-new.yaml", flagText(99, "tags: [x]\n"))],
  ["a flag that goes", (repository) => repository.remove("flags/flag-002.yaml")],
  ["a flag that is renamed", (repository) => repository.move("flags/flag-003.yaml", "flags/renamed.yaml")],
  ["a flag that comes back", (repository) => repository.write("flags/flag-002.yaml", flagText(3))],
  [
    "a spec",
    (repository) =>
      repository.write(
        "flags/flag-005.spec.yaml",
        "flag: flag-005\ncases:\n  - { environment: staging, expect: true }\n",
      ),
  ],
  [
    "another case",
    (repository) =>
      repository.write("flags/flag-005.spec.yaml", "flag: flag-005\ncases:\n  - { expect: true }\n"),
  ],
  [
    "a segment",
    (repository) =>
      repository.write(
        "flags/staff.segment.yaml",
        "attribute: email\noperator: endsWith\nvalue: '@b.example'\n",
      ),
  ],
  [
    "a flag that cannot be read",
    (repository) => repository.write("flags/flag-006.yaml", "defaultValue: [\n"),
  ],
  ["and that can be read again", (repository) => repository.write("flags/flag-006.yaml", flagText(8))],
]

test("parts that are remembered and parts that are made anew give the page that all anew give", async () => {
  const repository = createLargeProject()
  await writeCatalog(repository)
  const written = statSync(partsFile(repository)).ino
  for (const [at, [name, edit]] of edits.entries()) {
    edit(repository)
    for (const commit of [false, true]) {
      if (commit) repository.commit((at + 1) * 86_400)
      const { text, status } = await writeCatalog(repository)
      const anew = await writeCatalog(repository, { cache: false })
      expect(status, name).toBe(anew.status)
      expect(text === anew.text, `${name}, ${commit ? "" : "not "}committed`).toBe(true)
    }
  }
  expect(statSync(partsFile(repository)).ino).not.toBe(written) // by now more than one of a hundred is new
})

test("a few new parts are not written: to make them again costs less", async () => {
  const repository = createLargeProject()
  await writeCatalog(repository)
  const written = statSync(partsFile(repository)).ino
  repository.write("flags/flag-004.yaml", flagText(55))
  await writeCatalog(repository)
  expect(statSync(partsFile(repository)).ino).toBe(written)
})

test("damaged parts are made anew", async () => {
  const repository = createLargeProject()
  await writeCatalog(repository)
  truncateSync(partsFile(repository), 5000)
  repository.write("flags/flag-004.yaml", flagText(55))
  const { text } = await writeCatalog(repository)
  expect(text).toBe((await writeCatalog(repository, { cache: false })).text)
})
