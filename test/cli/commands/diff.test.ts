// @module-tag system
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { testHost } from "../../test-host.ts"
import { shop } from "../diff/sides.ts"
import { diffIn, inNewFolders, isDiff, kindsIn, off, on, start } from "./diff-session.ts"

const { folder, git, write, commit, diff, kinds } = inNewFolders()

describe("which revisions", () => {
  beforeEach(() => void git("init", "-q", "-b", "main"))

  test("HEAD against the work tree, which is only read", async () => {
    commit(start)
    expect(await kinds()).toEqual([])
    write({ "flags/a.yaml": on, "flags/b.yaml": off })
    const before = git("status", "--porcelain")
    expect(await kinds()).toEqual(["configured a production", "flag-added b"])
    expect(git("status", "--porcelain")).toBe(before)
  })

  test("one commit against the work tree, two commits, two dots", async () => {
    commit(start)
    const first = commit({ "flags/b.yaml": off })
    const second = commit({ "flags/b.yaml": null, "flags/c.yaml": on })
    expect(await kinds(first)).toEqual(["flag-removed b", "flag-added c"])
    expect(await kinds(first, second)).toEqual(["flag-removed b", "flag-added c"])
    expect(await kinds(second, first)).toEqual(["flag-added b", "flag-removed c"])
    expect(await kinds(`${second}..${first}`)).toEqual(["flag-added b", "flag-removed c"])
    write({ "flags/a.yaml": on })
    expect(await kinds(`${first}..`)).toEqual(["flag-removed b", "flag-added c"])
  })

  test("two commits have the same difference at every hour, and the work tree has today's", async () => {
    commit({ ...start, "flags/project.yaml": `${shop}clock: now\n` })
    const stages = "[{ at: 2026-12-01T09:00:00Z, share: 5 }, { at: 2026-12-02T09:00:00Z, share: 100 }]"
    const ramp = `{ ramp: { by: id, stages: ${stages} }, returnValue: true }`
    const ramped = `${off}environments: { production: { enabled: true, rules: [${ramp}] } }\n`
    const first = commit({})
    const second = commit({ "flags/a.yaml": ramped })
    const at = async (now: number, ...sides: readonly string[]) => {
      const host = testHost({ cwd: folder(), now: () => now })
      const status = await run(["diff", ...sides, "--max-warnings", "0"], host, "0.0.0")
      return `${status}\n${host.out()}`
    }
    const [early, late] = [Date.UTC(2026, 10, 1), Date.UTC(2027, 0, 1)]
    expect(await at(early, first, second)).toContain("from 2026-12-02 09:00 UTC")
    expect(await at(late, first, second)).toBe(await at(early, first, second))
    expect(await at(late, first)).not.toBe(await at(early, first))
  })

  test("three dots: from the merge base, so that the other branch's changes are not ours", async () => {
    commit(start)
    git("switch", "-q", "-c", "topic")
    commit({ "flags/topic.yaml": off })
    git("switch", "-q", "main")
    commit({ "flags/main.yaml": "defaultValue: true\n" })
    git("switch", "-q", "topic")
    expect(await kinds("main...")).toEqual(["flag-added topic"])
    expect(await kinds("main...topic")).toEqual(["flag-added topic"])
    expect(await kinds("main")).toEqual(["flag-removed main", "flag-added topic"])
    expect((await diff("main...")).out).toMatch(
      /^the merge base of main and HEAD \(\w{10}\) → HEAD \(\w{10}\)\n/,
    )
    expect((await diff("main...topic", "main")).err).toContain("already names both sides")
  })

  test("no commit yet: everything is new", async () => {
    write(start)
    expect(await kinds()).toEqual([
      "project-changed",
      "project-changed",
      "project-changed",
      "environment-added development",
      "environment-added staging",
      "environment-added production",
      "flag-added a",
    ])
  })

  test("a flags folder below the root, a root that is the flags folder, names that git would quote", async () => {
    commit({
      "apps/shop/flags/project.yaml": shop,
      "apps/shop/flags/ä/a.yaml": off,
      "flags/project.yaml": shop,
    })
    write({ "apps/shop/flags/ä/a.yaml": on })
    expect(await kinds("--flags", "apps/shop/flags")).toEqual(["configured a production"])
    expect(await kinds("--flags", join(folder(), "apps/shop/flags"))).toEqual(["configured a production"])
    commit({})
    rmSync(join(folder(), "apps"), { recursive: true })
    expect(await kinds("--flags", "apps/shop/flags")).toContain("flag-removed a")
    rmSync(join(folder(), ".git"), { recursive: true })
    git("init", "-q")
    commit({ "project.yaml": shop, "a.yaml": off, "flags/project.yaml": null })
    commit({ "a.yaml": on })
    expect(await kinds("HEAD^", "HEAD", "--flags", ".")).toEqual(["configured a production"])
  })

  test("another protected environment is a change of the project", async () => {
    commit({
      ...start,
      "flags/project.yaml": shop.replace("protected: [production]", "protected: [staging]"),
    })
    write({ "flags/project.yaml": shop })
    expect((await diff()).out).toMatch(/protected.*staging.*production/s)
  })

  test("what cannot be compared is reported with its fix", async () => {
    commit(start)
    const missing = await diff("origin/main...")
    expect(missing).toMatchObject({ status: 2, out: "" })
    expect(missing.err).toBe(
      "flagstone: no commit `origin/main` in this clone: check its name, or fetch it (git fetch origin; in a workflow fetch-depth: 0)\n",
    )
    expect((await diff("--", "--output=x")).status).toBe(2)
    for (const range of ["^HEAD", "^HEAD..HEAD", "HEAD...^HEAD"])
      expect((await diff("--", range)).err).toContain("no commit `^HEAD` in this clone")
    git("switch", "-q", "--orphan", "island")
    commit(start)
    expect((await diff("main...island")).err).toContain("have no commit in common here")
  })

  test("a shallow clone compares what it has, and says how to get the rest", async () => {
    const first = commit(start)
    commit({ "flags/b.yaml": off })
    const clone = mkdtempSync(join(tmpdir(), "flagstone-diff-"))
    git("clone", "-q", "--depth", "1", `file://${folder()}`, clone)
    expect(await kindsIn(clone)).toEqual([])
    expect((await diffIn(clone, first)).err).toContain(
      "because the clone is shallow (git fetch --unshallow; in a workflow fetch-depth: 0)",
    )
  })

  test("links and other files are not flags", async () => {
    commit(start)
    symlinkSync("a.yaml", join(folder(), "flags/link.yaml"))
    commit({ "flags/notes.txt": "no flag" })
    expect(await kinds("HEAD^", "HEAD")).toEqual([])
    expect(await kinds("HEAD^")).toEqual([])
  })
})

test("outside git", async () => {
  write(start)
  expect((await diff()).err).toContain("is not in a git repository, so there are no commits to compare with")
})

describe("what is compared", () => {
  beforeEach(() => void git("init", "-q", "-b", "main"))

  test("meanings: layout, comments, folders and line ends are none", async () => {
    commit({ ...start, "flags/b.yaml": "name: B\ndefaultValue: 1\ntype: number\n" })
    write({
      "flags/b.yaml": null,
      "flags/deep/b.yml": "# a comment\r\ntype: 'number'\r\ndefaultValue: 1.0\r\nname: \"B\"\r\n",
      "flags/a.yaml": "type: boolean\ndefaultValue: false\nname: a\nenvironments: {}\n",
      "flags/project.yaml": `# ours\n${shop}`,
    })
    expect(await kinds()).toEqual([])
    expect(await diff("--exit-code")).toMatchObject({ status: 0 })
    expect((await diff()).out).toMatch(/No change in behaviour\n$/)
  })

  test("a side with mistakes is named, and nothing is compared", async () => {
    commit(start)
    write({ "flags/a.yaml": "defaultValue: maybe\n", "flags/b.yaml": "defaultValue: [\n" })
    const { status, out, err } = await diff("--exit-code")
    expect({ status, out }).toEqual({ status: 2, out: "" })
    expect(err).toContain("flags/a.yaml:1:15 error wrong-value-type")
    expect(err).toMatch(/the work tree: 2 errors, so it cannot be compared\n$/)
    commit({})
    expect((await diff("HEAD", "HEAD^")).err).toMatch(/^HEAD: 2 errors, so it cannot be compared$/m)
  })

  test("a key or id that an unchanged file has already", async () => {
    commit({
      ...start,
      "flags/c.yaml": "key: taken\ndefaultValue: 1\ntype: number\n",
      "flags/d.yaml": "id: mine\ndefaultValue: true\n",
    })
    write({ "flags/taken.yaml": off })
    expect((await diff()).err).toContain("error duplicate-key")
    write({ "flags/taken.yaml": null, "flags/x/a.yaml": off })
    expect((await diff()).err).toContain("error duplicate-key")
    write({ "flags/x/a.yaml": null, "flags/new.yaml": `id: "m\\x69ne"\n${off}` })
    expect((await diff()).err).toContain("error duplicate-id")
  })

  test("the project file: names, ids, environments", async () => {
    commit({ ...start, "flags/a.yaml": on })
    write({
      "flags/project.yaml": "project: store\nenvironments: [staging, production, { name: qa, id: q }]\n",
    })
    expect(await kinds()).toEqual([
      "project-changed",
      "project-changed",
      "project-changed",
      "environment-removed development",
      "environment-added qa",
      "ids-changed a",
    ])
    expect(await kinds("--only", "qa")).toEqual([
      "project-changed",
      "project-changed",
      "environment-added qa",
      "ids-changed a",
    ])
    write({
      "flags/project.yaml": "project: shop\nenvironments: [production, development]\n",
      "flags/a.yaml": off,
    })
    expect(await kinds()).toEqual([
      "project-changed",
      "environment-removed staging",
      "unconfigured a production",
    ])
  })

  test("--only and --exit-code", async () => {
    commit(start)
    write({
      "flags/a.yaml": "defaultValue: false\nowner: me\nenvironments: { staging: { enabled: true } }\n",
    })
    expect(await kinds("--only", "staging")).toEqual(["configured a staging"])
    expect(await kinds("--only", "production, development")).toEqual([])
    expect((await diff("--exit-code")).status).toBe(1)
    expect((await diff("--exit-code", "--only", "production")).status).toBe(0)
    expect((await diff("--only", "prodution")).err).toContain(
      "unknown environment `prodution`; did you mean `production`?",
    )
  })

  test("owners, and addresses from CI's variables", async () => {
    commit(start)
    const head = commit({ "flags/a.yaml": `owner: team-a\n${on}` })
    const env = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "ann/shop" }
    const host = testHost({ cwd: folder(), env })
    expect(await run(["diff", "HEAD^", "HEAD", "--format", "json"], host, "0.0.0")).toBe(0)
    const json = JSON.parse(host.out())
    expect(isDiff(json) ? [] : isDiff.errors).toEqual([])
    const url = `https://github.com/ann/shop/blob/${head}/flags/a.yaml`
    expect(json.changes[0]).toMatchObject({ flag: "a", owner: "team-a", url })
  })

  test("a comment links to the catalogue at an address of the web", async () => {
    commit(start)
    const link = await diff("--format", "markdown", "--catalog-url", "https://a.example/b c")
    expect(link.out).toContain("(<https://a.example/b%20c>)")
    for (const address of ["a.example", "javascript:alert(1)", "xhttps://a.example"])
      expect(await diff("--catalog-url", address)).toMatchObject({
        status: 2,
        err: expect.stringContaining("Write a URL that begins with https:// or http://."),
      })
  })
})

describe("a flag that others depend on", () => {
  const asks = (flag: string, value: string) =>
    `type: string\ndefaultValue: a\nowner: team-${flag}\nenvironments: { production: { enabled: true, rules: [{ flag: ${flag}, returnValue: ${value} }] } }\n`
  const dealt = (percent: number) =>
    `defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ attribute: id, operator: percentage, value: "${percent}", returnValue: true }] } }\n`
  const files = {
    "flags/project.yaml": shop,
    "flags/other.yaml": dealt(10),
    "flags/first.yaml": asks("other", "b"),
    "flags/second.yaml": asks("other", "b"),
    "flags/third.yaml": asks("other", "c"),
    "flags/whole.yaml":
      "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ flag: third, is: c, returnValue: true }] } }\n",
  }

  test("is listed once, with the dependent flags whose users change, directly or through others", async () => {
    git("init", "-q")
    commit(files)
    write({ "flags/other.yaml": dealt(20) })
    const { out } = await diff()
    expect(out.slice(out.indexOf("production (protected)"))).toBe(
      [
        "production (protected)",
        "  other: rule 1 edited: 10 % → 20 % by `id`",
        "    the share of users who get `true` rises from 10 % to 20 %, by `id`",
        "    2 flags: through flag `other`",
        '      the share of users who get `"b"` rises from 10 % to 20 %, by `id` (seed `other`)',
        "      first, second",
        "    third: through flag `other`",
        '      the share of users who get `"c"` rises from 10 % to 20 %, by `id` (seed `other`)',
        "      whole: through flag `third`",
        "        the share of users who get `true` rises from 10 % to 20 %, by `id` (seed `other`)",
        "",
      ].join("\n"),
    )
    const { out: markdown } = await diff("--format", "markdown")
    expect(markdown).toContain(
      [
        "- **`other`** (`flags/other.yaml`): rule 1 edited: 10 % → 20 % by `id`",
        "  - the share of users who get `true` rises from 10 % to 20 %, by `id`",
        "  - **2 flags**: through flag `other`",
        '    - the share of users who get `"b"` rises from 10 % to 20 %, by `id` (seed `other`)',
        "    - `team-other`: `first` (`flags/first.yaml`), `second` (`flags/second.yaml`)",
        "  - **`third`** (`team-other`, `flags/third.yaml`): through flag `other`",
      ].join("\n"),
    )
    const { out: json } = await diff("--format", "json")
    expect(isDiff(JSON.parse(json))).toBe(true)
    expect(JSON.parse(json).changes[0]).toMatchObject({ flag: "first", flags: ["other"] })
  })
})
