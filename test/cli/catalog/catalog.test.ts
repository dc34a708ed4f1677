// @module-tag system
import { hash } from "node:crypto"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { historyByFlag } from "../../../cli/catalog/page/history.ts"
import { createRepository } from "../../repository.ts"
import { createCatalogProject, dataOf, readable, writeCatalog } from "./catalog-project.ts"

/** How many changes each flag has had. */
function historiesOf(text: string): ReadonlyMap<string, number> {
  const histories = [...historyByFlag(dataOf(text).history)]
  return new Map(histories.map(([key, changes]) => [key, changes.length]))
}

/** A readable page, in which commits and the author, whose name is the folder, have names that do not change. */
function stable(text: string, folder: string): string {
  const names = new Map<string, string>()
  return readable(text)
    .replace(/[0-9a-f]{40}/g, (id) => names.get(id) ?? names.set(id, `commit-${names.size}`).get(id) ?? "")
    .replace(/<code>[0-9a-f]{10}<\/code>/g, "<code>commit</code>")
    .replaceAll(folder, "Ann")
}

describe("catalog", () => {
  test("shows every flag: the matrix, the rules in words, the history, the entry", async () => {
    const repository = createCatalogProject()
    const { text, out } = await writeCatalog(repository, { baseUrl: "https://github.com/acme/shop" })
    expect(out).toBe(".git/site/index.html: 3 flags in 3 environments\n")
    await expect(stable(text, repository.folder)).toMatchFileSnapshot(
      join(import.meta.dirname, "expected.html.txt"),
    )
  })

  test("shows protected environments first, and attributes, owners, tags and flags in order", async () => {
    const repository = createRepository()
    repository.write(
      "flags/project.yaml",
      "project: shop\nenvironments: [live, test, beta, gate]\nprotected: [live, gate]\n",
    )
    const on = (...rules: readonly string[]) => `{ enabled: true, rules: [${rules.join(", ")}] }`
    const always = "{ operator: always, returnValue: true }"
    const asks = (attribute: string) =>
      `{ attribute: ${attribute}, operator: equals, value: "1", returnValue: true }`
    repository.write(
      "flags/a_b.yaml",
      `name: 'A & B'\ndescription: "Says 'no' to <all>."\ndefaultValue: false\nowner: zoe\ntags: [z, a]\nenvironments:\n` +
        `  live: ${on(asks("y"), asks("b"))}\n  test: { enabled: false, rules: [] }\n  beta: ${on()}\n  gate: { enabled: false, rules: [${asks("y")}] }\n`,
    )
    repository.write(
      "flags/on.yaml",
      `defaultValue: false\nowner: amy\nlinks: ['https://a.example/1', { title: The ticket, url: https://a.example/2 }]\nenvironments:\n` +
        `  live: ${on(asks("c"), always)}\n  gate: ${on(asks("c"), always)}\n`,
    )
    repository.write(
      "flags/user.yaml",
      `defaultValue: false\nenvironments:\n  live: ${on("{ all: [{ flag: on }, { flag: a_b }], returnValue: true }")}\n`,
    )
    repository.commit(0)
    const { text } = await writeCatalog(repository)
    await expect(stable(text, repository.folder)).toMatchFileSnapshot(
      join(import.meta.dirname, "expected-protected.html.txt"),
    )
  })

  test("the same commit gives the same bytes, in another clone, too", async () => {
    const repository = createCatalogProject()
    const first = await writeCatalog(repository)
    expect((await writeCatalog(repository)).text).toBe(first.text)
    repository.git("clone", "-q", "--no-hardlinks", repository.folder, ".git/clone")
    const clone = { ...repository, folder: join(repository.folder, ".git/clone") }
    const other = await writeCatalog(clone, {}, { now: () => Date.UTC(2030, 0, 1) })
    expect(other.text).toBe(first.text)
  })

  test("the page knows when a configuration was removed", async () => {
    const repository = createCatalogProject()
    repository.write("flags/same.yaml", "defaultValue: false\nowner: team-b\n")
    repository.commit(3 * 86_400)
    const { flags, environments } = dataOf((await writeCatalog(repository)).text)
    const [, same] = flags // sorted by key
    expect(environments).toEqual(["production", "development", "staging"])
    expect(same?.cells.map(({ configuration, removedAt }) => [configuration, removedAt])).toEqual([
      [null, "2020-01-04T00:00:00.000Z"],
      [null, undefined],
      [null, undefined],
    ])
  })

  test("a changed segment is in the history of the flags that use it, and of no other", async () => {
    const repository = createCatalogProject()
    repository.write(
      "flags/staff.segment.yaml",
      "attribute: email\noperator: endsWith\nvalue: '@a.example'\n",
    )
    const rule = "rules: [{ segment: staff, returnValue: true }]"
    repository.write(
      "flags/user.yaml",
      `defaultValue: false\nenvironments:\n  production: { enabled: true, ${rule} }\n`,
    )
    repository.commit(3 * 86_400)
    const before = historiesOf((await writeCatalog(repository)).text)
    repository.write(
      "flags/staff.segment.yaml",
      "attribute: email\noperator: endsWith\nvalue: '@b.example'\n",
    )
    repository.commit(4 * 86_400)
    const { text } = await writeCatalog(repository)
    const after = historiesOf(text)
    expect([...after].filter(([key, length]) => length !== before.get(key))).toEqual([["user", 2]])
  })

  test("a commit that adds more than 100 flags is an import, whose flags have no sentences", async () => {
    const repository = createRepository()
    const add = (key: string) =>
      repository.write(
        `flags/${key}.yaml`,
        "defaultValue: false\nenvironments:\n  live: { enabled: true, rules: [{ operator: always, returnValue: true }] }\n",
      )
    repository.write("flags/project.yaml", "project: shop\nenvironments: [live]\n")
    for (let at = 0; at < 100; at++) add(`a${at}`)
    repository.commit(0)
    for (let at = 0; at < 101; at++) add(`b${at}`)
    repository.commit(86_400)
    const [added, imported] = dataOf((await writeCatalog(repository)).text).history
    const who = [{ environment: "live", sentence: ["", "true", " for everyone"] }]
    expect(new Set(added?.changes.map((change) => JSON.stringify([change.what, change.who])))).toEqual(
      new Set([JSON.stringify([["flag added"], who])]),
    )
    expect(imported?.changes[0]).toEqual({
      flag: "b0",
      what: ["flag added with 100 others"],
      who: [],
    })
  })

  test("uncommitted changes are in it, and marked", async () => {
    const repository = createCatalogProject()
    repository.write("flags/new.yaml", "defaultValue: false\n")
    const { text } = await writeCatalog(repository)
    expect(dataOf(text).history.at(-1)?.id).toBe("")
    expect(historiesOf(text).get("new")).toBe(1)
  })

  test("--no-authors names no one", async () => {
    const repository = createCatalogProject()
    expect((await writeCatalog(repository)).text).toContain(repository.folder) // the author's name
    const { text } = await writeCatalog(repository, { authors: false })
    expect(text).not.toContain(repository.folder)
  })

  test("the policy allows one script and one style, by their hashes, and nothing else", async () => {
    const { text } = await writeCatalog(createCatalogProject())
    const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/
      .exec(text)?.[1]
      ?.replaceAll("&#39;", "'")
    const digest = (tag: string) => {
      const [, content = ""] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text) ?? []
      return `'sha256-${hash("sha256", content, "base64")}'`
    }
    expect(policy).toBe(
      `default-src 'none'; script-src ${digest("script")}; style-src ${digest("style")}; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'`,
    )
    expect(text).not.toMatch(/ style=| on\w+=/)
  })

  test("nothing is written if the flags have errors", async () => {
    const repository = createCatalogProject()
    repository.write("flags/checkout.yaml", "defaultValue: 1\n")
    const { status, err } = await writeCatalog(repository)
    expect(status).toBe(1)
    expect(err).toContain("nothing was written")
  })

  test("a link that is not an https address is an error, so none is in a page", async () => {
    const repository = createCatalogProject()
    repository.write("flags/same.yaml", "defaultValue: false\nlinks: ['javascript:alert(1)']\n")
    const { status, err } = await writeCatalog(repository)
    expect(status).toBe(1)
    expect(err).toContain("https://")
  })

  test("--base names a commit of the repository", async () => {
    const repository = createCatalogProject()
    await expect(writeCatalog(repository, { base: "no-such-branch" })).rejects.toThrow(
      "no commit `no-such-branch` in this clone",
    )
    expect((await writeCatalog(repository, { base: "HEAD" })).text).toContain(
      "Changed by this branch: 0 flags",
    )
    repository.remove(".git")
    await expect(writeCatalog(repository, { base: "HEAD", out: "index.html" })).rejects.toThrow(
      "--base needs",
    )
  })

  test("--base leaves out flags that had errors there, and marks uncommitted changes", async () => {
    const repository = createCatalogProject()
    repository.write("flags/same.yaml", "defaultValue: 1\n")
    repository.commit(3 * 86_400)
    repository.write("flags/same.yaml", "defaultValue: false\n")
    repository.write("flags/new.yaml", "defaultValue: false\n")
    const { text } = await writeCatalog(repository, { base: "HEAD" })
    expect(text).toContain("Changed by this branch: 1 flag<")
    expect(text).toContain("Not compared, because of errors at HEAD: same.")
    expect(text).toContain('<a href="#flag=new">new</a> <em>new</em>')
  })

  test("outside git there is a catalogue without a history", async () => {
    const repository = createCatalogProject()
    repository.remove(".git")
    const { status, text } = await writeCatalog(
      repository,
      { out: "index.html" },
      { env: { SOURCE_DATE_EPOCH: "1800000000" } },
    )
    expect(status).toBe(0)
    expect(text).toContain("2027-01-15")
  })
})
