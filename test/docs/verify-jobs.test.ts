// @module-tag system
// @module-tag slow
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parse } from "yaml"
import { startS3 } from "../servers/s3.ts"
import { cloneProject } from "./example-project.ts"
import { type Job, readWorkflow, runJob } from "./github-runner.ts"
import { runGitlabJob } from "./gitlab-runner.ts"
import { root } from "./pages.ts"
import { runScript } from "./runner.ts"

test("the jobs of docs/ci/verify.yaml and verify.gitlab-ci.yml fail unless clients get a commit's flags", async () => {
  const s3 = await startS3(["flags"], true)
  try {
    const cwd = cloneProject("flagstone docs ")
    await runScript("npx flagstone build; npx flagstone publish s3://flags", cwd, s3.env)
    const gitlab = parse(readFileSync(join(root, "docs/ci/verify.gitlab-ci.yml"), "utf8"))
    const { verify }: Readonly<Record<string, Job>> = readWorkflow("docs/ci/verify.yaml").jobs
    const runBoth = async (environment: string) => {
      const changes = { ADDRESS: `${s3.url}/flags/production`, ENVIRONMENT: environment }
      const steps = verify?.steps.map((step) =>
        step.run ? { ...step, env: { ...step.env, ...changes } } : step,
      )
      const job = { ...verify, steps } as Job
      const { printed, failed } = await runJob(job, { cwd, github: { event_name: "schedule" } })
      const ofGitlab = await runGitlabJob("verify", gitlab, cwd, changes).catch(({ stdout }) => ({
        failed: stdout,
      }))
      return { printed, failed, ofGitlab }
    }
    const same = expect.stringMatching(/ has the flags of production of \w+ "flags"/)
    expect(await runBoth("production")).toEqual({ printed: same, failed: undefined, ofGitlab: same })
    const other = expect.stringContaining("does not have the flags of staging")
    expect(await runBoth("staging")).toEqual({ printed: other, failed: other, ofGitlab: { failed: other } })
    expect(JSON.stringify(verify?.steps)).toContain('"fetch-depth":0')
  } finally {
    await s3.stop()
  }
})
