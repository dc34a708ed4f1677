// @module-tag system
// @module-tag slow
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { OpenFeature } from "@openfeature/server-sdk"
import { afterAll, beforeAll, expect, test } from "vitest"
import { parse } from "yaml"
import { FlagstoneProvider } from "../../sdk/openfeature/provider.ts"
import { startS3, type TestS3 } from "../servers/s3.ts"
import { cloneProject, commit } from "./example-project.ts"
import { type Job, readWorkflow, runWorkflow, type Step } from "./github-runner.ts"
import { extendedJob, runGitlabJob } from "./gitlab-runner.ts"
import { root } from "./pages.ts"
import { isInstalled, runScript } from "./runner.ts"

// The jobs of docs/ci/preview.yaml and preview.gitlab-ci.yml, run as their runners run them.

const github: { readonly jobs: Readonly<Record<string, Job>> } = readWorkflow("docs/ci/preview.yaml")
const gitlab = parse(readFileSync(join(root, "docs/ci/preview.gitlab-ci.yml"), "utf8"))

let s3: TestS3
beforeAll(async () => {
  s3 = await startS3(["flags"], true)
})
afterAll(() => s3.stop())

/** A clone of a pull request that changes a flag, or only a page. */
function cloneOf(path: string, text: string): string {
  const cwd = cloneProject("flagstone docs ")
  writeFileSync(join(cwd, path), text)
  commit(cwd, "a change")
  return cwd
}
const cloneWithFlag = () => cloneOf("flags/brand-new.yaml", "defaultValue: true\n")

/** Runs the workflow for an event of a pull request, with a store or a folder. */
function runGithub(
  cwd: string,
  number: number,
  changes: { action?: string; from?: string; login?: string; target?: string } = {},
) {
  const {
    action = "synchronize",
    from = "acme/shop",
    login = "ann",
    target = "s3://flags/previews",
  } = changes
  const pull_request = { number, head: { repo: { full_name: from } }, user: { login } }
  const { AWS_ENDPOINT_URL_S3, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = s3.env
  return runWorkflow(
    { jobs: { publish: github.jobs.publish as Job, remove: github.jobs.remove as Job } },
    {
      cwd,
      env: { FLAGSTONE_FLAGS: "flags", NAME: `pr-${number}` },
      github: { event_name: "pull_request", repository: "acme/shop", event: { action, pull_request } },
      vars: {
        ...{ FLAGS_PREVIEWS: target, FLAGS_PREVIEWS_URL: "https://flags.example/previews" },
        ...{ AWS_ENDPOINT_URL_S3, AWS_REGION },
      },
      secrets: { FLAGS_PREVIEWS_KEY_ID: AWS_ACCESS_KEY_ID, FLAGS_PREVIEWS_KEY: AWS_SECRET_ACCESS_KEY },
    },
  )
}

const runGitlab = (job: string, cwd: string, number: number) =>
  runGitlabJob(job, gitlab, cwd, {
    ...s3.env,
    FLAGS_PREVIEWS: "s3://flags/previews",
    FLAGS_PREVIEWS_URL: "https://flags.example/previews",
    CI_MERGE_REQUEST_IID: `${number}`,
  })

const staging = async (name: string) => fetch(`${s3.url}/flags/previews/${name}/staging/v1/flags`)

test("publishes a pull request's flags, and comments where they are and what differs there", async () => {
  const { publish, remove } = await runGithub(cloneWithFlag(), 7)
  expect(publish?.failed).toBeUndefined()
  expect(remove).toBeUndefined()
  expect(publish?.outputs.comment).toBe(`<!-- flagstone-preview -->
**Flags:** \`production\`: no one gets a different value; 1 change without effect on values.

Until this pull request is closed, its flags are at https://flags.example/previews/pr-7/\`<environment>\`.`)
  const provider = new FlagstoneProvider({ url: `${s3.url}/flags/previews/pr-7/staging` })
  await OpenFeature.setProviderAndWait("preview", provider)
  expect(await OpenFeature.getClient("preview").getBooleanValue("brand-new", false)).toBe(true)
  await OpenFeature.close()
})

test("publishes them without a comment if the pull request changes no flag", async () => {
  const { publish } = await runGithub(cloneOf("README.md", "shop\n"), 8)
  expect(publish).toMatchObject({ failed: undefined, outputs: { comment: "" } })
  expect((await staging("pr-8")).status).toBe(200)
})

test("publishes what a forced push leaves, in a folder too, for proxies with keys of their own", async () => {
  const target = mkdtempSync(join(tmpdir(), "flagstone-previews-"))
  const cwd = cloneWithFlag()
  await runGithub(cwd, 7, { target })
  await runScript("git reset --quiet --hard HEAD^; git rm --quiet -r flags/*/", cwd)
  await runScript("git commit --quiet --message 'an older and smaller change'", cwd, {
    GIT_COMMITTER_DATE: "2026-11-20T10:00:00Z",
  })
  const { publish } = await runGithub(cwd, 7, { target })
  expect(publish?.failed).toBeUndefined()
  const published = join(target, "pr-7")
  expect(existsSync(join(published, "keys.yaml"))).toBe(false)
  const create = "npx flagstone keys create staging --keys previews.yaml --out secret.txt"
  const check = `npx flagstone serve --check --snapshots '${published}' --keys previews.yaml`
  expect(await runScript(`${create}; ${check}`, cwd)).toMatch(/staging/)
  // A key of previews opens nothing else.
  const others = "npx flagstone keys create staging --keys keys.yaml --out other.txt"
  const verify = "npx flagstone keys verify --keys keys.yaml < secret.txt || true"
  expect(await runScript(`${others}; ${verify}`, cwd)).toContain("unknown: a well-formed API key")
})

test.each([
  ["a fork", { from: "mallory/shop" }],
  ["Dependabot, which gets no secrets", { login: "dependabot[bot]" }],
])("runs nothing for %s", async (_, changes) => {
  for (const action of ["opened", "closed"])
    expect(await runGithub("/nowhere", 7, { ...changes, action })).toEqual({})
})

test("publishes a merge request's flags, and only for those of the project itself", async () => {
  await runGitlab("flags-preview", cloneWithFlag(), 7)
  expect(await (await staging("mr-7")).text()).toContain('"brand-new"')
  for (const job of ["flags-preview", "flags-preview-stop"]) {
    expect(gitlab[job].rules[0].if).toContain("$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID")
    expect(extendedJob(job, gitlab).timeout).toBe("10 minutes")
  }
})

test.skipIf(!isInstalled("aws", "the end of a preview"))(
  "removes one preview at the end, and no other",
  async () => {
    const cwd = cloneWithFlag()
    const names = ["pr-1", "mr-1", "pr-12", "mr-12"]
    const publish = names.map((name) => `npx flagstone publish s3://flags/previews/${name}`)
    await runScript(["npx flagstone build", ...publish].join("\n"), cwd, s3.env)
    const closed = await runGithub(cwd, 1, { action: "closed" })
    expect([closed.publish, closed.remove?.failed]).toEqual([undefined, undefined])
    await runGitlab("flags-preview-stop", cwd, 1)
    const status = async (name: string) => (await staging(name)).status
    expect(await Promise.all(names.map(status))).toEqual([404, 404, 200, 200])
  },
)

test("pins its actions; no job that writes runs anything of the repository with a secret of production", () => {
  const jobs = Object.values(github.jobs)
  const steps: readonly Step[] = jobs.flatMap((job) => job.steps)
  const pinned = /^(<owner>\/flagstone@<commit>|(aws-)?actions\/[a-z-]+@[0-9a-f]{40})$/
  expect(steps.filter(({ uses }) => uses !== undefined && !pinned.test(uses))).toEqual([])
  expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([])
  expect(jobs.map(({ permissions }) => permissions)).toEqual([
    { contents: "read", "id-token": "write" },
    { "pull-requests": "write" },
    { "id-token": "write" },
  ])
  const secrets = [...JSON.stringify(jobs).matchAll(/secrets\.(\w+)/g)].map(([, name]) => name)
  expect(new Set(secrets)).toEqual(new Set(["FLAGS_PREVIEWS_KEY_ID", "FLAGS_PREVIEWS_KEY"]))
})
