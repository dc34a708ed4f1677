// @module-tag system
// @module-tag slow
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { cloneProject, git } from "./example-project.ts"
import { addressed } from "./github-runner.ts"
import { runGitlabJob } from "./gitlab-runner.ts"
import { root } from "./pages.ts"
import { isInstalled, runScript } from "./runner.ts"

// The jobs of docs/ci/change-flag.yaml and change-flag.gitlab-ci.yml, run as their runners run them.

const github = addressed("docs/ci/change-flag.yaml")
const gitlab = join(root, "docs/ci/change-flag.gitlab-ci.yml")

interface Form {
  readonly flag: string
  readonly action: string
  readonly value?: string
  readonly environment?: string
  readonly reason?: string
}

/** What a shell, git, YAML or a workflow could take for more than text. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: an expression of GitHub's
const hostile = "\"'`touch pwned`' $(touch pwned) ${{ github.token }} ; touch pwned #: {"

/** A clone of the flags, and the bare repository that it came from. */
function cloneOfBare(bare = join(mkdtempSync(join(tmpdir(), "flagstone bare ")), "shop.git")) {
  if (!existsSync(bare)) git(cloneProject("flagstone docs "), "clone", "-q", "--bare", ".", bare)
  const cwd = cloneProject("flagstone docs ")
  git(cwd, "remote", "add", "origin", bare)
  git(cwd, "fetch", "-q", "origin")
  git(cwd, "reset", "-q", "--hard", "origin/main")
  return { cwd, bare }
}

/** The branches of a repository but main. */
const proposedIn = (bare: string) =>
  git(bare, "branch", "--format=%(refname:short)", "--list", "change-flag-*").trim()

describe.skipIf(!isInstalled("jq", "docs/ci/change-flag.yaml"))("docs/ci/change-flag.yaml", () => {
  const workflow = parse(readFileSync(github, "utf8"))
  const { change, propose } = workflow.jobs
  const steps: readonly { uses?: string; run?: string; env?: object }[] = [...change.steps, ...propose.steps]

  /** Runs both jobs, each in a clone of its own, as the second one of a run for `@ann`. */
  async function submit({ value = "", environment = "production", reason = "Errors", ...form }: Form) {
    const { cwd, bare } = cloneOfBare()
    const inputs = {
      FLAG: form.flag,
      ACTION: form.action,
      VALUE: value,
      ENVIRONMENT: environment,
      REASON: reason,
    }
    const files = { GITHUB_OUTPUT: "output", GITHUB_STEP_SUMMARY: "summary" }
    const api = await startApi()
    const variables = {
      ...{
        ...workflow.env,
        ...inputs,
        ...files,
        GITHUB_ACTOR: "ann",
        GITHUB_ACTOR_ID: "7",
        GITHUB_REF_NAME: "main",
      },
      ...{ GITHUB_API_URL: api.url, GITHUB_REPOSITORY: "acme/shop", BRANCH: "change-flag-1-1" },
      ...{ GITHUB_ACTIONS: "true", TOKEN: "app", COMMENT_TOKEN: "actions" },
    }
    try {
      const failed = await runSteps(change.steps, cwd, variables)
      const outputs = existsSync(join(cwd, "output")) ? readFileSync(join(cwd, "output"), "utf8") : ""
      const [, PATCH = ""] = /^patch=(.*)$/m.exec(outputs) ?? []
      const [, , COMMENT = ""] = /^comment<<([0-9a-f]{32})\n([\s\S]*)\n\1\n$/m.exec(outputs) ?? []
      // Skipped as GitHub skips it: propose.if is tested below.
      const second = PATCH === "" ? cwd : cloneOfBare(bare).cwd
      if (PATCH !== "") await runSteps(propose.steps, second, { ...variables, PATCH, COMMENT })
      for (const folder of [cwd, second]) expect(existsSync(join(folder, "pwned"))).toBe(false)
      const summaryOf = (folder: string) =>
        existsSync(join(folder, "summary")) ? readFileSync(join(folder, "summary"), "utf8") : ""
      return {
        bare,
        failed,
        asked: api.asked,
        comment: COMMENT,
        summary: summaryOf(cwd) + summaryOf(second),
      }
    } finally {
      api.server.close()
    }
  }

  test("proposes a change in the name of the user who asked, with diff's comment", async () => {
    const { bare, asked, comment, summary } = await submit({
      ...{ flag: "one-page-checkout", action: "share", value: "25", reason: `Errors are down ${hostile}` },
    })
    expect(proposedIn(bare)).toBe("change-flag-1-1")
    expect(git(bare, "log", "-1", "--format=%an <%ae>%n%B", "change-flag-1-1").trim()).toBe(
      `ann <7+ann@users.noreply.github.com>\none-page-checkout: share 25 in production\n\nAsked for by @ann: Errors are down ${hostile}`,
    )
    expect(git(bare, "diff", "--stat", "main", "change-flag-1-1")).toContain("1 file changed, 1 insertion(+)")
    const title = "one-page-checkout: share 25 in production"
    const body = `Asked for by @ann: Errors are down ${hostile}`
    expect(asked).toEqual([
      { token: "Bearer app", path: "pulls", sent: { title, body, head: "change-flag-1-1", base: "main" } },
      { token: "Bearer actions", path: "issues/12/comments", sent: { body: comment } },
    ])
    expect(comment).toMatch(/^<!-- flagstone-diff shop -->\n/)
    expect(comment).toContain("rises from 10 % to 25 %")
    expect(summary).toContain("rises from 10 % to 25 %")
    expect(summary).toContain("[The pull request](https://github.example/acme/shop/pull/12)")
  })

  test.each([
    [{ flag: "express-pay", action: "off" }, "express-pay: off in production"],
    [{ flag: "express-pay", action: "everyone", value: "true" }, "express-pay: everyone true in production"],
    [{ flag: "express-pay", action: "default", value: "true" }, "express-pay: default true"],
    [{ flag: "gift-wrapping", action: "off", environment: "staging" }, "gift-wrapping: off in staging"],
  ])("%o", async (form, title) => {
    const { bare, asked } = await submit(form)
    expect(git(bare, "log", "-1", "--format=%s", "change-flag-1-1").trim()).toBe(title)
    expect(asked).toMatchObject([{ sent: { title } }, { path: "issues/12/comments" }])
  })

  test("proposes nothing if that is so already", async () => {
    const { bare, failed, asked, summary } = await submit({ flag: "gift-wrapping", action: "off" })
    expect({ failed, asked, branches: proposedIn(bare) }).toEqual({
      failed: undefined,
      asked: [],
      branches: "",
    })
    expect(summary).toContain("nothing to change: that is so already")
    expect(propose.if).toBe("needs.change.outputs.patch != ''")
  })

  test.each([
    [{ flag: hostile, action: "off" }, "no flag"],
    [{ flag: "--flags=/", action: "off" }, "no flag"],
    [{ flag: "express-pay", action: "everyone", value: hostile }, "is a boolean, and"],
    [{ flag: "express-pay", action: "share", value: "--dry-run" }, "percentage from 0 to 100"],
    [{ flag: "express-pay", action: "off", environment: hostile }, "no environment"],
  ])("says in the summary what is wrong with %o", async (form, message) => {
    const { failed, asked, summary, bare } = await submit(form)
    expect(failed).toContain(message)
    expect(summary).toContain(message)
    expect({ asked, branches: proposedIn(bare) }).toEqual({ asked: [], branches: "" })
  })

  test("fails with GitHub's answer if it may not open pull requests", async () => {
    const { cwd } = cloneOfBare()
    const api = await startApi()
    const variables = {
      ...{ ...workflow.env, ...{ FLAG: "a", ACTION: "off", VALUE: "", ENVIRONMENT: "b", REASON: "c" } },
      ...{
        GITHUB_API_URL: api.url,
        GITHUB_REPOSITORY: "acme/shop",
        TOKEN: "wrong",
        BRANCH: "change-flag-1-1",
      },
      ...{
        GITHUB_ACTOR: "ann",
        GITHUB_ACTOR_ID: "7",
        GITHUB_REF_NAME: "main",
        COMMENT: "",
        COMMENT_TOKEN: "",
      },
    }
    const patch =
      "diff --git a/flags/a.yaml b/flags/a.yaml\nnew file mode 100644\n--- /dev/null\n+++ b/flags/a.yaml\n@@ -0,0 +1 @@\n+a\n"
    const outside = patch.replaceAll("flags/a.yaml", ".github/workflows/a.yaml")
    const PATCH = Buffer.from(patch + outside).toString("base64")
    try {
      expect(await runSteps(propose.steps, cwd, { ...variables, PATCH })).toContain("not permitted")
    } finally {
      api.server.close()
    }
    expect(git(cwd, "show", "--format=", "--name-only")).toBe("flags/a.yaml\n")
  })

  test("pins its actions; the job that may write runs nothing of the repository; texts come in variables", () => {
    const pinned = /^(acme\/flagstone|actions\/[a-z-]+)@[0-9a-f]{40}$/
    expect(steps.filter(({ uses }) => uses !== undefined && !pinned.test(uses))).toEqual([])
    expect(steps.filter(({ run }) => run?.includes("${{"))).toEqual([])
    expect([workflow.permissions, change.permissions]).toEqual([{}, { contents: "read" }])
    expect(propose.permissions).toEqual({ contents: "write", "pull-requests": "write" })
    expect(JSON.stringify(propose)).not.toMatch(/npm|npx/)
    expect(JSON.stringify(change)).not.toContain("secrets.")
    expect(change.steps[0].with).toEqual({ "persist-credentials": false })
    for (const job of [change, propose]) expect(job["timeout-minutes"]).toBeLessThanOrEqual(10)
  })
})

describe("docs/ci/change-flag.gitlab-ci.yml", () => {
  const [header = "", content = ""] = readFileSync(gitlab, "utf8").split(/^---\n/m)
  const { inputs } = parse(header).spec
  const ask = {
    flag: "express-pay",
    action: "everyone",
    value: "true",
    environment: "production",
    reason: "Go",
  }

  /** The job, once GitLab has put inputs that it accepts into the text. */
  function jobFor(form: Readonly<Record<string, string>>) {
    for (const [name, { regex, options }] of Object.entries<{ regex?: string; options?: string[] }>(inputs))
      expect(regex === undefined ? options?.includes(form[name] ?? "") : matches(regex, form[name])).toBe(
        true,
      )
    return parse(content.replace(/\$\[\[ inputs\.(\w+) \]\]/g, (_, name) => form[name] ?? ""))["change-flag"]
  }

  /** As GitLab's `UntrustedRegexp` does: no blank text matches. */
  const matches = (regex: string, text = "") => text.trim() !== "" && new RegExp(regex, "u").test(text)

  /** Runs the job for Ann in a clone. `pushed`: the options of the push that GitLab got. */
  async function submit(form: Readonly<Record<string, string>>) {
    const { cwd, bare } = cloneOfBare()
    git(bare, "config", "receive.advertisePushOptions", "true")
    const hook = 'for n in 0 1 2 3 4; do eval "echo \\"\\$GIT_PUSH_OPTION_$n\\""; done > pushed'
    writeFileSync(join(bare, "hooks/post-receive"), `#!/bin/sh\n${hook}\n`, { mode: 0o755 })
    const job = jobFor(form)
    const address = "gitlab.example/acme/shop.git"
    const failed = await runGitlabJob("change-flag", { "change-flag": job }, cwd, {
      ...{ GITLAB_USER_LOGIN: "ann", GITLAB_USER_NAME: "Ann Berg", GITLAB_USER_EMAIL: "ann@berg.example" },
      ...{
        CI_JOB_ID: "1",
        CI_COMMIT_BRANCH: "main",
        FLAGS_FORM_TOKEN: "glpat-secret",
        CI_SERVER_PROTOCOL: "https",
      },
      CI_REPOSITORY_URL: `https://gitlab-ci-token:job@${address}`,
      // The bare repository answers for GitLab.
      ...{ GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: `url.${bare}.insteadOf` },
      GIT_CONFIG_VALUE_0: `https://flagstone:glpat-secret@${address}`,
    }).then(
      () => undefined,
      ({ stdout, stderr }) => stdout + stderr,
    )
    const options = join(bare, "pushed")
    expect(existsSync(join(cwd, "pwned"))).toBe(false)
    return {
      bare,
      failed,
      pushed: existsSync(options) ? readFileSync(options, "utf8").trim().split("\n") : [],
    }
  }

  test("proposes a change in the name of the user who asked", async () => {
    const { bare, pushed, failed } = await submit({ ...ask, reason: `Fewer errors ${hostile}` })
    const title = "express-pay: everyone true in production"
    const asked = `Asked for by @ann: Fewer errors ${hostile}`
    expect(failed).toBeUndefined()
    expect(git(bare, "log", "-1", "--format=%an <%ae>%n%B", "change-flag-1").trim()).toBe(
      `Ann Berg <ann@berg.example>\n${title}\n\n${asked}`,
    )
    expect(git(bare, "diff", "--stat", "main", "change-flag-1")).toContain("1 file changed")
    expect(pushed).toEqual([
      ...["merge_request.create", "merge_request.target=main", "merge_request.remove_source_branch"],
      ...[`merge_request.title=${title}`, `merge_request.description=${asked}`],
    ])
  })

  test.each([
    [{ action: "off" }, "express-pay: off in production"],
    [{ action: "default" }, "express-pay: default true"],
    [{ action: "share", value: "25", environment: "staging" }, "share 25 in staging"],
  ])("%o", async (form, title) => {
    const { pushed, failed } = await submit({ ...ask, ...form })
    expect({ failed, title: pushed[3] }).toEqual({ failed: undefined, title: expect.stringContaining(title) })
  })

  test("proposes nothing if that is so already, or set refuses it", async () => {
    const already = await submit({ ...ask, flag: "gift-wrapping", action: "off" })
    expect({ ...already, bare: "" }).toEqual({ bare: "", failed: undefined, pushed: [] })
    const refused = await submit({ ...ask, value: hostile })
    expect(refused.failed).toContain("is a boolean, and")
    expect(refused.pushed).toEqual([])
  })

  test("runs in no other pipeline: its inputs have defaults, and none of them names a flag", () => {
    const defaults = Object.entries<{ default: string }>(inputs).map(([name, input]) => [name, input.default])
    expect(jobFor(Object.fromEntries(defaults)).rules).toEqual([{ if: '"-" != "-"' }])
    expect(jobFor(ask)).toMatchObject({ rules: [{ if: '"express-pay" != "-"' }], extends: ".flags" })
  })

  test("an input is one line of text, and no variable in it is expanded", () => {
    const { regex } = inputs.reason
    expect(inputs.value.regex).toBe(regex)
    for (const end of ["\n", "\r", "\u0085", "\u2028", "\u2029", "\0"])
      expect(matches(regex, `a${end}  script: [id]`)).toBe(false)
    expect(matches(regex, `Für alle: 100 % „ja“ ${hostile}`)).toBe(true)
    for (const text of ['a" == "a', "-x b", "$TOKEN", "a\n", "@a"])
      expect(matches(inputs.flag.regex, text)).toBe(false)
    const { VALUE, REASON } = jobFor({ ...ask, value: hostile, reason: "$FLAGS_FORM_TOKEN" }).variables
    expect([VALUE, REASON]).toEqual([
      { value: hostile, expand: false },
      { value: "$FLAGS_FORM_TOKEN", expand: false },
    ])
    expect(jobFor(ask).script.join("\n")).toBe(parse(content)["change-flag"].script.join("\n"))
  })
})

/** Runs a job's scripts, each in its own shell, and returns what the first one that fails printed. */
async function runSteps(
  steps: readonly { readonly run?: string }[],
  cwd: string,
  variables: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  for (const { run } of steps) {
    if (run === undefined) continue
    const failure = await runScript(run, cwd, variables).then(
      () => undefined,
      (error: { readonly stdout: string; readonly stderr: string }) => error.stdout + error.stderr,
    )
    if (failure !== undefined) return failure
  }
  return undefined
}

interface Api {
  readonly server: Server
  readonly url: string
  readonly asked: { readonly token: string; readonly path: string; readonly sent: unknown }[]
}

/** GitHub's API, as far as pull requests and comments are concerned. */
async function startApi(): Promise<Api> {
  const asked: Api["asked"] = []
  const server = createServer(async (request, response) => {
    const token = request.headers.authorization ?? ""
    const path = (request.url ?? "").replace("/repos/acme/shop/", "")
    const sent = await json(request)
    const isKnown = request.method === "POST" && /^(pulls|issues\/12\/comments)$/.test(path)
    response.statusCode = token === "Bearer wrong" ? 403 : isKnown ? 201 : 404
    if (response.statusCode === 201) asked.push({ token, path, sent })
    const message = "GitHub Actions is not permitted to create or approve pull requests."
    const pull = { number: 12, html_url: "https://github.example/acme/shop/pull/12" }
    response.end(JSON.stringify(response.statusCode === 201 ? pull : { message }))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as { readonly port: number }
  return { server, url: `http://127.0.0.1:${port}`, asked }
}
