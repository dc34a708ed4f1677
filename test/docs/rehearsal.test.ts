// @module-tag system
// @module-tag slow
// @module-tag long
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { OpenFeature } from "@openfeature/server-sdk"
import { expect, onTestFinished, test, vi } from "vitest"
import { FlagstoneProvider } from "../../sdk/openfeature/provider.ts"
import { startProcess } from "../cli/processes.ts"
import { faketime, movableClock } from "../servers/faketime.ts"
import { hasNginx, startNginxBefore } from "../servers/nginx.ts"
import { freePort } from "../servers/ports.ts"
import { hasRedis, startRedis } from "../servers/redis.ts"
import { startS3 } from "../servers/s3.ts"
import { cloneProject, commit, environment, git } from "./example-project.ts"
import { type Job, readWorkflow, runJob } from "./github-runner.ts"
import { blocksOf, readPage } from "./pages.ts"
import { isInstalled, runScript } from "./runner.ts"

// Every procedure of docs/runbook.md, as the page has it, in the set-up that the pages recommend together: a store behind a
// different address, signatures, keys from that address, secret paths, specs, the workflow, two proxies with one Redis behind
// nginx, and a client that listens. After each the test asks the proxies and the client whether it arrived.

const page = readPage("docs/runbook.md").text
const target = "s3://flags/shop"

/** The commands of a section's first block. */
function blockOf(heading: string): string {
  const section = page.slice(page.indexOf(`\n## ${heading}\n`))
  const { text = "" } = blocksOf(section).find(({ language }) => language === "console") ?? {}
  const commands = text.split("\n").filter((line) => line.startsWith("$ "))
  expect(commands, heading).not.toEqual([])
  return commands.map((line) => onTarget(line.slice(2))).join("\n")
}

/** Words of the page, which must have them, as a command. */
function inPage(words: string): string {
  expect(page.replaceAll(/\s+/g, " ")).toContain(words)
  return onTarget(words)
}

const onTarget = (command: string) => command.replaceAll(/\bpublished\b/g, target)

const isPossible = hasNginx && hasRedis && isInstalled("jq", "the rehearsal of docs/runbook.md")
if (!isPossible) console.warn("SKIPPED: the rehearsal of docs/runbook.md, which needs nginx, Redis and jq")

test.skipIf(!isPossible)(
  "every procedure of the runbook does what it says",
  { timeout: 600_000 },
  async () => {
    // The set-up.
    const s3 = await startS3(["flags"], true)
    onTestFinished(() => s3.stop())
    const readersUrl = `${s3.url.replace("127.0.0.1", "localhost")}/flags/shop`
    const folder = cloneProject()
    writeFileSync(
      join(folder, ".gitignore"),
      readFileSync(join(folder, ".gitignore"), "utf8").replace("/keys.yaml\n", ""),
    )
    const origin = join(folder, ".git/origin.git")
    commit(folder, "with keys")
    git(folder, "clone", "-q", "--bare", folder, origin)
    git(folder, "remote", "add", "origin", origin)
    git(folder, "fetch", "-q")
    git(folder, "branch", "-q", "--set-upstream-to=origin/main")

    /** What whoever is on call has: "the target's credentials, and the same signing key and path secret". */
    let secrets: Record<string, string> = { ...s3.env, FLAGSTONE_PATH_SECRET: "a-long-secret" }
    const run = (script: string, more: Readonly<Record<string, string>> = {}) =>
      runScript(script.replaceAll(/(?<!npx )\bflagstone /g, "npx flagstone "), folder, {
        ...secrets,
        ...more,
      })
    const secretIn = (file: string) => readFileSync(join(folder, file), "utf8").trim()
    const verifyKeyIn = (text: string) => /--verify-key (\S+)/.exec(text)?.[1] ?? ""
    let verifyKey = verifyKeyIn(await run("flagstone keys signing --out private.txt"))
    secrets = { ...secrets, FLAGSTONE_SIGNING_KEY: secretIn("private.txt") }
    await run("flagstone keys create production --id web --expires 365d --out secret.txt")
    commit(folder, "a key")
    git(folder, "push", "-q")

    const adminPorts = [await freePort(), await freePort()]
    const admins = adminPorts.map((port) => `http://127.0.0.1:${port}`)
    const publishJob: Job = readWorkflow(".github/workflows/flags-publish.yaml").jobs.publish
    const checkJob: Job = readWorkflow(".github/workflows/flags-check.yaml").jobs.check
    let keepsAddresses = ""
    /** CI: the jobs of the workflows, by default the one that publishes, in a fresh clone of what was pushed. */
    async function ci(wait = admins.join(), jobs: readonly Job[] = [publishJob]): Promise<string> {
      const clone = mkdtempSync(join(tmpdir(), "flagstone-ci-"))
      execFileSync("git", ["clone", "-q", origin, clone], { env: environment() })
      const vars = {
        ...{ FLAGS_TARGET: target, FLAGS_BASE_URL: readersUrl, FLAGS_WAIT: wait },
        FLAGS_KEEP_ADDRESSES: keepsAddresses,
        ...{ AWS_ENDPOINT_URL_S3: s3.env.AWS_ENDPOINT_URL_S3, AWS_REGION: s3.env.AWS_REGION },
      }
      const github = { event_name: "push", event: {} }
      let output = ""
      for (const job of jobs) {
        const { failed, printed } = await runJob(job, { cwd: clone, github, vars, secrets, env: s3.env })
        if (failed !== undefined) throw new Error(failed)
        output += printed
      }
      return output
    }
    expect(await ci("")).toContain(`at ${readersUrl})`)

    const redis = await startRedis()
    let isRedisUp = true
    onTestFinished(() => (isRedisUp ? redis.stop() : undefined))
    const ports = [await freePort(), await freePort()]
    const clock = movableClock()
    const startProxy = async (at: number, snapshots = readersUrl) => {
      const proxy = startProcess(folder, ["serve", "--ofrep"], {
        ...(faketime && clock.env),
        FLAGSTONE_SNAPSHOTS: snapshots,
        FLAGSTONE_KEYS: `${readersUrl}/keys.yaml`,
        FLAGSTONE_VERIFY_KEY: verifyKey,
        FLAGSTONE_CACHE_DIR: join(folder, `.git/cache-${at}`),
        FLAGSTONE_RATE_LIMIT_STORE: redis.url,
        FLAGSTONE_PORT: `${ports[at]}`,
        FLAGSTONE_ADMIN_PORT: `${adminPorts[at]}`,
        FLAGSTONE_EVENTS_SECRET: "the events' secret, of at least 32 characters",
      })
      await proxy.line(/"proxy started"/).catch((cause) => {
        throw new Error(proxy.err() + proxy.out(), { cause })
      })
      return proxy
    }
    const proxies = [await startProxy(0), await startProxy(1)]
    /** Restarts the proxies, one by one. */
    const restart = async (snapshots?: string) => {
      for (const at of [0, 1]) {
        proxies[at]?.child.kill("SIGTERM")
        await proxies[at]?.exited
        proxies[at] = await startProxy(at, snapshots)
      }
    }
    const urls = ports.map((port) => `http://127.0.0.1:${port}`)
    const nginx = await startNginxBefore(...urls)
    onTestFinished(() => nginx.stop())

    const listen = async (file: string) => {
      await OpenFeature.setProviderAndWait(new FlagstoneProvider({ url: nginx.url, apiKey: secretIn(file) }))
      return OpenFeature.getClient()
    }
    onTestFinished(() => OpenFeature.close())
    let client = await listen("secret.txt")
    const context = { targetingKey: "ann", email: "ann@shop.example" }
    const statusOf = async (url: string, file: string) => {
      const headers = { authorization: `Bearer ${secretIn(file)}` }
      return (await fetch(`${url}/v1/flags`, { headers })).status
    }
    /** What each proxy evaluates, and the client, which listens: polls alone would take half a minute. */
    const expectOn = async (isOn: boolean, file = "secret.txt") => {
      const answers = async () => [
        ...(await Promise.all(
          urls.map(async (url) => {
            const path = `${url}/ofrep/v1/evaluate/flags/one-page-checkout`
            const headers = { authorization: `Bearer ${secretIn(file)}`, "content-type": "application/json" }
            const response = await fetch(path, { method: "POST", headers, body: JSON.stringify({ context }) })
            return ((await response.json()) as { readonly value?: boolean }).value
          }),
        )),
        await client.getBooleanValue("one-page-checkout", !isOn, context),
      ]
      await vi.waitFor(async () => expect(await answers()).toEqual([isOn, isOn, isOn]), 60_000)
    }
    await expectOn(true)

    // A ramp must stop: a client whose time is after its last stage shows that the hold has arrived.
    const clockIn = join(folder, "flags/project.yaml")
    writeFileSync(clockIn, `${readFileSync(clockIn, "utf8")}clock: now\n`)
    writeFileSync(
      join(folder, "flags/one-click.yaml"),
      "description: d\nowner: o\ndefaultValue: false\nenvironments:\n  production:\n    enabled: true\n    rules:\n      - ramp: { by: customerId, stages: [{ at: 2020-01-01T00:00:00Z, share: 0.001 }, { at: 2100-01-01T00:00:00Z, share: 100 }] }\n        returnValue: true\n",
    )
    commit(folder, "a ramp")
    git(folder, "push", "-q")
    await ci()
    const expectRamped = (isOn: boolean) =>
      vi.waitFor(async () => {
        const later = { customerId: "c-1", now: "2100-01-02T00:00:00Z" }
        expect(await client.getBooleanValue("one-click", !isOn, later)).toBe(isOn)
      }, 60_000)
    await expectRamped(true)
    const braked = performance.now()
    await run(inPage("npx flagstone set <flag> --in production --hold").replace("<flag>", "one-click"))
    await run(`git commit -qam "Hold" && git push -q`)
    await run(blockOf("CI is down"), { FLAGSTONE_WAIT: admins.join() })
    await expectRamped(false)
    console.info(`held at the client ${((performance.now() - braked) / 1000).toFixed(1)} s after the command`)

    // A flag must go off now: CI's specs do not stop it, and then CI is down.
    const commanded = performance.now()
    await run(blockOf("A flag must go off now"))
    const wait = { FLAGSTONE_WAIT: admins.join() }
    expect(await run(blockOf("CI is down"), wait)).toContain(`${admins[1]} has it after`)
    await expectOn(false)
    const seconds = ((performance.now() - commanded) / 1000).toFixed(1)
    console.info(`off at both proxies and the client ${seconds} s after the command`)
    expect(await ci(admins.join(), [checkJob, publishJob])).toContain("nothing to send") // "nothing left to publish"

    // Roll back and hold.
    expect(await run(blockOf("Roll back and hold"), wait)).toContain("it is held there until")
    await expectOn(true)
    await expect(ci()).rejects.toThrow("is held: Ann rolled back")
    const current = JSON.parse(await (await fetch(`${readersUrl}/manifest.json`)).text()).revision
    await run("flagstone keys create production --id batch --out secret-batch.txt")
    const sendKeys = inPage("`--rollback <current revision> --keys keys.yaml`").replaceAll("`", "")
    await run(`flagstone publish ${target} ${sendKeys.replace("<current revision>", current)}`, wait)
    expect(await Promise.all(urls.map((url) => statusOf(url, "secret-batch.txt")))).toEqual([200, 200])
    commit(folder, "a key for batch jobs")
    git(folder, "push", "-q")
    await run(inPage("flagstone publish published --resume"))
    await ci()
    await expectOn(false)

    // A key leaked.
    await run(blockOf("A key leaked"))
    commit(folder, "revoke the key")
    git(folder, "push", "-q")
    await run(inPage("npx flagstone build"))
    await run(`flagstone publish ${target} ${inPage("`publish --keys keys.yaml`").slice(9, -1)}`, wait)
    for (const url of urls)
      expect([await statusOf(url, "secret.txt"), await statusOf(url, "secret-web-2.txt")]).toEqual([401, 200])
    client = await listen("secret-web-2.txt")
    await expectOn(false, "secret-web-2.txt")

    // The signing key.
    const again = `flagstone publish ${target} --base-url ${readersUrl}`
    verifyKey = verifyKeyIn(await run(inPage("flagstone keys signing --out private-2.txt")))
    secrets = { ...secrets, FLAGSTONE_SIGNING_KEY: secretIn("private-2.txt") }
    inPage("CI's `--base-url` and, if the proxies read keys from the target, `--keys keys.yaml`")
    expect(await run(`${again} --keys keys.yaml`)).toContain(
      `until they start with --verify-key ${verifyKey}`,
    )
    await expectOn(false, "secret-web-2.txt") // they "serve what they have"
    await restart()
    expect(await ci()).toContain("has it after")
    await expectOn(false, "secret-web-2.txt")

    // The path secret.
    const list = async (base: string) => (await fetch(`${readersUrl}/${base}/v1/flags`)).status
    const baseIn = (printed: string) => /^production \S+\/(production-\S+)$/m.exec(printed)?.[1] ?? ""
    const oldBase = baseIn(await ci())
    secrets = { ...secrets, FLAGSTONE_PATH_SECRET: "another-secret" }
    keepsAddresses = inPage("true")
    const newBase = baseIn(await ci())
    expect([await list(oldBase), await list(newBase)]).toEqual([200, 200])
    keepsAddresses = ""
    await ci()
    expect([await list(oldBase), await list(newBase)]).toEqual([404, 200])

    // The store's credentials: what a thief wrote is repaired.
    const forged = await fetch(`${s3.url}/flags/shop/${newBase}/v1/flags`, {
      method: "PUT",
      body: "{}",
      headers: { "content-md5": "mZFLkyvTelC5g8XnyQrpOw==" },
    })
    expect(forged.status).toBe(200)
    await run("npx flagstone build --require-clean")
    expect(await run(again)).toContain("1 file sent")

    // Incidents. While one lasts, the proxies serve what they have; after it, a publication arrives by itself.
    const metric = async (admin: string | undefined, name: string) =>
      [
        ...(await (await fetch(`${admin}/metrics`)).text()).matchAll(
          new RegExp(`^${name}\\{.*\\} (.*)$`, "gm"),
        ),
      ].map(([, value]) => Number(value))
    const cache = join(folder, ".git/cache-0")
    const interfere = (where: RegExp, answer: () => ReturnType<typeof s3.interfere>) => {
      s3.interfere = (method, path) => (where.test(`${method} ${path}`) ? answer() : undefined)
    }
    const hang = () => new Promise<never>(() => undefined)
    interface Incident {
      readonly begin: () => void
      /** Until it ends. */
      readonly during: () => Promise<unknown>
      readonly end?: () => void
    }
    const incidents: Readonly<Record<string, Incident>> = {
      "a damaged answer, with the tag of the good one": {
        begin() {
          s3.interfere = async (method, path, { authorization }) => {
            const isOfProxy = authorization === undefined && method === "GET"
            if (!isOfProxy || !path.endsWith("/manifest.json")) return undefined
            const good = await fetch(`${s3.url}${path}?`)
            const headers = { etag: good.headers.get("etag") ?? "" }
            return { status: 200, body: (await good.text()).replace("{", "~"), headers }
          }
        },
        during: async () => {
          await run(again)
          await vi.waitFor(() => expect(proxies[0]?.out()).toMatch("manifest.json is not valid"), 60_000)
        },
      },
      "a publisher that is killed before its manifest": {
        begin: () => interfere(/^PUT .*\/manifests\//, hang),
        during: () =>
          run(`timeout -s KILL 8 ${again} || git commit -q --allow-empty -m again && npx flagstone build`),
      },
      "a store that answers nothing, and restarts": {
        begin: () => interfere(/./, hang),
        during: () => restart(),
      },
      "a store that is down": {
        begin: () => interfere(/./, () => 503),
        during: () => sleep(20_000),
      },
      "a cache that cannot be written": {
        begin() {
          renameSync(cache, `${cache}-aside`)
          writeFileSync(cache, "")
        },
        async during() {
          await run(again)
          await vi.waitFor(
            async () => expect(await metric(admins[0], "flagstone_cache_good")).toContain(0),
            60_000,
          )
        },
        end() {
          rmSync(cache)
          renameSync(`${cache}-aside`, cache)
        },
      },
      "a clock that jumps back by a day": {
        begin: () => clock.move(-86_400),
        during: async () => {
          for (const age of await metric(admins[0], "flagstone_source_good_seconds"))
            expect(Math.abs(age - 60)).toBeLessThanOrEqual(60)
        },
        end: () => clock.move(0),
      },
    }
    let isOn = false
    for (const [name, { begin, during, end }] of Object.entries(incidents)) {
      isOn = !isOn
      await run(`npx flagstone set one-page-checkout --in production ${isOn ? "--on" : "--off"}`)
      commit(folder, name)
      await run("npx flagstone build --require-clean")
      begin()
      await during()
      s3.interfere = () => undefined
      end?.()
      const printed = await run(`${again} --keep 3`, wait)
      expect(printed, name).toContain(`${admins[1]} has it after`)
      expect(printed, name).not.toContain("not all removed")
      await expectOn(isOn, "secret-web-2.txt")
    }
    expect(isOn).toBe(false)

    // Redis is down: "each proxy enforces the limits on its own".
    isRedisUp = false
    await redis.stop()
    for (const url of [...urls, ...urls]) {
      expect(await statusOf(url, "secret-web-2.txt")).toBe(200)
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    }

    // The store is down: "With --cache-dir a proxy starts with the last good set", and a flag changes in a different place.
    s3.interfere = () => 503
    await restart()
    await expectOn(false, "secret-web-2.txt")
    await run("npx flagstone set one-page-checkout --in production --on")
    commit(folder, "on")
    await run(`flagstone build --require-clean && flagstone publish elsewhere`)
    await restart(join(folder, "elsewhere"))
    await expectOn(true, "secret-web-2.txt")
  },
)
