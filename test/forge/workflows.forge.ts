import { existsSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { git } from "../docs/example-project.ts"
import { isInstalled } from "../docs/runner.ts"
import { hasAct, runWithAct } from "./act.ts"
import { type Happening, payloadOf, projectOf, startForge } from "./forge.ts"

// The workflows that init writes, those that they call, and action.yml, in a runner that nobody here wrote. It gives every job
// the same token, whatever the permissions say.

interface Row extends Happening {
  readonly name: string
  readonly workflow: string
  /** What must be seen: how each job ends that is not skipped, … */
  readonly jobs: Readonly<Record<string, "success" | "failure">>
  /** … words of the logs and summaries, … */
  readonly prints?: readonly string[]
  /** … and all that is written to the forge: its address, and words of it. */
  readonly writes?: readonly (readonly [string, string])[]
  /** The manifest in the target afterwards, if there is a target. */
  readonly publishes?: string
  /** The subject of the branch that is proposed. */
  readonly proposes?: string
}

const pull = { workflow: "flags.yaml", event: "pull_request" } as const
const lane = { workflow: "fast-lane.yaml", event: "pull_request" } as const
const form = { workflow: "change-flag.yaml", event: "workflow_dispatch" } as const
const publish = { workflow: "flags-publish.yaml", event: "push" } as const

const slots = "flags/shipping/delivery-slots.yaml"
const off = {
  [slots]: (text: string) =>
    text.replace(/production:\n {4}enabled: true/, "production:\n    enabled: false"),
}
const widen = { [slots]: (text: string) => text.replace('value: "10"', 'value: "1"') }
const aFlag = { "flags/brand-new.yaml": () => "defaultValue: true\n" }
const preview = { workflow: "preview.yaml", event: "pull_request", edits: aFlag } as const
const aMistake = { "flags/brand-new.yaml": () => "defaultValue: maybe\n" }
const aName = { "flags/project.yaml": (text: string) => text.replace("project: shop", "project: store") }
const asked = { flag: "one-page-checkout", environment: "production", reason: "Errors `are` $down" }

const commented = "POST acme/shop/issues/12/comments"
const scanned = "POST acme/shop/code-scanning/sarifs"
const scan = (results: number) => [scanned, `{"category":"flagstone/./flags","results":${results}}`] as const
const outside = "Outside the fast lane: someone else who may write must approve the newest commit."

const rows: readonly Row[] = [
  {
    ...{ name: "a flag is added", ...pull, edits: aFlag },
    jobs: { check: "success", comment: "success", scan: "success" },
    prints: ["14 flags, 1 segment and 13 specs checked: no mistakes", "`brand-new`"],
    writes: [[commented, "`brand-new`"], scan(0)],
  },
  {
    ...{ name: "a fork gets no comment", ...pull, edits: aFlag, fork: true },
    ...{ jobs: { check: "success" }, prints: ["`brand-new`"] },
  },
  {
    ...{ name: "a mistake", ...pull, edits: aMistake },
    ...{ jobs: { check: "failure", scan: "success" }, prints: ["1 error"], writes: [scan(1)] },
  },
  {
    ...{ name: "a warning fails the check, and the comment is kept up to date", ...pull, edits: aName },
    comment: "<!-- flagstone-diff store -->\nolder",
    jobs: { check: "failure", comment: "success", scan: "success" },
    prints: ["run with --accept project-renamed"],
    writes: [["PATCH acme/shop/issues/comments/5", "project-renamed"], scan(0)],
  },
  {
    ...{ name: "a label accepts a warning", ...pull, edits: aName },
    labels: ["bug", "flagstone:accept-project-renamed"],
    jobs: { check: "success", comment: "success", scan: "success" },
    writes: [[commented, "Accepted warnings"], scan(0)],
  },
  {
    ...{ name: "no flag is changed", ...pull, edits: { "README.md": () => "shop\n" } },
    ...{ jobs: { check: "success" }, prints: ["No flag changes."] },
  },
  {
    ...{ name: "a queue asks for no label", ...pull, event: "merge_group", edits: aName },
    ...{ jobs: { check: "success" }, prints: ["project-renamed"] },
  },
  {
    ...{ name: "a push is checked", ...pull, event: "push", edits: aFlag },
    ...{ jobs: { check: "success", scan: "success" }, writes: [scan(0)] },
  },
  {
    ...{ name: "a push is published", ...publish, publishes: "manifest.json" },
    locked: true, // act installs the action anew for each step; what the one before it has built is gone
    ...{ jobs: { publish: "success" }, prints: ["files sent"] },
  },
  { ...{ name: "without a target, nothing is published", ...publish }, jobs: {} },
  {
    ...{ name: "a preview", ...preview, publishes: "pr-12/manifest.json", locked: true },
    jobs: { publish: "success", comment: "success" },
    writes: [[commented, "its flags are at https://flags.example/pr-12/"]],
  },
  { ...{ name: "a fork has no preview", ...preview, fork: true }, jobs: {} },
  {
    ...{ name: "the form proposes a change", ...form, inputs: { ...asked, action: "share", value: "25" } },
    jobs: { change: "success", propose: "success" },
    prints: ["[The pull request](https://github.example/"],
    writes: [
      ["POST acme/shop/pulls", "Asked for by @ann: Errors `are` $down"],
      [commented, "rises from 10 % to 25 %"],
    ],
    proposes: "one-page-checkout: share 25 in production",
  },
  {
    ...{ name: "the form refuses", ...form },
    inputs: { ...asked, action: "everyone", value: "x\n::error::y" },
    ...{ jobs: { change: "failure" }, prints: ["and `x\\u000a::error::y` is not"] },
  },
  {
    ...{ name: "the form changes nothing", ...form, inputs: { ...asked, action: "on" } },
    jobs: { change: "success" },
  },
  {
    ...{ name: "inside the lane", ...lane, edits: off },
    ...{ jobs: { lane: "success" }, prints: ["inside the fast lane: in `production` users only fall back"] },
  },
  { ...{ name: "outside it", ...lane, edits: widen }, jobs: { lane: "failure" }, prints: [outside] },
  {
    ...{ name: "a fork", ...lane, edits: widen, fork: true, approvedBy: "bob" },
    ...{ jobs: { lane: "failure" }, prints: ["GitHub does not say who pushed"] },
  },
  {
    ...{ name: "approved", ...lane, event: "pull_request_review", edits: widen, approvedBy: "bob" },
    ...{ jobs: { lane: "success" }, prints: ["Approved by bob."] },
  },
  {
    ...{ name: "outside it in the queue", ...lane, event: "merge_group", edits: widen },
    ...{ jobs: { lane: "failure" }, prints: [outside] },
  },
  {
    ...{ name: "approved and in the queue", ...lane, event: "merge_group", edits: widen, approvedBy: "bob" },
    ...{ jobs: { lane: "success" }, prints: ["Approved by bob."] },
  },
]

const isPossible = isInstalled("jq", "the workflows in act") && hasAct()

for (const row of rows)
  test.skipIf(!isPossible)(`${row.workflow}, ${row.event}: ${row.name}`, async () => {
    const { name: _, workflow, event, publishes, jobs, prints = [], writes = [], proposes = "" } = row
    const project = projectOf(row)
    const forge = await startForge(row, project)
    const target = mkdtempSync(join(tmpdir(), "flagstone published "))
    const vars = ["FLAGS_TARGET", "FLAGS_PREVIEWS"].map((name) => `--var=${name}=${target}`)
    vars.push("--var=FLAGS_PREVIEWS_URL=https://flags.example")
    const ran = await runWithAct({
      ...{ cwd: project.cwd, workflow, event, payload: payloadOf(row, project), env: forge.env },
      options: ["--secret=GITHUB_TOKEN=ghs_secret", ...(publishes ? vars : [])],
    })
    expect(ran.jobs, ran.printed).toEqual(jobs)
    for (const words of prints) expect(ran.printed).toContain(words)
    expect(forge.writes.map(({ to }) => to).sort(), ran.printed).toEqual(writes.map(([to]) => to).sort())
    for (const [to, words] of writes)
      expect(forge.writes.find((write) => write.to === to)?.text).toContain(words)
    const branch = git(project.bare, "branch", "--format=%(subject)", "--list", "change-flag-*").trim()
    expect(branch).toBe(proposes)
    expect(existsSync(join(target, publishes ?? "manifest.json"))).toBe(publishes !== undefined)
  })
