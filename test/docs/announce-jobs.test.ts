// @module-tag system
// @module-tag slow
import { once } from "node:events"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, onTestFinished, test } from "vitest"
import { parse } from "yaml"
import { cloneProject, commit, git } from "./example-project.ts"
import { readWorkflow, runJob } from "./github-runner.ts"
import { runGitlabJob } from "./gitlab-runner.ts"
import { root } from "./pages.ts"
import { isInstalled } from "./runner.ts"

// The jobs of docs/ci/announce.yaml and announce.gitlab-ci.yml, run as their runners run them, with a webhook of the test's.

const github = readWorkflow("docs/ci/announce.yaml").jobs.announce
const gitlab = parse(readFileSync(join(root, "docs/ci/announce.gitlab-ci.yml"), "utf8"))
const subject = 'Off: `$(orders)` "fail" <!channel> <users/all> @here a@b.example'
const address = "https://forge.example/shop/-/commit/7"

/** What a webhook is sent that answers with a status, and its address. */
async function startWebhook(status: number) {
  const sent: unknown[] = []
  const server = createServer(async (request, response) => {
    sent.push(JSON.parse(await text(request)))
    response.writeHead(status).end()
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => void server.close())
  return { sent, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

const forges = {
  async GitHub(cwd: string, before: string, webhook: string) {
    const event = { before, compare: address, head_commit: { message: `${subject}\n\nbody` } }
    const secrets = { FLAGS_WEBHOOK: webhook }
    const { failed } = await runJob(github, { cwd, secrets, github: { event_name: "push", event } })
    if (failed !== undefined) throw new Error(failed)
  },
  async GitLab(cwd: string, before: string, webhook: string) {
    await runGitlabJob("flags-announce", gitlab, cwd, {
      ...{ CI_COMMIT_BEFORE_SHA: before, CI_COMMIT_TITLE: subject, CI_COMMIT_SHA: "7" },
      ...{ CI_PROJECT_URL: "https://forge.example/shop", FLAGS_WEBHOOK: webhook },
    })
  },
}

test.skipIf(!isInstalled("jq", "messages of docs/ci/announce.yaml")).each(Object.entries(forges))(
  "%s tells a channel the old and the new values, once something changes",
  async (_, announce) => {
    const cwd = cloneProject("flagstone docs ")
    const before = git(cwd, "rev-parse", "HEAD").trim()
    const path = join(cwd, "flags/shipping/delivery-slots.yaml")
    writeFileSync(path, `${readFileSync(path, "utf8")}# a comment\n`)
    commit(cwd, "a comment")
    const { sent, url } = await startWebhook(200)
    await announce(cwd, before, url)
    expect(sent).toEqual([])
    writeFileSync(path, readFileSync(path, "utf8").replace(/(production:\n {4}enabled:) true/, "$1 false"))
    const rules = "rules: [{ operator: always, returnValue: '``` @here' }]"
    const fence = `type: string\ndefaultValue: a\nenvironments: { production: { enabled: true, ${rules} } }\n`
    writeFileSync(join(cwd, "flags/fence.yaml"), fence)
    commit(cwd, "a change")
    await announce(cwd, before, url)
    await announce(cwd, "0".repeat(40), url)
    const message = `Off: \`$(orders)\` "fail" < !channel> < users/all> @ here a@b.example\n${address}\n\`\`\`\n`
    const expected = { text: expect.stringContaining(message) }
    expect(sent).toEqual([expected, expected])
    expect(JSON.stringify(sent[0])).toContain("`false` instead of `true` for users")
    expect(JSON.stringify(sent[0]).split("```")).toHaveLength(3) // no value ends the code, in which no one is called
    const { url: broken } = await startWebhook(404)
    await expect(announce(cwd, before, broken)).rejects.toThrow("404")
    writeFileSync(path, "no flag")
    commit(cwd, "a mistake")
    await expect(announce(cwd, before, url)).rejects.toThrow("delivery-slots.yaml")
    expect(sent).toHaveLength(2)
  },
)
