// @module-tag system
import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createGit } from "../../../cli/git.ts"
import { createProjectRepository } from "../../repository.ts"

/** A project with the flags `saved-carts` and `tip-jar`, and these files of code. */
function projectWith(files: Readonly<Record<string, string>>) {
  const repository = createProjectRepository()
  repository.commitFlags({ "saved-carts": true, "tip-jar": false })
  for (const [path, text] of Object.entries(files)) repository.write(path, text)
  return repository
}

/** The references to `saved-carts`: `path:line:column kind` or `… constant NAME`. */
async function referencesIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { flagstone } = projectWith(files)
  const { out } = await flagstone(["usages", "saved-carts", "--format", "json"])
  interface Row {
    readonly path: string
    readonly line: number
    readonly column: number
    readonly kind: string
    readonly constant?: { readonly name: string; readonly path: string; readonly line: number }
  }
  const references: readonly Row[] = JSON.parse(out).flags[0].references
  return references.map(
    ({ path, line, column, kind, constant }) =>
      `${path}:${line}:${column} ${constant ? `${constant.name} (${constant.path}:${constant.line})` : kind}`,
  )
}

/** The keys of the calls in a file that match no flag of the project. */
async function undefinedIn(path: string, text: string): Promise<readonly string[]> {
  const { flagstone } = projectWith({ [path]: text })
  const { out } = await flagstone(["usages", "--format", "json"])
  const calls: readonly { readonly key: string }[] = JSON.parse(out).undefinedFlags
  return calls.map(({ key }) => key)
}

describe("references", () => {
  test.each([
    ["double quotes", 'get("saved-carts")', 6],
    ["single quotes", "get('saved-carts')", 6],
    ["backticks", "get(`saved-carts`)", 6],
    ["after an escaped quote", '\\"saved-carts"', 3],
    ["characters of several bytes", '"ä" + "saved-carts"', 8],
  ])("a key in %s", async (_, text, column) => {
    expect(await referencesIn({ "a.txt": text })).toEqual([`a.txt:1:${column} key`])
  })

  test.each([
    ["two kinds of quotes", "\"saved-carts'"],
    ["a text that goes on after an escaped quote", '"saved-carts\\" and more"'],
    ["the space between two texts", '"a"saved-carts"b"'],
    ["a binary file", '\0"saved-carts"'],
  ])("none in %s", async (_, text) => {
    expect(await referencesIn({ "a.txt": text })).toEqual([])
  })

  test.each([
    ["TypeScript", "ts", 'export const SAVED: string = "saved-carts"', "use(SAVED)", "SAVED"],
    ["Python", "py", "SAVED = 'saved-carts'", "use(SAVED)", "SAVED"],
    ["Go", "go", 'const Saved = "saved-carts"', "use(keys.Saved)", "Saved"],
    ["Java", "java", 'public static final String SAVED = "saved-carts";', "use(SAVED)", "SAVED"],
    ["Rust", "rs", 'pub const SAVED: &str = "saved-carts";', "use(SAVED)", "SAVED"],
    ["Ruby", "rb", 'SAVED = "saved-carts".freeze', "use(SAVED)", "SAVED"],
    ["an enum of Kotlin", "kt", 'SAVED("saved-carts"),', "use(Flag.SAVED.key)", "SAVED"],
    ["a lower-case name that is exported", "ts", 'export const saved = "saved-carts"', "use(saved)", "saved"],
    ["an array of PHP", "php", "'savedCarts' => 'saved-carts',", "use($keys->savedCarts)", "savedCarts"],
    ["an object", "js", '  savedCarts: "saved-carts",', "use(keys.savedCarts)", "savedCarts"],
  ])("a constant of %s, in another file", async (_, extension, definition, use, name) => {
    const found = await referencesIn({ [`a.${extension}`]: definition, [`b.${extension}`]: use })
    expect(found.at(-1)).toBe(`b.${extension}:1:${use.indexOf(name) + 1} ${name} (a.${extension}:1)`)
    expect(found.length).toBe(2)
  })

  test.each([
    ["a call of the flag's name", 'savedCarts("saved-carts")', "use(keys.savedCarts)"],
    ["a constant of another file's own", 'const saved = "saved-carts"', "use(saved)"],
    ["one beside an exported one", 'export const a = 1\nconst saved = "saved-carts"', "use(saved)"],
    ["the name of a member alone", '{ savedCarts: "saved-carts" }', "use(savedCarts)"],
    ["a member of any name", '{ flag: "saved-carts" }', "use(it.flag)"],
    ["an attribute of HTML", '<If name="saved-carts">', "use(it.name)"],
    ["a name of two flags", 'A = "saved-carts"\nA = "tip-jar"', "use(A)"],
    ["a longer name", 'export const SAVED = "saved-carts"', "use(SAVED_2, XSAVED)"],
  ])("none by %s", async (_, definition, use) => {
    expect((await referencesIn({ "a.ts": definition, "b.ts": use })).map((row) => row.slice(0, 4))).toEqual([
      "a.ts",
    ])
  })

  test("are in the order of files and places", async () => {
    const files = { "b.ts": 'use(SAVED)\nexport const SAVED = "saved-carts"', "a.ts": "use(SAVED)" }
    expect(await referencesIn(files)).toEqual([
      "a.ts:1:5 SAVED (b.ts:2)",
      "b.ts:1:5 SAVED (b.ts:2)",
      "b.ts:2:23 key",
    ])
  })

  test("several paths of --code are one list of files", async () => {
    const call = (key: string) => `flags.getBooleanValue("${key}", false)`
    const { flagstone, commit, write } = projectWith({ "b/1.ts": call("x-2"), "b/c/2.ts": call("x-3") })
    commit(0)
    write("a/new.ts", call("x-1"))
    write("b/0.ts", "")
    write("elsewhere.ts", call("x-4"))
    const code = ["--code", "b,a", "--code", "b/c"]
    const { out } = await flagstone(["usages", ...code, "--format", "json"])
    const { filesSearched, undefinedFlags } = JSON.parse(out)
    expect(filesSearched).toBe(4)
    expect(undefinedFlags.map(({ key }: { readonly key: string }) => key)).toEqual(["x-1", "x-2", "x-3"])
  })

  test("a flag has the key in its file, whatever the file is called", async () => {
    const { flagstone, move } = projectWith({
      "a.ts": '"saved-carts" + "tip-jar"',
      "flags/staff.segment.yaml": "attribute: a\noperator: exists\n",
      "flags/ids.txt": "a\n",
      "flags/tip-jar.spec.yaml": "flag: tip-jar\ncases: []\n",
    })
    move("flags/saved-carts.yaml", "flags/team/other.yaml")
    expect((await flagstone(["usages", "--require-used"])).err).toBe(
      "1 file searched for 2 flags: 2 references\n",
    )
  })

  test("only what git lists is searched, without the flags folder", async () => {
    const files = { ".gitignore": "out", "out/a.js": '"saved-carts"', "flags/b.ts": '"saved-carts"' }
    expect(await referencesIn(files)).toEqual([])
    const { folder, flagstone } = projectWith(files)
    symlinkSync(folder, `${folder}-link`)
    const linked = join(`${folder}-link`, "flags")
    expect((await flagstone(["usages", "saved-carts", "--flags", linked])).out).toContain("no references")
  })

  test("links and pipes are not searched, nor what was deleted", async () => {
    const { folder, flagstone, git, write, remove } = projectWith({ "a.ts": '"saved-carts"', "z.ts": "" })
    symlinkSync("a.ts", join(folder, "linked.ts"))
    write("pipe.ts", "")
    write("deleted/b.ts", "")
    git("add", ".")
    for (const path of ["pipe.ts", "deleted"]) remove(path)
    execFileSync("mkfifo", [join(folder, "pipe.ts")])
    write("deleted", "")
    const { out, err } = await flagstone(["usages", "saved-carts"])
    expect(out).toBe('saved-carts: 1 reference in 1 file\n  a.ts:1:2: key  "saved-carts"\n')
    expect(err).toMatch("3 files searched for 1 flag")
    const named = await flagstone(["usages", "saved-carts", "--code", "linked.ts"])
    expect(named.out).toContain("1 reference in 1 file")
  })

  test.each([
    ["160 characters, whole", `"saved-carts"${"x".repeat(147)}`, `"saved-carts"${"x".repeat(147)}`],
    ["100,000 characters, in part", `"saved-carts"${"x".repeat(100_000)}`, `saved-carts"${"x".repeat(148)}…`],
    ["only the rest, if it is short", `${" ".repeat(200)}"saved-carts"\nnext`, 'saved-carts"…'],
  ])("shows a line of %s", async (_, text, shown) => {
    const { out } = await projectWith({ "a.txt": text }).flagstone(["usages", "saved-carts"])
    expect(out).toMatch(/^saved-carts: 1 reference in 1 file\n {2}a\.txt:1:\d+: key {2}/)
    expect(out.split("key  ")[1]).toBe(`${shown}\n`)
  })

  test("names the files that were left out, but none that are binary", async () => {
    const large = '"saved-carts"'.padEnd(1_000_001)
    const { flagstone, write, remove } = projectWith({ "a.txt": large, "b.png": `\0${large}` })
    const { out, err } = await flagstone(["usages", "saved-carts"])
    expect(out).toBe("saved-carts: no references\n")
    expect(err).toContain("1 file over 1 MB left out: `a.txt`\n")
    const { out: task } = await flagstone(["remove", "saved-carts", "--keep", "false", "--task-only"])
    expect(task).toContain("\nNot searched, because over 1 MB: `a.txt`. Search by hand.\n")
    for (const letter of "cdefghijk") write(`${letter}.txt`, large)
    const many = await flagstone(["remove", "saved-carts", "--keep", "false", "--task-only"])
    for (const text of [many.out, many.err]) expect(text).toContain(" `g.txt`, `h.txt`, `i.txt` and 2 more")
    for (const letter of "cdefghijk") remove(`${letter}.txt`)
    write("a.txt", '"saved-carts"'.padEnd(1_000_000))
    expect((await flagstone(["usages", "saved-carts"])).out).toContain("1 reference in 1 file\n")
  })

  test("output of codegen types uses nothing", async () => {
    const { flagstone, write } = projectWith({
      "flags/newTheme.yaml": "type: string\ndefaultValue: newTheme\n",
      "a.ts": "use(colours.newTheme)\n",
    })
    write("flags.d.ts", (await flagstone(["codegen", "types"])).out)
    expect((await flagstone(["usages", "newTheme"])).err).toContain("0 references, 3 generated\n")
    expect((await flagstone(["usages", "tip-jar"])).out).toContain(": generated")
    expect((await flagstone(["usages", "tip-jar", "--require-used"])).status).toBe(1)
  })
})

test("a project file with mistakes", async () => {
  const repository = projectWith({})
  repository.write("flags/project.yaml", "project: shop\nenvironments: production\n")
  const { status, out, err } = await repository.flagstone(["usages"])
  expect([status, out, err]).toEqual([2, "", expect.stringContaining("project.yaml:2:15 error wrong-type")])
})

describe("undefined flags", () => {
  test.each([
    ["a.ts", 'await flags.getBooleanValue("x-1", false)'],
    [
      "a.tsx",
      'import "@openfeature/react-sdk"\nuseBooleanFlagValue("x-1", false); useFlag<boolean>("x-2", 1)',
    ],
    ["a.py", 'flags.get_boolean_value(flag_key="x-1", default_value=False)'],
    ["a.go", 'import "github.com/open-feature/go-sdk"\nclient.BooleanValue(ctx, "x-1", false)'],
    ["c.go", 'import "go.openfeature.dev/openfeature"\nclient.Boolean(context.TODO(), "x-1", false)'],
    ["a.java", 'import dev.openfeature.sdk.*;\nclient.getDoubleDetails("x-1", 1.0);'],
    ["a.cs", 'using OpenFeature;\nawait client.GetBooleanValueAsync("x-1", false);'],
    ["a.rb", 'require "open_feature/sdk"\nclient.fetch_boolean_value(flag_key: "x-1")'],
    ["a.php", "use OpenFeature\\OpenFeatureAPI;\n$client->getStringValue('x-1', '')"],
    ["a.rs", 'use open_feature::OpenFeature;\nclient.get_bool_value("x-1", None, None)'],
    [
      "b.ts",
      'import { client } from "./c"\nclient.getBooleanValue("saved-carts", 1) || client.getBooleanValue("x-1", 1)',
    ],
    ["a.swift", 'import OpenFeature\nclient.getBooleanValue(key: "x-1", defaultValue: false)'],
  ])("in %s", async (path, text) => {
    expect((await undefinedIn(path, text))[0]).toBe("x-1")
  })

  test.each([
    ["a flag that is defined", 'flags.getBooleanValue("saved-carts", false)'],
    ["another library", 'config.getStringValue("x-1")'],
    ["another library beside a key", 'config.getStringValue("x-1") === "saved-carts"'],
    ["a call that only looks like Go's", 'import "open-feature"\nshape.String(padding, "x-1")'],
    ["a different string", 'flags.getBooleanValue(name, "x-1".length > 1)'],
  ])("none for %s", async (_, text) => {
    expect(await undefinedIn("a.ts", text)).toEqual([])
  })
})

const code = {
  "a.ts": 'export const SAVED = "saved-carts"\nflags.getBooleanValue("save-carts", false)\n',
  "b.ts": 'use(SAVED)\nflags.getStringValue("nothing-like-it", "")\n',
}

test("JSON keeps undefined and unused flags apart", async () => {
  const { out, err, status } = await projectWith(code).flagstone(["usages", "--format", "json"])
  expect(JSON.parse(out)).toEqual({
    filesSearched: 2,
    filesTooLarge: 0,
    flags: [
      {
        key: "saved-carts",
        references: [
          { path: "a.ts", line: 1, column: 23, kind: "key" },
          {
            ...{ path: "b.ts", line: 1, column: 5, kind: "constant" },
            constant: { name: "SAVED", path: "a.ts", line: 1 },
          },
        ],
        conditions: [],
      },
      { key: "tip-jar", references: [], conditions: [] },
    ],
    unusedFlags: ["tip-jar"],
    undefinedFlags: [
      { key: "save-carts", path: "a.ts", line: 2, column: 24, suggestion: "saved-carts" },
      { key: "nothing-like-it", path: "b.ts", line: 2, column: 23 },
    ],
  })
  expect({ err, status }).toEqual({
    err: "2 files searched for 2 flags: 2 references, 2 errors, 1 warning\n",
    status: 1,
  })
})

test("lists the conditions of flags and of invariants on a flag", async () => {
  const { flagstone } = projectWith({
    "flags/banner.yaml":
      "defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - { flag: tip-jar, returnValue: true }\n",
    "flags/invariants.yaml":
      "- name: tip-jar\n  never: { flag: tip-jar, is: false }\n- { name: No carts, never: { flag: saved-carts } }\n",
  })
  expect((await flagstone(["usages", "tip-jar"])).out).toBe(`tip-jar: no references
  flags/banner.yaml:6:17: flag \`banner\`
  flags/invariants.yaml:2:18: invariant \`tip-jar\`
`)
  const { flags } = JSON.parse((await flagstone(["usages", "tip-jar", "--format", "json"])).out)
  expect(flags[0].conditions).toEqual([
    { kind: "flag", name: "banner", path: "flags/banner.yaml", line: 6, column: 17 },
    { kind: "invariant", name: "tip-jar", path: "flags/invariants.yaml", line: 2, column: 18 },
  ])
})

test("in GitHub Actions, findings about all flags are annotations; SARIF has them, too", async () => {
  const { flagstone } = projectWith(code)
  const env = { GITHUB_ACTIONS: "true" }
  const { out } = await flagstone(["usages"], { env })
  expect(out.match(/^::\w+ file=\S+,line=\d+/gm)).toEqual([
    "::error file=a.ts,line=2",
    "::error file=b.ts,line=2",
    "::warning file=flags/tip-jar.yaml,line=1",
  ])
  expect((await flagstone(["usages", "tip-jar"], { env })).out).toBe("tip-jar: no references\n")
  const sarif = JSON.parse((await flagstone(["usages", "--format", "sarif"], { env })).out)
  expect(sarif.runs[0].results.map(({ ruleId }: { readonly ruleId: string }) => ruleId)).toEqual([
    "undefined-flag",
    "undefined-flag",
    "unused-flag",
  ])
})

test.each([
  String.raw`{ "fl\x61g": tip-jar, returnValue: true }`,
  "{ ? flag # why\n          : tip-jar, returnValue: true }",
  "{ flag # why\n          : tip-jar, returnValue: true }",
  "? flag # why\n        : tip-jar\n        returnValue: true",
])("a condition on a flag is listed in any notation: %s", async (rule) => {
  const flag = (key: string, rule: string) =>
    `${key}\ndefaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - ${rule}\n`
  const { flagstone } = projectWith({ "flags/file.yaml": flag(String.raw`"k\x65y": banner`, rule) })
  const { out, err } = await flagstone(["usages", "tip-jar", "banner"])
  expect(out).toMatch(/^ {2}flags\/file\.yaml:\d+:\d+: flag `banner`$/m)
  expect(err).not.toContain("is defined")
})

test("flags that are named are listed by key, with findings if each needs a use", async () => {
  const { flagstone } = projectWith({ "a.ts": 'let text = ""\nget("saved-carts")\nget("gone-flag")\n' })
  const named = ["usages", "tip-jar", "saved-carts", "gone-flag", "saved-cart"]
  const list = [
    "gone-flag: 1 reference in 1 file\n",
    '  a.ts:3:6: key  get("gone-flag")\n',
    "saved-cart: no references\n",
    "saved-carts: 1 reference in 1 file\n",
    '  a.ts:2:6: key  get("saved-carts")\n',
    "tip-jar: no references\n",
  ].join("")
  expect(await flagstone(named)).toEqual({
    status: 0,
    out: list,
    err: `no flag \`gone-flag\` is defined. Known: \`saved-carts\` and \`tip-jar\`.
no flag \`saved-cart\` is defined; did you mean \`saved-carts\`?
1 file searched for 4 flags: 2 references
`,
  })
  const { status, out } = await flagstone([...named, "--require-used"])
  expect(status).toBe(1)
  expect(out.startsWith(`${list}\nfindings\n\n`)).toBe(true)
  expect(out.match(/^\S+(?= error unused-flag$)/gm)).toEqual([
    "flags/project.yaml:1:1",
    "flags/tip-jar.yaml:1:1",
  ])
})

test("a flag that is defined has its page in the catalogue", async () => {
  const { flagstone } = projectWith({ "a.ts": "" })
  const named = ["usages", "tip-jar", "gone-flag", "--catalog-url", "https://shop.example/flags/"]
  const page = "https://shop.example/flags/#flag=tip-jar"
  expect((await flagstone(named)).out).toBe(`gone-flag: no references\ntip-jar: no references\n  ${page}\n`)
  expect((await flagstone([...named, "--format", "markdown"])).out).toContain(`  - ${page}\n`)
  const { flags } = JSON.parse((await flagstone([...named, "--format", "json"])).out)
  expect(flags.map(({ url }: { readonly url?: string }) => url)).toEqual([undefined, page])
})

test.each([["usages"], ["remove", "saved-carts"], ["stale", "--code", "."]])(
  "without git, %s says so",
  async (...command) => {
    const { flagstone } = projectWith({})
    const git = createGit({ PATH: "/nonexistent" })
    expect(await flagstone(command, { git })).toMatchObject({
      status: 2,
      out: "",
      err: expect.stringMatching(/^(?!.*\n {4}at ).*flagstone: git is not installed\n$/s),
    })
  },
)

test("code outside git is refused", async () => {
  const outside = mkdtempSync(join(tmpdir(), "flagstone-usages-"))
  const refusal = {
    status: 2,
    out: "",
    err: expect.stringContaining(`${outside} is not in a git repository: `),
  }
  expect(await projectWith({}).flagstone(["usages", "--code", outside])).toEqual(refusal)
  cpSync(join(projectWith({}).folder, "flags"), join(outside, "flags"), { recursive: true })
  const { status, err } = await projectWith({}).flagstone(["usages"], { cwd: outside })
  expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining("is not in a git repository: ") })
})

describe("a key that is a common word", () => {
  async function rankingIn(files: Readonly<Record<string, string>>) {
    const repository = createProjectRepository()
    repository.commitFlags({ ranking: true })
    for (const [path, text] of Object.entries(files)) repository.write(path, text)
    const { out } = await repository.flagstone(["usages", "ranking", "--format", "json"])
    const { flags, unusedFlags } = JSON.parse(out)
    const kinds = flags[0].references.map(
      ({ path, kind }: { readonly path: string; readonly kind: string }) => `${path} ${kind}`,
    )
    return { kinds, isUsed: unusedFlags.length === 0, ...repository }
  }

  test.each([
    'client.getBooleanValue("ranking", false)',
    'client.get_string_details("ranking", "a")',
    'client.BooleanValue(ctx, "ranking", false)',
    'await client.getObjectDetailsAsync<Model>("ranking", {})',
    'flags.isOn("ranking")',
    'if Feature.enabled?("ranking")',
    'unleash.is_enabled("ranking")',
    'ldclient.variation("ranking", user, False)',
    'useFlag("ranking")',
    'getTreatment("ranking")',
    'assignVariant("ranking")',
    '{ "ranking": 1 } // beside isEnabled(x)',
  ])("counts in a file with a call: %s", async (text) => {
    expect(await rankingIn({ "a.txt": text })).toMatchObject({ kinds: ["a.txt key"], isUsed: true })
  })

  test.each(['return {"ranking": 1}', 'call("ranking")', "the 'ranking' of the flag (see above)"])(
    "is possible elsewhere: %s",
    async (text) => {
      expect(await rankingIn({ "a.txt": text })).toMatchObject({ kinds: ["a.txt possible"], isUsed: false })
    },
  )

  test("counts as a constant that such a file uses, not as one that others use", async () => {
    const { kinds, isUsed, flagstone } = await rankingIn({
      "a.ts": 'export const RANKING = "ranking"\n',
      "b.ts": "sortBy(RANKING)\n",
      "c.ts": "flags.isOn(RANKING)\n",
    })
    expect({ kinds, isUsed }).toEqual({
      kinds: ["a.ts possible", "b.ts possible", "c.ts constant"],
      isUsed: true,
    })
    expect((await flagstone(["usages", "ranking"])).out).toBe(`ranking: 1 reference, 2 possible in 3 files
  a.ts:1:25: possible                             export const RANKING = "ranking"
  b.ts:1:8: possible constant \`RANKING (a.ts:1)\`  sortBy(RANKING)
  c.ts:1:12: constant \`RANKING (a.ts:1)\`          flags.isOn(RANKING)
`)
  })

  test("is listed by remove, and does not keep the flag", async () => {
    const { flagstone, commit } = await rankingIn({ "README.md": 'The "ranking" of results.\n' })
    commit(1)
    expect(await flagstone(["remove", "ranking", "--keep", "false"])).toMatchObject({
      status: 0,
      err: "possible reference: README.md:1:6\ndeleted flags/ranking.yaml\n",
    })
  })
})
