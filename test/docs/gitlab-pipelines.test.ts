import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parseAllDocuments } from "yaml"
import { extendedJob, type GitlabJobs } from "./gitlab-runner.ts"
import { root } from "./pages.ts"

// Which jobs of docs/ci start in a project that includes all their files and has set all their variables. GitLab takes every
// `changes` for true where no commit was pushed.

const folder = join(root, "docs/ci")
const jobs: GitlabJobs = Object.assign(
  {},
  ...readdirSync(folder)
    .filter((name) => name.endsWith("gitlab-ci.yml") && !name.startsWith("change-flag"))
    .flatMap((name) => parseAllDocuments(readFileSync(join(folder, name), "utf8")))
    .map((document) => document.toJS()),
)

const project = { CI_PROJECT_ID: "9", CI_DEFAULT_BRANCH: "main", FLAGS_TARGET: "s3://flags" }
const settings = { FLAGS_NOTE_TOKEN: "t", FLAGS_WEBHOOK: "w", FLAGS_PAGES: "true", FLAGS_PREVIEWS: "p" }

/** Whether a condition of `rules` holds: terms that compare variables with others or with texts, or ask whether they are set. */
function holds(condition: string, variables: Readonly<Record<string, string>>): boolean {
  const read = (word = "") => (word.startsWith("$") ? (variables[word.slice(1)] ?? "") : JSON.parse(word))
  return condition.split(" && ").every((term) => {
    const [left, operator, right] = term.split(" ")
    if (operator === undefined) return read(left) !== ""
    return (read(left) === read(right)) === (operator === "==")
  })
}

test.each([
  ["push", {}, ["flags", "flags-announce", "flags-publish", "pages"]],
  ["web", {}, ["flags", "flags-publish", "pages"]],
  ["web", { FLAGS_PAGES: "", FLAGS_TARGET: "" }, ["flags"]],
  ["schedule", {}, []],
  ["schedule", { FLAGS_VERIFY: "true" }, ["verify"]],
  ["schedule", { FLAGS_STALE: "true" }, ["stale", "stale-issue"]],
  [
    "merge_request_event",
    { CI_COMMIT_BRANCH: "", CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "9" },
    ["catalogue", "flags", "flags-note", "flags-preview", "flags-preview-stop"],
  ],
  [
    "merge_request_event",
    { CI_COMMIT_BRANCH: "", CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "10" },
    ["catalogue", "flags", "flags-note"],
  ],
])("in a pipeline of %s with %j, %j start", (source, more, expected) => {
  const variables = { CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: "main", ...project, ...settings, ...more }
  const started = Object.keys(jobs).filter((name) => {
    const { rules = [] } = extendedJob(name, jobs)
    return !name.startsWith(".") && rules.some((rule) => holds((rule as { if: string }).if, variables))
  })
  expect(started.sort()).toEqual(expected)
})
