import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { checksum } from "../../../proxy/contract/api-key.ts"
import { secretPrefix } from "../../../proxy/contract/secret-form.ts"
import { outsideGit, testHost } from "../../test-host.ts"

function project(files: Readonly<Record<string, string>>): string {
  const top = mkdtempSync(join(tmpdir(), "flagstone-lint-"))
  const all = { "flags/project.yaml": "project: shop\nenvironments: [staging, production]\n", ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(top, path)), { recursive: true })
    writeFileSync(join(top, path), text)
  }
  return top
}

async function lint(cwd: string, ...args: readonly string[]) {
  const host = testHost({ cwd, git: outsideGit })
  const status = await run(["lint", ...args], host, "1.2.3")
  const files = [...host.out().matchAll(/^(\S.*?):\d+:\d+ (?:error|warning) (\S+)$/gm)]
  return { status, found: files.map(([, file, code]) => `${file} ${code}`), err: host.err() }
}

describe("lint with names reports mistakes in those files", () => {
  const cwd = project({
    "flags/a.yaml": "defaultValue: 1\n",
    "flags/b.yaml": "defaultValue: false\n",
    "flags/two words/d.yaml": "defaultValue: 2\n",
    "flags/team/c.yaml": "defaultValue: 3\n",
    "flags/README.md": "# Flags\n",
    "src/index.ts": "",
  })

  test.each([
    ["one of several that are wrong", "", ["flags/a.yaml"], ["flags/a.yaml"]],
    ["one that is right", "", ["flags/b.yaml"], []],
    ["a folder", "", ["flags/team"], ["flags/team/c.yaml"]],
    ["an absolute path", "", [join(cwd, "flags/a.yaml")], ["flags/a.yaml"]],
    ["a path from a folder below", "flags/team", ["c.yaml"], ["c.yaml"]],
    ["a path upwards", "src", ["../flags/a.yaml"], ["../flags/a.yaml"]],
    ["the project file", "", ["flags/project.yaml"], []],
    ["a file that is not a flag", "", ["flags/README.md"], []],
  ])("%s", async (_, from, names, files) => {
    const { status, found } = await lint(join(cwd, from), ...names)
    expect(found).toEqual(files.map((file) => `${file} wrong-value-type`))
    expect(status).toBe(files.length === 0 ? 0 : 1)
  })

  test("and counts those", async () => {
    expect((await lint(cwd, "flags/b.yaml", "flags/a.yaml")).err).toBe("2 flags checked: 1 error\n")
  })
  test("the project of a file is found from the file, too", async () => {
    const { found, status } = await lint(dirname(cwd), join(cwd, "flags/a.yaml"))
    expect({ found: found.length, status }).toEqual({ found: 1, status: 1 })
  })
  test.each([
    ["a missing file", ["flags/z.yaml"], "no file flags/z.yaml"],
    ["a file elsewhere", ["src/index.ts"], "src/index.ts is outside"],
    [
      "a file outside the folder that is named",
      ["--flags", "flags/team", "flags/a.yaml"],
      "flags/a.yaml is outside",
    ],
  ])("%s cannot be checked", async (_, args, message) => {
    expect(await lint(cwd, ...args)).toMatchObject({ status: 2, err: expect.stringContaining(message) })
  })
})

describe("a flag with a mistake keeps no mistake of a spec from being found", () => {
  const spec = (flag: string, fields: string) =>
    `flag: ${flag}\ncases: [{ environment: staging, ${fields} }]\n`
  test.each([
    ["a misspelt field", spec("b", "expekt: true"), ["unknown-field"]],
    ["a value of another type", spec("b", "expect: text"), ["bad-spec"]],
    ["a rule that does not exist", spec("b", "expect: { rule: 1 }"), ["bad-spec"]],
    ["nothing", spec("b", "expect: false"), []],
    ["nothing about the flag that is wrong", spec("a", "expect: { value: text, rule: 1 }"), []],
    ["nothing about a flag that may be missing", spec("unread", "expect: { value: text, rule: 1 }"), []],
  ])("%s", async (_, text, codes) => {
    const cwd = project({
      "flags/a.yaml": "defaultValue: 1\n",
      "flags/b.yaml": "defaultValue: false\n",
      "flags/unread.yaml": "[",
      "flags/c.spec.yaml": text,
    })
    const { found, err } = await lint(cwd, "flags/c.spec.yaml")
    expect(found).toEqual(codes.map((code) => `flags/c.spec.yaml ${code}`))
    expect(err).toMatch(codes.length === 0 ? "1 spec checked: no mistakes\n" : "1 spec checked: ")
  })
})

describe("mistakes that involve several files", () => {
  const cwd = project({
    "flags/a.yaml": "defaultValue: false\n",
    "flags/b.yaml": "key: a\ndefaultValue: false\n",
    "flags/c.yaml": "defaultValue: false\n",
  })
  test.each(["flags/a.yaml", "flags/b.yaml"])("are reported for each file involved: %s", async (name) => {
    expect(await lint(cwd, name)).toMatchObject({ status: 1, found: ["flags/b.yaml duplicate-key"] })
  })
  test("and not for others", async () => {
    expect(await lint(cwd, "flags/c.yaml")).toMatchObject({ status: 0, found: [] })
  })
})

describe("lint with the name of a segment file", () => {
  const files = {
    "flags/staff.segment.yaml": "segment: testers\n",
    "flags/people/testers.segment.yaml": "any: [{ segment: staff }, { segment: betta }]\n",
    "flags/people/beta.segment.yaml": "attribute: email\noperator: endsWith\nvalue: 12\n",
    "flags/a.yaml": "defaultValue: 1\n",
  }
  test.each([
    ["flags/people/beta.segment.yaml", ["flags/people/beta.segment.yaml unquoted-value"]],
    ["flags/staff.segment.yaml", ["flags/staff.segment.yaml segment-cycle"]],
    [
      "flags/people",
      [
        "flags/people/beta.segment.yaml unquoted-value",
        "flags/people/testers.segment.yaml unknown-segment",
        "flags/staff.segment.yaml segment-cycle",
      ],
    ],
  ])("says what is wrong in it, and what it is part of: %s", async (name, found) => {
    expect(await lint(project(files), name)).toMatchObject({ status: 1, found })
  })
  test("counts it, and fixes only it", async () => {
    const cwd = project(files)
    expect((await lint(cwd, "flags/staff.segment.yaml")).err).toBe("1 segment checked: 1 error\n")
    const { status, err } = await lint(cwd, "--fix", "flags/people/beta.segment.yaml")
    expect({ status, err }).toEqual({
      status: 0,
      err: "1 mistake fixed in 1 file\n1 segment checked: no mistakes\n",
    })
  })
})

test("a mistake in the project file is always reported, because it concerns every flag", async () => {
  const cwd = project({
    "flags/project.yaml": "projekt: shop\nenvironments: [a]\n",
    "flags/a.yaml": "defaultValue: false\n",
    "flags/b.yaml": "defaultValue: 1\n",
  })
  expect(await lint(cwd, "flags/a.yaml")).toMatchObject({
    status: 2,
    found: ["flags/project.yaml unknown-field"],
  })
})

describe("a mistake in the project file hides no mistake of a flag, and causes none", () => {
  const flags = {
    "flags/wrong.yaml": "tags: [checkout]\ndefaultValue: 1\n",
    "flags/broken.yaml": "defaultValue: [\n",
    "flags/right.yaml": `defaultValue: false
tags: [checkout]
environments:
  production:
    enabled: true
    rules:
      - { attribute: region, operator: equals, value: eu, returnValue: true }
      - { attribute: region, operator: isNear, value: eu, returnValue: true }
`,
  }
  const whole = {
    project: "project: shop\n",
    environments: "environments: [staging, production]\n",
    attributes: "attributes: { region: { type: text } }\n",
    operators: "operators: [isNear]\n",
    tags: "tags: [checkout]\n",
    require: "require: [tags]\n",
  }
  const ofFlags = ["flags/broken.yaml syntax", "flags/wrong.yaml wrong-value-type"]

  test.each([
    ["an empty attribute", { attributes: "attributes:\n  region:\n" }, "wrong-type"],
    ["no name", { project: "" }, "missing-field"],
    ["no environments", { environments: "" }, "missing-field"],
    ["environments that are no list", { environments: "environments: production\n" }, "wrong-type"],
    ["a bad environment", { environments: "environments: [staging, Prod uction]\n" }, "bad-name"],
    ["operators that are no list", { operators: "operators: isNear\n" }, "wrong-type"],
    ["a member that cannot be required", { require: "require: [ownr]\n" }, "unknown-field"],
  ])("%s", async (_, broken, code) => {
    const text = Object.values({ ...whole, ...broken }).join("")
    const { status, found, err } = await lint(project({ ...flags, "flags/project.yaml": text }))
    expect(status).toBe(2)
    expect(found.filter((line) => !line.startsWith("flags/project.yaml "))).toEqual(ofFlags)
    expect(found).toContain(`flags/project.yaml ${code}`)
    expect(err).toContain("3 flags checked")
  })

  test("while it is not known which files are ignored, none is checked", async () => {
    const text = `${Object.values(whole).join("")}ignore: notes.yaml\n`
    const { status, found } = await lint(project({ ...flags, "flags/project.yaml": text }))
    expect({ status, found }).toEqual({ status: 2, found: ["flags/project.yaml wrong-type"] })
  })
})

test("--fix with names changes no other file", async () => {
  const text = "type: string\ndefaultValue: 1.10\n"
  const cwd = project({ "flags/a.yaml": text, "flags/b.yaml": text })
  expect((await lint(cwd, "--fix", "flags/a.yaml")).err).toContain("1 mistake fixed in 1 file")
  expect(readFileSync(join(cwd, "flags/a.yaml"), "utf8")).toContain('"1.10"')
  expect(readFileSync(join(cwd, "flags/b.yaml"), "utf8")).toBe(text)
})

test("files for readers, of editors and of systems may be beside the flags", async () => {
  const names = [
    ...["README.md", "README", "team/readme.txt", "CODEOWNERS", "team/CODEOWNERS", "OWNERS"],
    ...[".DS_Store", "Thumbs.db", "desktop.ini", "._a.yaml", ".gitkeep", ".gitignore", ".gitattributes"],
    ...["a.yaml~", "#a.yaml#", ".#a.yaml", ".a.yaml.swp", "a.yaml.bak", "a.yaml.orig", ".a.yaml.new"],
    ".editorconfig",
  ]
  const cwd = project({
    "flags/a.yaml": "defaultValue: false\n",
    ...Object.fromEntries(names.map((name) => [`flags/${name}`, "text: [\n"])),
  })
  expect(await lint(cwd, "--max-warnings", "0")).toEqual({
    status: 0,
    found: [],
    err: "1 flag checked: no mistakes\n",
  })
  writeFileSync(join(cwd, "flags/README.yaml"), "text: [\n")
  writeFileSync(join(cwd, "flags/notes.md"), "")
  expect((await lint(cwd)).found).toEqual(["flags/README.yaml syntax", "flags/notes.md stray-file"])
})

test("a project file in a subfolder is reported, with both fixes", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-lint-"))
  mkdirSync(join(cwd, "flags/a"), { recursive: true })
  writeFileSync(join(cwd, "flags/a/project.yaml"), "project: shop\nenvironments: [production]\n")
  const { status, err } = await lint(cwd)
  const flags = join(cwd, "flags")
  expect({ status, err }).toEqual({
    status: 2,
    err: `flagstone: ${flags}/a/project.yaml is in a subfolder: move it to ${flags}, or name its own folder with --flags ${flags}/a\n`,
  })
})

describe("a project file with the name project.yml", () => {
  const text = "project: shop\nenvironments: [production]\n"
  test("alone, should be renamed", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "flagstone-lint-"))
    mkdirSync(join(cwd, "flags"))
    writeFileSync(join(cwd, "flags/project.yml"), text)
    const { status, err } = await lint(cwd)
    expect(status).toBe(2)
    expect(err).toMatch(/^flagstone: rename \S+\/flags\/project\.yml to project\.yaml: /)
  })
  test("beside project.yaml, should be removed: renaming it would overwrite the other", async () => {
    const cwd = project({ "flags/project.yml": text })
    const host = testHost({ cwd, git: outsideGit })
    await run(["lint"], host, "1.2.3")
    expect(host.out()).toContain("The project file is `project.yaml`, next to this file. Remove this one.")
  })
})

test("warnings are findings only beyond --max-warnings", async () => {
  const cwd = project({ "flags/old.yaml": "defaultValue: false\nexpires: 2026-01-01\n" })
  expect((await lint(cwd)).status).toBe(0)
  expect((await lint(cwd, "--max-warnings", "1")).status).toBe(0)
  expect((await lint(cwd, "--max-warnings", "0")).status).toBe(1)
})

test("an unreadable flag is not a segment of that name", async () => {
  const rules = "[{ segment: staff, returnValue: true }]"
  const cwd = project({
    "flags/a.yaml": `defaultValue: false\nenvironments: { production: { enabled: true, rules: ${rules} } }\n`,
    "flags/staff.yaml": " ".repeat(1024 * 1024 + 1),
  })
  const host = testHost({ cwd, git: outsideGit })
  expect(await run(["lint"], host, "1.2.3")).toBe(1)
  expect(host.out()).toMatch("flags/staff.yaml:1:1 error file-too-large")
  expect(host.out()).toMatch("Unknown segment `staff`. Define it in the file `staff.segment.yaml`")
})

test.each([
  ["in the line of another mistake", "type: boolean\ndefaultValue: SECRET\n", "wrong-value-type"],
  ["in a message", "defaultValue: false\nSECRET: 1\n", "unknown-field"],
  [
    "in a related place",
    "defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ attribute: a, operator: in, value: [SECRET, SECRET], returnValue: true }] } }\n",
    "duplicate-item",
  ],
])("shows no secret %s", async (_, text, code) => {
  const start = `${secretPrefix}${"Ab3".repeat(15).slice(0, 43)}`
  const secret = start + checksum(start)
  const cwd = project({ "flags/a.yaml": text.replaceAll("SECRET", secret) })
  for (const args of [[], ["--format", "json"], ["--format", "sarif"], ["flags/a.yaml"]]) {
    const host = testHost({ cwd, git: outsideGit })
    await run(["lint", ...args], host, "1.2.3")
    expect(host.out()).toContain(code)
    expect(host.out()).not.toContain(secret)
  }
})
