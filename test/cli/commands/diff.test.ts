import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Ajv } from "ajv"
import { beforeEach, describe, expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { testHost } from "../../test-host.ts"
import { shop } from "../diff/sides.ts"

let root = ""
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "flagstone-diff-"))
})

function git(...args: readonly string[]): string {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@b.example", "-c", "protocol.file.allow=always"]
  return execFileSync("git", [...identity, ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  })
}

function write(files: Readonly<Record<string, string | null>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    if (text === null) rmSync(join(root, path))
    else writeFileSync(join(root, path), text)
  }
}

function commit(files: Readonly<Record<string, string | null>>, ...message: readonly string[]): string {
  write(files)
  git("add", "-A")
  git("commit", "-q", "--allow-empty", "-m", message[0] ?? "flags")
  return git("rev-parse", "HEAD").trim()
}

async function diff(...args: readonly string[]) {
  const host = testHost({ cwd: root })
  const status = await run(["diff", ...args], host, "0.0.0")
  return { status, out: host.out(), err: host.err() }
}

/** The kinds of the changes with what they are about. */
async function kinds(...args: readonly string[]): Promise<readonly string[]> {
  const { out, err } = await diff(...args, "--format", "json")
  expect(err).toBe("")
  return JSON.parse(out).changes.map((change: { kind: string; flag?: string; environment?: string }) =>
    [change.kind, change.flag, change.environment].filter((part) => part !== undefined).join(" "),
  )
}

const isDiff = new Ajv().compile(
  JSON.parse(readFileSync(join(import.meta.dirname, "../../../cli/diff/diff.schema.json"), "utf8")),
)

const off = "defaultValue: false\n"
const on =
  "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ operator: always, returnValue: true }] } }\n"
const start = { "flags/project.yaml": shop, "flags/a.yaml": off }

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

  test("three dots: from the merge base, so that what the other branch did is no change of ours", async () => {
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
    expect((await diff("main...topic", "main")).err).toContain("names both sides already")
  })

  test("no commit yet: everything begins", async () => {
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

  test("a project that begins, and one that ends", async () => {
    const before = commit({ "README.md": "shop" })
    const with_ = commit(start)
    const after = commit({ "flags/project.yaml": null, "flags/a.yaml": null })
    expect(await kinds(before, with_)).toContain("flag-added a")
    expect(await kinds(with_, after)).toContain("flag-removed a")
    expect(await diff(before, after)).toMatchObject({ status: 2, out: "" })
    expect((await diff(before, after)).err).toContain("no project.yaml in flags on either side")
  })

  test("a flags folder below the root, a root that is the flags folder, names that git would quote", async () => {
    commit({
      "apps/shop/flags/project.yaml": shop,
      "apps/shop/flags/ä/a.yaml": off,
      "flags/project.yaml": shop,
    })
    write({ "apps/shop/flags/ä/a.yaml": on })
    expect(await kinds("--flags", "apps/shop/flags")).toEqual(["configured a production"])
    expect(await kinds("--flags", join(root, "apps/shop/flags"))).toEqual(["configured a production"])
    commit({})
    rmSync(join(root, "apps"), { recursive: true })
    expect(await kinds("--flags", "apps/shop/flags")).toContain("flag-removed a")
    rmSync(join(root, ".git"), { recursive: true })
    git("init", "-q")
    commit({ "project.yaml": shop, "a.yaml": off, "flags/project.yaml": null })
    commit({ "a.yaml": on })
    expect(await kinds("HEAD^", "HEAD", "--flags", ".")).toEqual(["configured a production"])
  })

  test("what cannot be compared is said with its fix", async () => {
    commit(start)
    const missing = await diff("origin/main...")
    expect(missing).toMatchObject({ status: 2, out: "" })
    expect(missing.err).toBe(
      "flagstone: no commit `origin/main` in this clone: check its name, or fetch it (git fetch origin; in a workflow fetch-depth: 0)\n",
    )
    expect((await diff("--", "--output=x")).status).toBe(2)
    git("switch", "-q", "--orphan", "island")
    commit(start, "another beginning")
    expect((await diff("main...island")).err).toContain("have no commit in common here")
  })

  test("a shallow clone compares what it has, and says how to get the rest", async () => {
    const first = commit(start)
    commit({ "flags/b.yaml": off })
    const origin = root
    root = mkdtempSync(join(tmpdir(), "flagstone-diff-"))
    git("clone", "-q", "--depth", "1", `file://${origin}`, ".")
    expect(await kinds()).toEqual([])
    expect((await diff(first)).err).toContain(
      "because the clone is shallow (git fetch --unshallow; in a workflow fetch-depth: 0)",
    )
  })

  test("links and other files are nobody's flags", async () => {
    commit(start)
    symlinkSync("a.yaml", join(root, "flags/link.yaml"))
    commit({ "flags/notes.txt": "no flag" })
    expect(await kinds("HEAD^", "HEAD")).toEqual([])
    expect(await kinds("HEAD^")).toEqual([])
  })
})

test("outside git", async () => {
  write(start)
  expect((await diff()).err).toContain("is not in a git repository: diff compares commits")
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
    expect((await diff()).out).toMatch(/Nothing changes in meaning\n$/)
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

  describe("--tolerate-broken-base", () => {
    const broken = "defaultValue: maybe\n"

    test("compares what has no error before the change, and names the rest in every format", async () => {
      commit({ ...start, "flags/a.yaml": broken, "flags/b.yaml": off, "flags/sub/c.yaml": `nmae: c\n${off}` })
      write({ "flags/a.yaml": on, "flags/b.yaml": on, "flags/sub/c.yaml": null, "flags/c.yaml": off })
      expect((await diff()).status).toBe(2)
      const text = await diff("--tolerate-broken-base")
      expect(text.status).toBe(0)
      expect(text.err).toContain("flags/a.yaml:1:15 error wrong-value-type")
      expect(text.err).toMatch(/^HEAD: 2 errors, so 2 flags are not compared$/m)
      expect(text.out).toMatch(
        /^`production`: 1 flag gives other values; 1 warning; 2 flags are not compared$/m,
      )
      expect(text.out).toMatch(/\nnot compared\n {2}a: it has an error before the change\n {2}c: /)
      expect(text.out).not.toMatch(/flag (added|removed)/)
      const json = JSON.parse((await diff("--tolerate-broken-base", "--format", "json")).out)
      expect(json.notCompared).toEqual({ project: false, flags: ["a", "c"] })
      expect(json.changes.map(({ flag }: { flag: string }) => flag)).toEqual(["b"])
      expect(isDiff(json) ? [] : isDiff.errors).toEqual([])
      const markdown = (await diff("--tolerate-broken-base", "--format", "markdown")).out
      expect(markdown).toContain("<h3>Not compared</h3>")
      expect(markdown).toContain("<td><code>c</code></td>")
    })

    test("two files with one key are both left out, under the names that they get", async () => {
      commit({ ...start, "flags/sub/a.yaml": off, "flags/b.yaml": off })
      write({ "flags/sub/a.yaml": null, "flags/sub/other.yaml": on, "flags/b.yaml": on })
      const { status, out } = await diff("--tolerate-broken-base", "--format", "json")
      expect(status).toBe(0)
      expect(JSON.parse(out).changes.map(({ flag }: { flag: string }) => flag)).not.toContain("a")
      expect(JSON.parse(out).notCompared.flags).toContain("a")
    })

    test("without a project file that can be read, nothing is compared and nothing is called the same", async () => {
      commit({ "flags/project.yaml": "project: shop\nenvironments: production\n", "flags/a.yaml": off })
      write({ "flags/project.yaml": shop, "flags/a.yaml": on })
      const { status, out, err } = await diff("--tolerate-broken-base")
      expect(status).toBe(0)
      expect(err).toMatch(/^HEAD: 1 error, so nothing is compared$/m)
      expect(out).toMatch(/^Nothing is compared: the project file has an error before the change$/m)
      expect(out).not.toContain("Nothing changes")
      const json = JSON.parse((await diff("--tolerate-broken-base", "--format", "json")).out)
      expect(json).toMatchObject({ changes: [], notCompared: { project: true, flags: ["a"] } })
    })

    test("changes nothing where the base is whole, and excuses no error after the change", async () => {
      commit(start)
      write({ "flags/a.yaml": on })
      expect(await diff("--tolerate-broken-base")).toEqual(await diff())
      write({ "flags/a.yaml": broken })
      expect(await diff("--tolerate-broken-base")).toMatchObject({ status: 2, out: "" })
    })

    test("what is not compared counts as a change for --exit-code", async () => {
      commit({ ...start, "flags/a.yaml": broken })
      write({ "flags/a.yaml": off })
      expect((await diff("--tolerate-broken-base", "--exit-code")).status).toBe(1)
    })
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

  test("a mistake in a file that both sides share keeps nothing from being compared: lint speaks of it", async () => {
    commit({ ...start, "flags/broken.yaml": "defaultValue: maybe\n" })
    write({ "flags/a.yaml": on })
    expect(await kinds()).toEqual(["configured a production"])
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

  test("owners, and addresses by the variables of the CI", async () => {
    commit(start)
    const head = commit({ "flags/a.yaml": `owner: team-a\n${on}` })
    const env = { GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "ann/shop" }
    const host = testHost({ cwd: root, env })
    expect(await run(["diff", "HEAD^", "HEAD", "--format", "json"], host, "0.0.0")).toBe(0)
    const json = JSON.parse(host.out())
    expect(isDiff(json) ? [] : isDiff.errors).toEqual([])
    const url = `https://github.com/ann/shop/blob/${head}/flags/a.yaml`
    expect(json.changes[0]).toMatchObject({ flag: "a", owner: "team-a", url })
  })

  test("colour on a terminal, unless NO_COLOR says otherwise", async () => {
    commit(start)
    write({ "flags/a.yaml": on })
    const shown = async (env: Readonly<Record<string, string>>) => {
      const host = testHost({ cwd: root, env, isTerminal: { stdout: true, stderr: true } })
      await run(["diff"], host, "0.0.0")
      return host.out()
    }
    expect(await shown({})).toContain("\u001b[36ma\u001b[39m: configured")
    expect(await shown({ NO_COLOR: "1" })).toBe((await diff()).out)
  })

  describe("--max-warnings and --accept", () => {
    const flipped = "defaultValue: true\ntype: boolean\n"

    test("warnings are a gate where it is asked for, and the way through is named", async () => {
      commit(start)
      write({ "flags/a.yaml": flipped, "flags/project.yaml": shop.replace("shop", "store") })
      expect(await diff()).toMatchObject({ status: 0, err: "" })
      expect((await diff("--max-warnings", "2")).status).toBe(0)
      const { status, out, err } = await diff("--max-warnings", "0")
      expect(status).toBe(1)
      expect(out).toContain("; 2 warnings\n")
      expect(err).toBe(
        "2 warnings, and --max-warnings is 0: if all of it is intended, run with --accept project-renamed --accept default-flipped\n",
      )
    })

    test("an accepted kind is shown in every format, and does not count", async () => {
      commit(start)
      write({ "flags/a.yaml": flipped, "flags/project.yaml": shop.replace("shop", "store") })
      const gate = ["--max-warnings", "0", "--accept", "default-flipped"]
      expect((await diff(...gate)).status).toBe(1)
      const { status, out, err } = await diff(...gate, "--accept", "project-renamed")
      expect({ status, err }).toEqual({ status: 0, err: "" })
      expect(out).toContain("; 2 accepted warnings\n")
      expect(out).toMatch(/\naccepted\n\nflags\/a.yaml:1:15 warning default-flipped\n/)
      const json = JSON.parse((await diff(...gate, "--format", "json")).out)
      expect(isDiff(json) ? [] : isDiff.errors).toEqual([])
      expect(json.warnings.map(({ code }: { code: string }) => code)).toEqual(["project-renamed"])
      expect(json.accepted.map(({ code }: { code: string }) => code)).toEqual(["default-flipped"])
      const markdown = (await diff(...gate, "--format", "markdown")).out
      expect(markdown).toContain("<td><code>default-flipped</code> (accepted)</td>")
      expect(markdown).toContain("<td><code>project-renamed</code></td>")
    })

    test("a workflow accepts by the variable", async () => {
      commit(start)
      write({ "flags/a.yaml": flipped })
      const host = testHost({ cwd: root, env: { FLAGSTONE_ACCEPT: "type-changed,default-flipped" } })
      expect(await run(["diff", "--max-warnings", "0"], host, "0.0.0")).toBe(0)
    })

    test("a code that diff does not have is refused", async () => {
      commit(start)
      const { status, err } = await diff("--accept", "default-fliped")
      expect(status).toBe(2)
      expect(err).toContain("No warning of diff is called `default-fliped`; did you mean `default-flipped`?")
    })
  })

  describe("--contexts", () => {
    const rules = (...texts: readonly string[]) =>
      `defaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n${texts.map((text) => `      - { ${text} }\n`).join("")}`
    const german = "attribute: country, operator: equals, value: DE, returnValue: true"
    const pro = "attribute: plan, operator: equals, value: pro, returnValue: true"
    const visitors = [
      { country: "FR" },
      { country: "DE", plan: "pro" },
      { country: "DE" },
      { plan: "pro" },
      { country: "DE" },
      { country: "DE", plan: "free" },
      { country: ["FR", "DE"] },
    ]
    const lines = visitors.map((context) => `${JSON.stringify(context)}\n`).join("")

    test("says how many get another value, from what to what, with the first three", async () => {
      commit({ ...start, "flags/a.yaml": rules(german), "flags/b.yaml": on })
      write({ "flags/a.yaml": rules(pro), "flags/new.yaml": on, "visitors.jsonl": `\n${lines}` })
      const { status, out } = await diff("--contexts", "visitors.jsonl")
      expect(status).toBe(0)
      expect(out.slice(out.indexOf("5 of 7"))).toBe(
        [
          "5 of 7 contexts of `visitors.jsonl` get another value",
          "  a in production: 4 now get `false` instead of `true`",
          '    line 4: `{"country":"DE"}`',
          '    line 6: `{"country":"DE"}`',
          '    line 7: `{"country":"DE","plan":"free"}`',
          "  a in production: 1 now gets `true` instead of `false`",
          '    line 5: `{"plan":"pro"}`\n',
        ].join("\n"),
      )
      const json = JSON.parse((await diff("--contexts", "visitors.jsonl", "--format", "json")).out)
      expect(isDiff(json) ? [] : isDiff.errors).toEqual([])
      expect(json.contexts).toMatchObject({ file: "visitors.jsonl", count: 7, affected: 5, unknown: 0 })
      expect(json.contexts.steps[1]).toEqual({
        flag: "a",
        environment: "production",
        before: false,
        after: true,
        count: 1,
        first: [{ line: 5, context: { plan: "pro" } }],
      })
    })

    test("a comment names lines, not what stands on them", async () => {
      commit({ ...start, "flags/a.yaml": rules(german) })
      write({ "flags/a.yaml": rules(pro), "visitors.jsonl": lines })
      const { out } = await diff("--contexts", "visitors.jsonl", "--format", "markdown")
      expect(out).toContain("<p>5 of 7 contexts of <code>visitors.jsonl</code> get another value.</p>")
      expect(out).toContain("<td>line 3<br>line 5<br>line 6</td>")
      expect(out).not.toContain("free")
    })

    test("reads stdin, and only the environments that are asked for", async () => {
      commit({ ...start, "flags/a.yaml": rules(german) })
      write({ "flags/a.yaml": rules(pro) })
      const of = async (...args: readonly string[]) => {
        const host = testHost({ cwd: root, stdin: lines.trimEnd() })
        expect(await run(["diff", "--contexts", "-", "--format", "json", ...args], host, "0.0.0")).toBe(0)
        return JSON.parse(host.out()).contexts
      }
      expect(await of()).toMatchObject({ file: "stdin", count: 7, affected: 5 })
      expect(await of("--only", "staging")).toMatchObject({ count: 7, affected: 0, steps: [] })
    })

    test("counts what an operator of the project's own decides, and compares a renamed flag", async () => {
      const own = "attribute: country, operator: ours, value: x, returnValue: true"
      const project = `${shop}operators: [ours]\n`
      commit({
        ...start,
        "flags/project.yaml": project,
        "flags/a.yaml": rules(own),
        "flags/b.yaml": rules(german),
      })
      write({ "flags/a.yaml": rules(pro, own), "flags/b.yaml": null, "flags/c.yaml": rules(german) })
      write({ "visitors.jsonl": lines })
      const { out } = await diff("--contexts", "visitors.jsonl")
      expect(out).toContain(
        "0 of 7 contexts of `visitors.jsonl` get another value; 7 depend on an operator that only the project's SDKs know\n",
      )
    })

    test("a line that is no context ends it, with its number", async () => {
      commit(start)
      for (const [line, message] of [
        ["{country:1}", "visitors.jsonl, line 8, column 2: not JSON: unexpected `c`"],
        ["[1]", 'visitors.jsonl, line 8: a context is a JSON object such as {"plan":"pro"}'],
        [Buffer.from([0x22, 0xff, 0x22]), "visitors.jsonl, line 8: the text is not UTF-8"],
      ] as const) {
        writeFileSync(join(root, "visitors.jsonl"), Buffer.concat([Buffer.from(lines), Buffer.from(line)]))
        expect(await diff("--contexts", "visitors.jsonl")).toEqual({
          status: 2,
          out: "",
          err: `flagstone: ${message}\n`,
        })
      }
      expect((await diff("--contexts", "nobody.jsonl")).err).toBe(
        "flagstone: --contexts: cannot read nobody.jsonl: ENOENT\n",
      )
    })
  })
})
