// @module-tag system
// @module-tag slow
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { type CiFile, ciFiles, ciText, laneFiles } from "../../cli/init/ci-files.ts"
import { addressed, type Job, readWorkflow } from "./github-runner.ts"
import { root } from "./pages.ts"
import { isInstalled } from "./runner.ts"

// The files of CI that this repository has, that its pages offer and that init writes, as linters see them.

/** The workflows that init writes for a repository. */
const callers = [...ciFiles.github, ...laneFiles.github].map((file: CiFile) => {
  const source = { repository: "acme/flagstone", commit: "8ad20d150bbac5944a9f9d289da16a4b0d87c1e4" }
  const text = ciText(file, {
    flags: "flags",
    environments: ["production"],
    lock: "package-lock.json",
    source,
  })
  return { name: basename(file.path), text, workflow: parse(text) }
})

test("init's workflows give what the called ones need and nothing else, and run on every pull request", () => {
  for (const { text, workflow } of callers) {
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(15)
    const [job]: readonly { uses: string; permissions: object; with: object; secrets?: object }[] =
      Object.values(workflow.jobs)
    const target = readWorkflow((job?.uses ?? "").replace(/^acme\/flagstone\/|@.*/g, ""))
    const needed = Object.values<Job>(target.jobs).map(({ permissions }) => permissions)
    expect(job?.permissions).toEqual(Object.assign({}, ...needed))
    expect(Object.keys(job?.with ?? {})).toEqual(["flags"])
    expect(Object.keys(job?.secrets ?? {})).toEqual(Object.keys(target.on.workflow_call.secrets ?? {}))
  }
  const [flags, published, lane] = callers.map(({ workflow }) => workflow.on)
  const types = ["opened", "reopened", "synchronize", "labeled", "unlabeled"]
  expect(flags.pull_request).toEqual({ types })
  expect(lane.pull_request).toEqual({ types })
  expect(flags).toHaveProperty("merge_group")
  expect(lane).toHaveProperty("merge_group")
  expect(Object.keys(published)).toEqual(["push"])
  // A review would run `flags` again; what it skips would count as green.
  expect(flags).not.toHaveProperty("pull_request_review")
})

const folder = mkdtempSync(join(tmpdir(), "flagstone-ci-files-"))
/** A file with a text, of which a linter needs one. */
function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

const ours = readdirSync(join(root, ".github/workflows")).filter((name) =>
  /^(flags|fast-lane|release)/.test(name),
)
const offered = ["announce", "catalogue", "change-flag", "preview", "stale", "verify"].map((name) =>
  addressed(`docs/ci/${name}.yaml`),
)
const workflows = [
  ...ours.map((name) => join(root, ".github/workflows", name)),
  ...callers.map(({ name, text }) => write(name, text)),
  ...offered,
]
/** GitLab's checker reads files with one document. */
const gitlabFiles = [
  ...[
    "docs/ci/flags",
    "docs/ci/announce",
    "docs/ci/catalogue",
    "docs/ci/preview",
    "docs/ci/stale",
    "docs/ci/verify",
    "",
  ].map((name) => join(root, `${name}.gitlab-ci.yml`)),
  ...["docs/ci/change-flag.gitlab-ci.yml", "templates/flags/template.yml"].flatMap((path, at) =>
    readFileSync(join(root, path), "utf8")
      .split(/^---\n/m)
      .map((text, part) => write(`${at}-${part}.yml`, text)),
  ),
]

test.each([
  ["actionlint", ["-ignore", 'specifying action "\\$/', ...workflows]], // it does not know this form of address yet
  ["zizmor", ["--offline", "--quiet", join(root, "action.yml"), ...workflows]],
  ["check-jsonschema", ["--builtin-schema", "vendor.github-workflows", ...workflows]],
  ["check-jsonschema", ["--builtin-schema", "vendor.github-actions", join(root, "action.yml")]],
  [
    "check-jsonschema",
    ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci", ...gitlabFiles],
  ],
] as const)("%s finds nothing", (linter, args) => {
  if (!isInstalled(linter, `the files of CI by ${linter}`)) return
  const { status, stdout, stderr } = spawnSync(linter, args, { encoding: "utf8" })
  expect({ status, output: status === 0 ? "" : stdout + stderr }).toEqual({ status: 0, output: "" })
})
