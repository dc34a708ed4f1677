// @module-tag system
// @module-tag slow
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { makeCatalog } from "../../../cli/catalog/catalog.ts"
import type { CatalogOptions } from "../../../cli/commands/catalog.ts"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { compileOptions } from "../../../cli/project/build-project.ts"
import { readInput } from "../../../cli/project/input.ts"
import { readProject } from "../../../cli/reading/project.ts"
import type { TestRepository } from "../../repository.ts"
import { testHost } from "../../test-host.ts"
import { createCatalogProject, writeCatalog } from "./catalog-project.ts"

type Change = Partial<CatalogOptions> | ((repository: TestRepository) => void)

function cacheFile({ folder }: TestRepository): string {
  const cache = join(folder, ".git/flagstone")
  return join(cache, readdirSync(cache).find((name) => name.endsWith(".sentences")) ?? "none")
}

const read = ({ folder }: TestRepository, path: string) => readFileSync(join(folder, path), "utf8")
const segment = (ending: string) => `attribute: email\noperator: endsWith\nvalue: '${ending}'\n`

/** The project, its flags all committed, with a segment. */
function createProject(): TestRepository {
  const repository = createCatalogProject()
  repository.write("flags/staff.segment.yaml", segment("@a.example"))
  repository.write(
    "flags/user.yaml",
    "defaultValue: false\nenvironments:\n  production: { enabled: true, rules: [{ segment: staff, returnValue: true }] }\n",
  )
  repository.commit(3 * 86_400)
  return repository
}

/** Changes that give a different page, even if the commit and the values of apps stay the same. */
const changes: Readonly<Record<string, Change>> = {
  "a base URL": { baseUrl: "https://github.com/acme/shop" },
  "no authors": { authors: false },
  "a new case in a spec": (repository) =>
    repository.write(
      "flags/checkout.spec.yaml",
      `${read(repository, "flags/checkout.spec.yaml")}  - { environment: development, expect: false }\n`,
    ),
  "a removed spec": (repository) => repository.remove("flags/checkout.spec.yaml"),
  "a new owner": (repository) =>
    repository.write("flags/same.yaml", read(repository, "flags/same.yaml").replace("team-b", "team-c")),
  "rules on other lines": (repository) =>
    repository.write("flags/checkout.yaml", `# Looked at.\n${read(repository, "flags/checkout.yaml")}`),
  "a changed segment": (repository) => repository.write("flags/staff.segment.yaml", segment("@b.example")),
  "a file that moved": (repository) => repository.move("flags/same.yaml", "flags/team/same.yaml"),
  "a spec that the project ignores": (repository) =>
    repository.write(
      "flags/project.yaml",
      `${read(repository, "flags/project.yaml")}ignore: ["*.spec.yaml"]\n`,
    ),
  "a commit that changes no flag": (repository) => {
    repository.write("README.md", "x\n")
    repository.commit(5 * 86_400)
  },
}

describe("a catalogue with a cache", () => {
  test.each(Object.entries(changes))("%s gives another page, as without a cache", async (_name, change) => {
    const repository = createProject()
    const before = await writeCatalog(repository)
    if (typeof change === "function") change(repository)
    const options = typeof change === "function" ? {} : change
    const after = await writeCatalog(repository, options)
    expect(after.err + after.text).not.toBe("")
    expect(after.text).not.toBe(before.text)
    expect(after.text).toBe((await writeCatalog(repository, { ...options, cache: false })).text)
  })

  test("hides no diagnostic", async () => {
    const repository = createProject()
    repository.write("flags/same.yaml", "defaultValue: &unused false\n")
    repository.commit(4 * 86_400)
    const { err, text } = await writeCatalog(repository)
    expect(err).toContain("unused-anchor")
    expect(await writeCatalog(repository)).toMatchObject({ err, text })
    writeFileSync(join(repository.folder, "flags/broken.yaml"), Buffer.of(0xff)) // as many diagnostics, but no flag
    expect(await writeCatalog(repository)).toMatchObject({ status: 1 })
  })

  test("of a complete clone does not hide that it has become shallow", async () => {
    const repository = createProject()
    repository.git("clone", "-q", `file://${repository.folder}`, ".git/clone")
    const clone = { ...repository, folder: join(repository.folder, ".git/clone") }
    expect((await writeCatalog(clone)).status).toBe(0)
    repository.git("-C", clone.folder, "fetch", "-q", "--depth=1")
    expect(await writeCatalog(clone)).toMatchObject({
      status: 1,
      err: expect.stringContaining("shallow-clone"),
    })
  })

  test("with links differs from one without them only in these", async () => {
    const repository = createProject()
    const { text } = await writeCatalog(repository)
    const host = testHost({ cwd: repository.folder })
    const options = compileOptions({ flags: "flags" }, host)
    const project = readProject(join(repository.folder, "flags"), createReport())
    if (project === undefined) throw new Error("no project")
    const made = await makeCatalog({
      ...{
        options,
        report: createReport(),
        authors: true,
        baseUrl: Promise.resolve(undefined),
        editBranch: Promise.resolve(undefined),
      },
      input: await readInput(project, host.git, createReport(), options),
      links: [{ text: "Commands", href: "/commands" }],
    })
    expect(made?.page.toString("utf8")).toBe(
      text.replace("</time></p>", '</time> · <a href="/commands">Commands</a></p>'),
    )
    expect((await writeCatalog(repository)).text).toBe(text)
  })

  test("is the same if the cache is damaged", async () => {
    const repository = createProject()
    const { text } = await writeCatalog(repository)
    truncateSync(cacheFile(repository), 1000)
    expect((await writeCatalog(repository)).text).toBe(text)
  })

  test("neither reads nor writes one when told not to", async () => {
    const repository = createProject()
    await writeCatalog(repository, { cache: false })
    expect(() => cacheFile(repository)).toThrow("ENOENT")
  })

  test("is the same as without one after each of many edits", async () => {
    const repository = createProject()
    await writeCatalog(repository)
    for (const [at, [name, edit]] of edits.entries()) {
      edit(repository)
      for (const commit of [false, true]) {
        if (commit) repository.commit((4 + at) * 86_400)
        const { text, status } = await writeCatalog(repository)
        const anew = await writeCatalog(repository, { cache: false })
        expect(status, name).toBe(anew.status)
        expect(text === anew.text, `${name}, ${commit ? "" : "not "}committed`).toBe(true)
      }
    }
  })
})

const flagText = (share: number) =>
  `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules: [{ attribute: userId, operator: percentage, value: "${share}", returnValue: true }]\n`

/** One after the other. */
const edits: readonly (readonly [string, (repository: TestRepository) => void])[] = [
  ["an added flag", (repository) => repository.write("flags/a-new.yaml", flagText(9))],
  ["a share", (repository) => repository.write("flags/a-new.yaml", flagText(55))],
  ["a removed flag", (repository) => repository.remove("flags/same.yaml")],
  ["a flag that is renamed", (repository) => repository.move("flags/user.yaml", "flags/renamed.yaml")],
  ["a restored flag", (repository) => repository.write("flags/same.yaml", flagText(3))],
  ["a segment", (repository) => repository.write("flags/staff.segment.yaml", segment("@b.example"))],
  [
    "a segment that moves",
    (repository) => repository.move("flags/staff.segment.yaml", "flags/team/staff.segment.yaml"),
  ],
  ["a flag that cannot be read", (repository) => repository.write("flags/a-new.yaml", "defaultValue: [\n")],
  ["and that can be read again", (repository) => repository.write("flags/a-new.yaml", flagText(8))],
]
