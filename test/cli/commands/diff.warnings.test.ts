// @module-tag system
import { renameSync } from "node:fs"
import { join } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { run } from "../../../cli/program.ts"
import { testHost } from "../../test-host.ts"
import { shop } from "../diff/sides.ts"
import { inNewFolders, isDiff, off, start } from "./diff-session.ts"

// --max-warnings and --accept
const { commit, diff, folder, write, git } = inNewFolders()
beforeEach(() => void git("init", "-q", "-b", "main"))

const flipped = "defaultValue: true\ntype: boolean\n"

test("warnings are a gate if asked for, and the way through is named", async () => {
  commit(start)
  write({ "flags/a.yaml": flipped, "flags/project.yaml": shop.replace("shop", "store") })
  expect(await diff()).toMatchObject({ status: 0, err: "" })
  expect((await diff("--max-warnings", "2")).status).toBe(0)
  const { status, out, err } = await diff("--max-warnings", "0")
  expect(status).toBe(1)
  expect(out).toContain("; 2 warnings\n")
  expect(err).toBe(
    "2 warnings, and --max-warnings is 0: if intended, run with --accept project-renamed --accept everyone-changes\n",
  )
})

test("an accepted kind is shown in every format, and does not count", async () => {
  commit(start)
  write({ "flags/a.yaml": flipped, "flags/project.yaml": shop.replace("shop", "store") })
  const gate = ["--max-warnings", "0", "--accept", "everyone-changes"]
  expect((await diff(...gate)).status).toBe(1)
  const { status, out, err } = await diff(...gate, "--accept", "project-renamed")
  expect({ status, err }).toEqual({ status: 0, err: "" })
  expect(out).toContain("; 2 accepted warnings\n")
  expect(out).toMatch(/\naccepted warnings\n\nflags\/a.yaml:1:15 warning everyone-changes\n/)
  const json = JSON.parse((await diff(...gate, "--format", "json")).out)
  expect(isDiff(json) ? [] : isDiff.errors).toEqual([])
  expect(json.warnings.map(({ code }: { code: string }) => code)).toEqual(["project-renamed"])
  expect(json.accepted.map(({ code }: { code: string }) => code)).toEqual(["everyone-changes"])
  const markdown = (await diff(...gate, "--format", "markdown")).out
  expect(markdown).toContain("### Accepted warnings\n\n- `flags/a.yaml:1` `everyone-changes`: ")
  expect(markdown).toContain("`project-renamed`:")
})

test("a workflow accepts with the variable", async () => {
  commit(start)
  write({ "flags/a.yaml": flipped })
  const host = testHost({ cwd: folder(), env: { FLAGSTONE_ACCEPT: "type-changed,everyone-changes" } })
  expect(await run(["diff", "--max-warnings", "0"], host, "0.0.0")).toBe(0)
})

test.each([
  "bug, flagstone:accept-everyone-changes,flagstone:accept-type-changed", // GitLab
  '["bug", "flagstone:accept-everyone-changes"]', // GitHub
  ' [\n  "flagstone:accept-everyone-changes"\n]',
])("the labels %j accept a kind of warning", async (labels) => {
  commit(start)
  write({ "flags/a.yaml": flipped })
  expect((await diff("--max-warnings", "0", "--accept-labels", labels)).status).toBe(0)
  const env = { FLAGSTONE_ACCEPT_LABELS: labels }
  expect(await run(["diff", "--max-warnings", "0"], testHost({ cwd: folder(), env }), "0.0.0")).toBe(0)
})

test.each([
  ["null", 1, "--max-warnings is 0"], // GitHub's for an event without a pull request
  ["everyone-changes,reflagstone:accept-everyone-changes", 1, "--max-warnings is 0"],
  [
    '["flagstone:accept-everyone-chnges"]',
    2,
    "no warning `everyone-chnges`; did you mean `everyone-changes`?",
  ],
  ["flagstone:accept-", 1, "--max-warnings is 0"],
  ["[flagstone:accept-everyone-changes", 2, "a JSON array"],
])("the labels %j accept nothing", async (labels, expected, message) => {
  commit(start)
  write({ "flags/a.yaml": flipped })
  const { status, err } = await diff("--max-warnings", "0", "--accept-labels", labels)
  expect({ status, err }).toEqual({ status: expected, err: expect.stringContaining(message) })
})

const needsB = "- name: A needs B\n  if: { flag: a }\n  then: { flag: b }\n"

test.each([
  [[], "1 error, which no option accepts\n"],
  [["--max-warnings", "5"], "1 error, which no option accepts\n"],
  [["--max-warnings", "5", "--accept", "everyone-changes"], "1 error, which no option accepts\n"],
  [
    ["--max-warnings", "0"],
    "1 error, 1 warning, and --max-warnings is 0: if intended, run with --accept everyone-changes\n",
  ],
])("a broken invariant fails the comparison with %s", async (args, message) => {
  commit({ ...start, "flags/b.yaml": off, "flags/invariants.yaml": needsB })
  write({ "flags/a.yaml": flipped })
  expect(await diff(...args)).toMatchObject({
    status: 1,
    err: message,
    out: expect.stringMatching(/\n(errors and warnings|errors)\n/),
  })
})

test.each([
  ["added", "[]\n", needsB],
  ["removed", needsB, null],
  ["changed", needsB, needsB.replace("flag: b", "flag: a")],
])("an invariant that is %s is listed", async (how, before, after) => {
  commit({ ...start, "flags/b.yaml": off, "flags/invariants.yaml": before })
  write({ "flags/invariants.yaml": after })
  expect((await diff()).out).toContain(`the project: invariant \`A needs B\` ${how}\n`)
  const json = JSON.parse((await diff("--format", "json")).out)
  expect(isDiff(json) ? [] : isDiff.errors).toEqual([])
  expect(json.changes).toMatchObject([{ invariant: "A needs B", file: "flags/invariants.yaml" }])
  write({ "flags/invariants.yaml": `# Layout\n${before}` })
  expect((await diff()).out).not.toContain("invariant")
})

test.each([
  ["removed", needsB, null, ["warning broken-invariant"]],
  ["edited", needsB, needsB.replace("flag: b", "flag: a"), ["warning broken-invariant"]],
  ["edited and broken still", needsB, `${needsB}  environments: [production]\n`, ["error broken-invariant"]],
])("a change that breaks an invariant that it has %s is warned of", async (_how, before, after, expected) => {
  commit({ ...start, "flags/b.yaml": off, "flags/invariants.yaml": before })
  write({ "flags/a.yaml": flipped, "flags/invariants.yaml": after })
  const { warnings } = JSON.parse((await diff("--format", "json", "--accept", "everyone-changes")).out)
  const words = warnings.map((one: { severity: string; code: string }) => `${one.severity} ${one.code}`)
  expect(words).toEqual(expect.arrayContaining(expected))
  const accepted = await diff("--max-warnings", "0", "--accept", "everyone-changes,broken-invariant")
  expect(accepted.status).toBe(expected.includes("error broken-invariant") ? 1 : 0)
})

test("an invariant that goes with its flag, or holds, gives no warning", async () => {
  commit({ ...start, "flags/b.yaml": off, "flags/invariants.yaml": needsB })
  write({ "flags/invariants.yaml": null })
  expect((await diff("--max-warnings", "0")).status).toBe(0)
  write({ "flags/a.yaml": null, "flags/b.yaml": null })
  expect((await diff("--max-warnings", "0")).status).toBe(0)
})

test("keys of a project that is removed are named", async () => {
  commit(start)
  const host = testHost({ cwd: folder(), showsSecrets: true })
  expect(await run(["keys", "create", "production", "--id", "web", "--project", "shop"], host, "0.0.0")).toBe(
    0,
  )
  commit(Object.fromEntries(Object.keys(start).map((path) => [path, null])))
  const { err } = await diff("HEAD~1", "HEAD")
  expect(err).toContain("warning: production is removed, but 1 key of keys.yaml can still read it (web)")
  expect((await diff("HEAD", "HEAD~1")).err).toBe("")
  renameSync(join(folder(), "keys.yaml"), join(folder(), "ours.yaml"))
  expect((await diff("HEAD~1", "HEAD")).err).toBe("")
  expect((await diff("HEAD~1", "HEAD", "--keys", "ours.yaml")).err).toContain("1 key of ours.yaml")
  expect(await diff("HEAD~1", "HEAD", "--keys", "keys.yaml")).toMatchObject({
    status: 2,
    err: expect.stringContaining("keys.yaml"),
  })
})
