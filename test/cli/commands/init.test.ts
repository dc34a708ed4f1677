// @module-tag system
import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { beforeEach, describe, expect, test } from "vitest"
import { parse } from "yaml"
import { run } from "../../../cli/program.ts"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { recordShown } from "../../secrets/record.ts"
import { testHost } from "../../test-host.ts"

let cwd = ""
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "flagstone-init-"))
})

async function flagstone(args: readonly string[], env: Readonly<Record<string, string>> = {}, folder = cwd) {
  const host = testHost({ cwd: folder, env })
  const status = await run(args, host, "0.0.0")
  return { status, out: host.out(), err: host.err() }
}

const read = (path: string) => readFileSync(join(cwd, path), "utf8")
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(cwd, path)), { recursive: true })
  writeFileSync(join(cwd, path), text)
}
const git = (...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    cwd,
    encoding: "utf8",
  })

/** Every file below the folder, with its text. */
function filesBelow(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted()
  return Object.fromEntries(
    paths
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, readFileSync(join(folder, path), "utf8")]),
  )
}

describe("a new project", () => {
  test("protects production, is clean in lint and fmt, and its build leaves nothing for git to see", async () => {
    git("init", "-q")
    expect((await flagstone(["init"])).status).toBe(0)
    expect(parse(read("flags/project.yaml"))).toMatchObject({
      environments: ["development", "staging", "production"],
      protected: ["production"],
    })
    expect(await flagstone(["lint", "--max-warnings", "0"])).toMatchObject({ status: 0 })
    expect(await flagstone(["fmt", "--check"])).toMatchObject({ status: 0 })
    git("add", "-A")
    git("commit", "-q", "-m", "flags")
    expect((await flagstone(["build", "--require-clean"])).status).toBe(0)
    expect(git("status", "--porcelain")).toBe("")
  })

  test("does not give git the secrets that are made as the pages say, nor packages", async () => {
    git("init", "-q")
    write("node_modules/flagstone/package.json", "{}")
    await flagstone(["init"])
    await flagstone(["keys", "create", "production", "--out", "secret.txt"])
    await flagstone(["keys", "create", "production", "--out", "secret-web.txt"])
    await flagstone(["keys", "signing", "--out", "private.txt"])
    git("add", "-A")
    expect(git("ls-files").trim().split("\n")).toEqual([
      ".gitignore",
      "AGENTS.md",
      "flags/new-welcome.yaml",
      "flags/project.yaml",
      "keys.yaml",
    ])
    for (const file of ["secret.txt", "secret-web.txt", "private.txt"]) recordShown(read(file))
  })

  test("gives git the schema of a flag's own values", async () => {
    git("init", "-q")
    await flagstone(["init"])
    write("flags/limits.yaml", "type: json\nschema: limits.schema.json\ndefaultValue: { max: 1 }\n")
    write("flags/limits.schema.json", '{ "type": "object" }\n')
    expect((await flagstone(["lint"])).status).toBe(0)
    git("add", "-A")
    const schemas = git("ls-files", "flags")
      .split("\n")
      .filter((path) => path.endsWith(".schema.json"))
    expect(schemas).toEqual(["flags/limits.schema.json"])
  })

  test("has npm write the schemas in a clone, and never fails an install", async () => {
    write("package.json", '{ "private": true }\n')
    await flagstone(["init"])
    const { prepare } = JSON.parse(read("package.json")).scripts
    const isThere = () => existsSync(join(cwd, "flags/flag.schema.json"))
    rmSync(join(cwd, "flags/flag.schema.json"))
    const bin = join(import.meta.dirname, "../../../cli/flagstone.js")
    write("node_modules/.bin/flagstone", `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`)
    chmodSync(join(cwd, "node_modules/.bin/flagstone"), 0o755)
    const install = () => execFileSync("npm", ["run", "--silent", "prepare"], { cwd, stdio: "pipe" })
    install()
    expect([prepare, isThere()]).toEqual(["flagstone lint || exit 0", true])
    write("flags/new-welcome.yaml", "defaultValue: [\n")
    install()
    rmSync(join(cwd, "node_modules"), { recursive: true })
    install() // without development dependencies
  })

  test("has an example that tries every environment and every rule", async () => {
    await flagstone(["init"])
    await flagstone(["build"])
    const valueIn = async (environment: string, context: Readonly<Record<string, string>>) => {
      const evaluator = await createEvaluator(JSON.parse(read(`dist/${environment}.json`)))
      const evaluation = evaluator.evaluate("new-welcome", context)
      return evaluation.kind === "evaluated" ? [evaluation.value, evaluation.cause] : evaluation
    }
    expect(await valueIn("staging", {})).toEqual([true, "always"])
    expect(await valueIn("production", { email: "ann@example.com" })).toEqual([true, "rule"])
    const people = Array.from({ length: 200 }, (_, index) => ({ userId: `user-${index}` }))
    const values = await Promise.all(people.map((person) => valueIn("production", person)))
    const causes = new Set(values.map((value) => JSON.stringify(value)))
    expect(causes).toEqual(new Set(['[true,"share"]', '[false,"default"]']))
  })
})

describe("never overwrites", () => {
  test.each([
    ["flags/project.yaml", [], "already exists"],
    ["flags/project.yml", [], "rename it to project.yaml"],
    ["project.yaml", [], "project.yaml"],
    [".github/workflows/flags.yaml", ["--ci", "github"], "already exists"],
    [".gitlab/flags.gitlab-ci.yml", ["--ci", "gitlab"], "already exists"],
  ])("%s", async (path, options, message) => {
    write(path, "project: shop\nenvironments: [production]\n")
    const before = filesBelow(cwd)
    const { status, err } = await flagstone(["init", ...options])
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) })
    expect(err).toContain("nothing was changed")
    expect(filesBelow(cwd)).toEqual(before)
  })

  test("in a folder of a project it starts no second one", async () => {
    await flagstone(["init"])
    const before = filesBelow(cwd)
    for (const folder of ["flags", "flags/checkout"]) {
      mkdirSync(join(cwd, folder), { recursive: true })
      const { status, err } = await flagstone(["init"], {}, join(cwd, folder))
      expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining("project.yaml") })
    }
    expect(filesBelow(cwd)).toEqual(before)
  })

  test("existing flags get a project and no example", async () => {
    write("flags/checkout.yaml", "defaultValue: false\n")
    expect((await flagstone(["init"])).status).toBe(0)
    expect(existsSync(join(cwd, "flags/new-welcome.yaml"))).toBe(false)
    expect((await flagstone(["lint"])).status).toBe(0)
  })

  test("a .gitignore gets the lines that it lacks", async () => {
    const secrets = "secret*.txt\nprivate*.txt\n"
    const schemas = (folder: string) =>
      ["flag", "segment", "invariants", "project", "spec"]
        .map((name) => `${folder}/${name}.schema.json\n`)
        .join("")
    write(".gitignore", "/node_modules/")
    await flagstone(["init"])
    expect(read(".gitignore")).toBe(`/node_modules/\n/dist/\n${secrets}${schemas("/flags")}`)
    const all = `dist\nnode_modules\r\n${secrets}${schemas("/other")}`
    write(".gitignore", all)
    await flagstone(["init", "--flags", "other"])
    expect(read(".gitignore")).toBe(all)
    await flagstone(["init", "--flags", "my [flags]"])
    expect(read(".gitignore")).toBe(`${all}${schemas("/my \\[flags\\]")}`)
    for (const [flags, lines] of [
      [".", `/dist/\nnode_modules\n${secrets}${schemas("")}`],
      ["pay/flags", `/dist/\nnode_modules\n${secrets}/pay/dist/\n${schemas("/pay/flags")}`],
      ["../beside", `/dist/\nnode_modules\n${secrets}`],
    ] as const) {
      const folder = mkdtempSync(join(cwd, "another-"))
      expect((await flagstone(["init", "--flags", flags], {}, folder)).status).toBe(0)
      expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe(lines)
    }
  })

  test("an AGENTS.md gets a section at its end, once", async () => {
    write("AGENTS.md", "# Rules\n\nBe brief.")
    const { out } = await flagstone(["init", "--flags", "my `flags`"])
    expect(out).toContain("\nAGENTS.md: how coding agents change flags\n")
    const text = read("AGENTS.md")
    expect(text).toMatch(
      /^# Rules\n\nBe brief\.\n\n## Feature flags\n\nThe flags are the files in ``my `flags`\/``\./,
    )
    expect(text).toContain('``npx flagstone set --flags "my `flags`"``')
    await flagstone(["init", "--flags", "other"])
    expect(read("AGENTS.md")).toBe(text)
  })

  test("the flags folder itself gets no AGENTS.md, which would be a stray file there", async () => {
    const { status } = await flagstone(["init", "--flags", "."])
    expect({ status, isThere: existsSync(join(cwd, "AGENTS.md")) }).toEqual({ status: 0, isThere: false })
  })

  test.each([".", "../elsewhere"])("CI is refused for flags in %s", async (flags) => {
    expect(await flagstone(["init", "--flags", flags, "--ci", "github"])).toMatchObject({
      status: 2,
      err: expect.stringContaining(
        "CI needs the flags in a folder of their own in the repository; nothing was changed",
      ),
    })
    expect(existsSync(join(cwd, "project.yaml"))).toBe(false)
  })

  test("a package.json gets scripts beside its own, in its layout", async () => {
    const text = '{\n\t"name": "shop",\n\t"scripts": {\n\t\t"flags:dev": "mine"\n\t},\n\t"private": true\n}\n'
    write("package.json", text)
    await flagstone(["init", "--flags", "my flags"])
    expect(read("package.json")).toBe(
      text.replace(
        '"mine"\n',
        '"mine",\n\t\t"flags:lint": "flagstone lint --flags \\"my flags\\"",\n\t\t"flags:fmt": "flagstone fmt --flags \\"my flags\\"",\n\t\t"flags:test": "flagstone test --flags \\"my flags\\"",\n\t\t"flags:build": "flagstone build --flags \\"my flags\\"",\n\t\t"prepare": "flagstone lint --flags \\"my flags\\" || exit 0"\n',
      ),
    )
    const complete =
      '{"scripts": {"flags:dev":"","flags:lint":"","flags:fmt":"","flags:test":"","flags:build":"","prepare":"husky"}}'
    write("package.json", complete)
    await flagstone(["init", "--flags", "another"])
    expect(read("package.json")).toBe(complete)
    write("package.json", "{ broken")
    const { status, out } = await flagstone(["init", "--flags", "third"])
    expect(status).toBe(0)
    expect(read("package.json")).toBe("{ broken")
    expect(out).not.toContain("package.json")
  })
})

describe("--ci", () => {
  const workflowsOf = () =>
    readdirSync(join(cwd, ".github/workflows"))
      .sort()
      .map((name) => [name, read(`.github/workflows/${name}`)] as const)

  test("github: workflows of at most 15 lines for this folder of flags, even beside an existing project", async () => {
    await flagstone(["init", "--flags", "apps/shop/flags"])
    const { status, out } = await flagstone(["init", "--flags", "apps/shop/flags", "--ci", "github"])
    expect({ status, out }).toEqual({
      status: 0,
      out: [
        ".github/workflows/flags.yaml",
        ".github/workflows/flags-publish.yaml",
        "Write the owner of Flagstone's repository at GitHub, and a commit, for <owner> and <commit> in .github/workflows",
        "CI publishes nothing until you set its variable FLAGS_TARGET; see docs/ci.md",
        "Next: npx flagstone dev --flags apps/shop/flags\n",
      ].join("\n"),
    })
    for (const [name, text] of workflowsOf()) {
      expect(text.trimEnd().split("\n").length, name).toBeLessThan(16)
      expect(text).not.toContain("Goes to")
    }
    const [publish, check] = workflowsOf().map(([, text]) => parse(text))
    expect(check.jobs.flags.with).toEqual({ flags: "apps/shop/flags" })
    expect(publish.jobs.publish.with).toEqual({ flags: "apps/shop/flags" })
    expect(publish.on.push.paths).toContain("apps/shop/flags/**")
  })

  const sha = "8ad20d150bbac5944a9f9d289da16a4b0d87c1e4"
  test.each([
    ["package-lock.json", `"resolved": "git+ssh://git@github.com/acme/flagstone.git#${sha}"`],
    ["pnpm-lock.yaml", `resolution: {tarball: https://codeload.github.com/acme/flagstone/tar.gz/${sha}}`],
    ["yarn.lock", `  resolution: "flagstone@https://github.com/acme/flagstone.git#commit=${sha}"`],
    ["yarn.lock", `  resolved "git+https://github.com/acme/flagstone.git#${sha}"`],
  ])("github: takes Flagstone from where %s has it", async (lock, text) => {
    write(lock, `${text}\n`)
    const { out } = await flagstone(["init", "--ci", "github", "--forms"])
    expect(out).not.toContain("<owner>")
    const [form, publish, check] = workflowsOf().map(([, text]) => parse(text))
    expect(form.jobs.change.steps[1].uses).toBe(`acme/flagstone@${sha}`)
    expect(check.jobs.flags.uses).toBe(`acme/flagstone/.github/workflows/flags-check.yaml@${sha}`)
    expect(publish.jobs.publish.uses).toBe(`acme/flagstone/.github/workflows/flags-publish.yaml@${sha}`)
    expect(publish.on.push.paths).toEqual([
      ...["flags/**", "keys.yaml", lock, ".github/workflows/flags-publish.yaml"],
    ])
  })

  test("github: adds the fast lane's check once the project has a lane, and nothing else twice", async () => {
    await flagstone(["init", "--ci", "github"])
    expect(workflowsOf().map(([name]) => name)).toEqual(["flags-publish.yaml", "flags.yaml"])
    write(
      "flags/project.yaml",
      `${read("flags/project.yaml")}fastLane:\n  - { environments: [production], gives: default }\n`,
    )
    const { status, out } = await flagstone(["init", "--ci", "github"])
    expect({ status, out }).toMatchObject({ status: 0, out: expect.stringContaining("fast-lane.yaml\n") })
    expect(workflowsOf()[0]?.[1].split("\n").length).toBeLessThanOrEqual(15)
    expect(await flagstone(["init", "--ci", "github"])).toMatchObject({
      status: 2,
      err: expect.stringContaining(".github/workflows/flags.yaml already exists: nothing was changed"),
    })
  })

  test("gitlab: the jobs, and the file that includes them unless there is one", async () => {
    expect((await flagstone(["init", "--ci", "gitlab"])).status).toBe(0)
    expect(parse(read(".gitlab-ci.yml"))).toEqual({ include: [{ local: ".gitlab/flags.gitlab-ci.yml" }] })
    expect(read(".gitlab/flags.gitlab-ci.yml")).toContain("FLAGSTONE_FLAGS: flags\n")
    cwd = mkdtempSync(join(tmpdir(), "flagstone-init-"))
    write(".gitlab-ci.yml", "stages: [test]\n")
    const { out } = await flagstone(["init", "--ci", "gitlab", "--flags", "a/flags"])
    expect(read(".gitlab-ci.yml")).toBe("stages: [test]\n")
    expect(out).toContain("include: [{ local: .gitlab/flags.gitlab-ci.yml }]")
    expect(parse(read(".gitlab/flags.gitlab-ci.yml"))[".flags"].variables.FLAGSTONE_FLAGS).toBe("a/flags")
  })

  test("goes to the top of the repository, where CI looks for it", async () => {
    git("init", "-q")
    mkdirSync(join(cwd, "apps/shop"), { recursive: true })
    const { status, err } = await flagstone(["init", "--ci", "github"], {}, join(cwd, "apps/shop"))
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining("--flags apps/shop/flags") })
    expect(readdirSync(join(cwd, "apps/shop"))).toEqual([])
  })
})

describe("--ci with --forms", () => {
  const project = "project: shop\nenvironments: [test, 'live-1.10']\n"

  test("github: the form has the project's environments, and stands beside existing jobs", async () => {
    write("apps/flags/project.yaml", project)
    await flagstone(["init", "--flags", "apps/flags", "--ci", "github"])
    const { status, out } = await flagstone(["init", "--flags", "apps/flags", "--ci", "github", "--forms"])
    expect({ status, out }).toEqual({
      status: 0,
      out: ".github/workflows/change-flag.yaml\nWrite the owner of Flagstone's repository at GitHub, and a commit, for <owner> and <commit> in .github/workflows\nThe form works once GitHub Actions may create pull requests (Settings, Actions, General)\nNext: npx flagstone dev --flags apps/flags\n",
    })
    const form = parse(read(".github/workflows/change-flag.yaml"))
    expect(form.env.FLAGSTONE_FLAGS).toBe("apps/flags")
    expect(form.on.workflow_dispatch.inputs.environment.options).toEqual(["test", "live-1.10"])
  })

  test("gitlab: the form is .gitlab-ci.yml, which includes the jobs", async () => {
    write("flags/project.yaml", project)
    const { status, out } = await flagstone(["init", "--ci", "gitlab", "--forms"])
    expect({ status, out }).toMatchObject({ status: 0, out: expect.stringContaining("FLAGS_FORM_TOKEN") })
    const [header = "", content = ""] = read(".gitlab-ci.yml").split(/^---\n/m)
    expect(parse(header).spec.inputs.environment).toMatchObject({
      default: "test",
      options: ["test", "live-1.10"],
    })
    expect(parse(content).include).toEqual([{ local: ".gitlab/flags.gitlab-ci.yml" }])
    expect(existsSync(join(cwd, ".gitlab/flags.gitlab-ci.yml"))).toBe(true)
    const before = filesBelow(cwd)
    const again = await flagstone(["init", "--ci", "gitlab", "--forms"])
    expect(again).toMatchObject({ status: 2, err: expect.stringContaining(".gitlab-ci.yml already exists") })
    expect(filesBelow(cwd)).toEqual(before)
  })

  test("gitlab: beside an existing .gitlab-ci.yml, it says what to move there", async () => {
    write(".gitlab-ci.yml", "stages: [test]\n")
    const { out } = await flagstone(["init", "--ci", "gitlab", "--forms"])
    expect(read(".gitlab-ci.yml")).toBe("stages: [test]\n")
    expect(out).toContain("Add to .gitlab-ci.yml: include: [{ local: .gitlab/flags.gitlab-ci.yml }]\n")
    expect(out).toContain(
      "Move the inputs and the job of .gitlab/change-flag.gitlab-ci.yml to .gitlab-ci.yml",
    )
    expect(read(".gitlab/change-flag.gitlab-ci.yml")).toContain("spec:\n")
  })

  test.each([
    [
      ".github/workflows/change-flag.yaml",
      "a: b\n",
      ["--ci", "github"],
      "already exists: nothing was changed. If environments were added",
    ],
    ["flags/project.yaml", "project: shop\n", ["--ci", "github"], "has mistakes"],
    ["README.md", "shop\n", [], "--ci"],
  ])("changes nothing: %s %o", async (path, text, options, message) => {
    write(path, text)
    const before = filesBelow(cwd)
    const { status, err } = await flagstone(["init", "--forms", ...options])
    expect({ status, err }).toEqual({ status: 2, err: expect.stringContaining(message) })
    expect(filesBelow(cwd)).toEqual(before)
  })
})
