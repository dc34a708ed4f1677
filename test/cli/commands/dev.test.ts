// @module-tag system
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { createServer, get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Writable } from "node:stream"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, onTestFinished, test } from "vitest"
import { runDev } from "../../../cli/commands/dev.ts"
import { createGit, type Git } from "../../../cli/git.ts"
import { run } from "../../../cli/program.ts"
import { isSpecPath } from "../../../cli/reading/files/file-names.ts"
import { until } from "../../in-time.ts"
import { createRepository, openRepository } from "../../repository.ts"
import { type TestHostOptions, testHost } from "../../test-host.ts"
import { root, runProcess, startProcess } from "../processes.ts"

// The real command line and real sockets; in a separate process if that is what matters.

/** A copy of the example project, with or without a git repository around it, and with or without its specs. */
function copyExample({ inGit = false, hasSpecs = false } = {}): string {
  const cwd = inGit ? createRepository().folder : mkdtempSync(join(tmpdir(), "flagstone-dev-"))
  const filter = (path: string) => hasSpecs || !isSpecPath(path)
  cpSync(join(root, "flags"), join(cwd, "flags"), { recursive: true, filter })
  return cwd
}

/** `dev` in this process, until the test is finished. */
function startHere(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  given: TestHostOptions = {},
) {
  const host = testHost({ cwd, env, now: Date.now, showsSecrets: true, ...given })
  const exited = run(["dev", ...args], host, "1.2.3")
  let isOver = false
  void exited.finally(() => {
    isOver = true
  })
  const stop = () => {
    host.signal("SIGINT")
    return exited
  }
  onTestFinished(async () => void (await stop()))
  const lineOf = (text: () => string) => {
    let at = 0
    return async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const end = text().indexOf("\n", at)
        if (end === -1 && isOver) throw new Error(`it ended before it printed ${pattern}: ${host.err()}`)
        if (end === -1) {
          await sleep(20)
          continue
        }
        const line = text().slice(at, end)
        at = end + 1
        if (pattern.test(line)) return line
      }
    }
  }
  return { stop, line: lineOf(host.out), said: lineOf(host.err), out: host.out, err: host.err }
}

/** What `dev` prints for each environment; resolves when it has printed the last one. */
async function curlLines(dev: Pick<ReturnType<typeof startHere>, "line">, environments: readonly string[]) {
  const lines: { readonly environment: string; readonly secret: string; readonly url: string }[] = []
  for (const environment of environments) {
    await dev.line(new RegExp(`^${environment}:$`))
    const [, secret = "", url = ""] = /Bearer (fsk_\w+)" (\S+)\/v1\/flags$/.exec(await dev.line(/curl/)) ?? []
    lines.push({ environment, secret, url })
  }
  return lines
}

const three = ["development", "staging", "production"]

async function startDev(cwd: string, args: readonly string[] = ["--port", "0"], env = {}) {
  const dev = startHere(cwd, args, env)
  const lines = await curlLines(dev, three)
  return { dev, lines, url: lines[0]?.url ?? "" }
}

const list = (url: string, secret: string) =>
  fetch(`${url}/v1/flags`, { headers: { authorization: `Bearer ${secret}` } })

/** What an OpenFeature client gets for all flags. */
async function evaluate(url: string, secret: string): Promise<readonly { readonly key: string }[]> {
  const headers = { authorization: `Bearer ${secret}` }
  const response = await fetch(`${url}/ofrep/v1/evaluate/flags`, { method: "POST", headers })
  return (await response.json()).flags
}

/** Rewrites a file below `flags`. */
function edit(cwd: string, path: string, change: (text: string) => string): void {
  const file = join(cwd, "flags", path)
  writeFileSync(file, change(readFileSync(file, "utf8")))
}

test("prints a working curl line for each environment, and ends on Ctrl-C", async () => {
  const cwd = copyExample()
  const dev = startProcess(cwd, ["dev", "--port", "0"])
  const lines = await curlLines(dev, three)
  for (const { environment, secret, url } of lines) {
    const body = await (await list(url, secret)).text()
    expect(body).toBe(readFileSync(join(cwd, "dist", `${environment}.json`), "utf8"))
    const keys = JSON.parse(body).flags.map((entry: { flag: { key: string } }) => entry.flag.key)
    expect(keys).toHaveLength(13)
    expect(keys).toEqual(keys.toSorted())
    const evaluated = await evaluate(url, secret)
    expect(evaluated.map(({ key }) => key)).toEqual(keys)
  }
  expect(dev.out()).toContain("OpenFeature clients (OFREP) use the same URL")
  dev.child.kill("SIGINT")
  expect(await dev.exited).toBe(0)
  expect(dev.err()).toBe("")
})

test("after a save, neither the build nor the catalogue reads the history again", async () => {
  const cwd = copyExample({ inGit: true })
  openRepository(cwd).commit(0)
  const read: string[] = []
  const git: Git = (args, options) => {
    if (args.includes("--sparse")) read.push(args.join(" "))
    return createGit(process.env)(args, options)
  }
  const dev = startHere(cwd, ["--port", "0"], {}, { git })
  const [{ url } = { url: "" }] = await curlLines(dev, three)
  const before = await (await fetch(url)).text()
  expect(read).toHaveLength(2)
  edit(cwd, "checkout/one-page-checkout.yaml", (text) => text.replace("to: 10", "to: 20"))
  await dev.line(/one-page/)
  expect(await (await fetch(url)).text()).not.toBe(before)
  expect(read).toHaveLength(2)
})

test("tells a listening page, and the terminal, of an edit when the file is saved", async () => {
  const cwd = copyExample()
  appendFileSync(join(cwd, "flags/project.yaml"), "clock: now\n")
  const ramp =
    '{ by: customerId, stages: [{ at: "2020-01-01T00:00:00Z", share: 5 }, { at: "2020-01-02T00:00:00Z", share: 100 }] }'
  writeFileSync(
    join(cwd, "flags/grown.yaml"),
    `defaultValue: false\nenvironments: { production: { enabled: true, rules: [{ ramp: ${ramp}, returnValue: true }] } }\n`,
  )
  const { lines, url } = await startDev(cwd)
  const headers = { authorization: `Bearer ${lines[2]?.secret}` }
  const body = JSON.stringify({ context: { customerId: "c-1" } })
  const answer = await fetch(`${url}/ofrep/v1/evaluate/flags`, { method: "POST", headers, body })
  const { eventStreams, flags } = await answer.json()
  expect(flags).toContainEqual(expect.objectContaining({ key: "grown", value: true })) // it adds the time
  const heard = await Promise.all(
    [eventStreams[0].endpoint.requestUri, "/v1/events"].map((target) => fetch(url + target, { headers })),
  )
  expect(heard.map(({ status }) => status)).toEqual([200, 200])
  edit(cwd, "checkout/one-page-checkout.yaml", (text) => text.replace("to: 10", "to: 20"))
  for (const answer of heard) {
    let text = ""
    for await (const chunk of answer.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.includes("data:")) break
    }
    expect(text).toMatch(/refetchEvaluation|event: change/)
  }
})

describe("what changed", () => {
  const time = /^\d\d:\d\d:\d\d /

  test("in the words of diff; the same flags written differently are no change", async () => {
    const cwd = copyExample()
    const { dev, lines, url } = await startDev(cwd)
    const file = "checkout/one-page-checkout.yaml"
    edit(cwd, file, (text) => text.replace("to: 10", "to: 20"))
    expect((await dev.line(time)).replace(time, "")).toBe("`production`: 1 flag changes what users get")
    await dev.line(/^production \(protected\)$/)
    expect(await dev.line(/one-page/)).toBe("  one-page-checkout: rule 2 edited: 10 % → 20 % by `customerId`")
    expect(await dev.line(/./)).toMatch(/^ {4}the share of users .* rises from 10 % to 20 %, /)
    const body = await (await list(url, lines[2]?.secret ?? "")).text()
    expect(body).toBe(readFileSync(join(cwd, "dist/production.json"), "utf8"))

    edit(cwd, file, (text) => `# a comment\n${text}`)
    expect((await dev.line(/./)).replace(time, "")).toBe("No change in behaviour")
    mkdirSync(join(cwd, "flags/elsewhere"))
    renameSync(join(cwd, "flags", file), join(cwd, "flags/elsewhere/one-page-checkout.yaml"))
    expect((await dev.line(/./)).replace(time, "")).toBe("No change in behaviour")
    writeFileSync(join(cwd, "flags/brand-new.yaml"), "defaultValue: true\n")
    expect((await dev.line(/./)).replace(time, "")).toMatch(/^`production`: no one gets a different value; /)
    await dev.line(/^ {2}brand-new: flag added$/)
  })

  test("a recovery says so, with what changed since the last good flags", async () => {
    const cwd = copyExample()
    const { dev } = await startDev(cwd)
    const file = "storefront/dark-mode.yaml"
    const good = readFileSync(join(cwd, "flags", file), "utf8")
    edit(cwd, file, () => "defaultValue: [\n")
    await dev.said(/nothing was written/)
    edit(cwd, file, () => good)
    expect(await dev.line(time)).toMatch(/^.{8} No more errors. No change in behaviour$/)

    // Like git or an editor that replaces files one by one.
    renameSync(join(cwd, "flags/project.yaml"), join(cwd, "project.yaml"))
    writeFileSync(join(cwd, "flags/another.yaml"), "defaultValue: true\n")
    await dev.said(/no project.yaml/)
    renameSync(join(cwd, "project.yaml"), join(cwd, "flags/project.yaml"))
    expect(await dev.line(time)).toMatch(
      /^.{8} No more errors. `production`: no one gets a different value; /,
    )
    await dev.line(/^ {2}another: flag added$/)
  })

  test("started with errors, it shows them, waits and serves once they are gone", async () => {
    const cwd = copyExample()
    edit(cwd, "staff.segment.yaml", (text) => text.replace("attribute:", "atribute:"))
    const dev = startHere(cwd, ["--port", "0"])
    await dev.said(/nothing was written/)
    await dev.said(/^Waiting for changes; Ctrl-C stops\.$/)
    edit(cwd, "staff.segment.yaml", (text) => text.replace("atribute:", "atribut:"))
    await dev.said(/nothing was written/)
    edit(cwd, "staff.segment.yaml", (text) => text.replace("atribut:", "attribute:"))
    await dev.line(/Watching for changes/)
    const [first] = await curlLines(dev, three)
    expect((await list(first?.url ?? "", first?.secret ?? "")).status).toBe(200)
    edit(cwd, "staff.segment.yaml", (text) => text.replace("shop", "parcels"))
    await dev.line(/segment staff/)
  })

  test("stopped while it waits for the first build without errors, it ends", async () => {
    const cwd = copyExample()
    edit(cwd, "staff.segment.yaml", (text) => text.replace("attribute:", "atribute:"))
    const dev = startHere(cwd, ["--port", "0"])
    await dev.said(/^Waiting for changes/)
    expect(await dev.stop()).toBe(0)
  })

  test("a new environment has its curl line; a removed one goes without a word about dev's own key", async () => {
    const cwd = copyExample()
    const { dev, lines, url } = await startDev(cwd)
    edit(cwd, "project.yaml", (text) => text.replace("staging,", "staging, qa,"))
    await dev.line(/environment added/)
    const [qa] = await curlLines(dev, ["qa"])
    expect((await list(url, qa?.secret ?? "")).status).toBe(200)

    edit(cwd, "project.yaml", (text) => text.replace("staging, qa,", "staging,"))
    await dev.line(/`qa` is gone/)
    const isRefused = async () => (await list(url, qa?.secret ?? "")).status === 401
    await until(isRefused, "the key of a removed environment is refused", dev.out)
    expect((await list(url, lines[0]?.secret ?? "")).status).toBe(200)
    expect(dev.err()).toBe("")
  })
})

test.each([
  ["project: shop", "project: parcels"],
  ["protected:", "clock: now\nprotected:"],
])("what is read only at the start, %s to %j, is not said to be served", async (before, after) => {
  const cwd = copyExample()
  const { dev, lines, url } = await startDev(cwd)
  const served = async () => (await list(url, lines[2]?.secret ?? "")).text()
  const first = await served()
  edit(cwd, "project.yaml", (text) => text.replace(before, after))
  await dev.said(/restart flagstone dev/)
  edit(cwd, "checkout/one-page-checkout.yaml", (text) => text.replace("to: 10", "to: 20"))
  await dev.said(/restart flagstone dev/)
  expect(await served()).toBe(first)
  edit(cwd, "project.yaml", (text) => text.replace(after, before))
  expect(await dev.line(/No more errors/)).toContain("1 flag changes")
  expect(dev.out()).not.toContain("no one gets a different value")
  expect(await served()).not.toBe(first)
})

test("the schema of a flag's values is watched, too", async () => {
  const cwd = copyExample()
  const schema = (type: string) => JSON.stringify({ properties: { text: { type } } })
  writeFileSync(join(cwd, "flags/teaser.schema.json"), schema("string"))
  writeFileSync(
    join(cwd, "flags/teaser.yaml"),
    "type: json\nschema: teaser.schema.json\ndefaultValue: { text: hello }\n",
  )
  const { dev } = await startDev(cwd)
  writeFileSync(join(cwd, "flags/teaser.schema.json"), schema("number"))
  await dev.said(/`text` must be of type number/)
})

test("the specs of what was saved are run, and no others", async () => {
  const cwd = copyExample({ hasSpecs: true })
  const { dev } = await startDev(cwd)
  edit(cwd, "checkout/one-page-checkout.yaml", (text) => text.replace("to: 10", "to: 20"))
  expect(await dev.line(/failed-case/)).toMatch(/^flags\/checkout\/one-page-checkout\.spec\.yaml:12:/)
  expect(await dev.line(/Expected/)).toContain("Expected `10 ± 1` %".replaceAll("`", ""))
  edit(cwd, "checkout/one-page-checkout.spec.yaml", (text) => text.replace("10 ± 1", "20 ± 1"))
  expect(await dev.line(/passed/)).toBe("5 cases passed.")
  edit(cwd, "shipping/delivery-slots.spec.yaml", (text) => `${text}# saved\n`)
  expect(await dev.line(/passed/)).toBe("5 cases passed.")
})

test("a project file that is removed just after a build ends nothing", async () => {
  const cwd = copyExample()
  const [project, elsewhere] = [join(cwd, "flags/project.yaml"), join(cwd, "project.yaml")]
  let out = ""
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      out += chunk
      if (`${chunk}`.includes("No change in behaviour")) renameSync(project, elsewhere) // the specs come next
      done()
    },
  })
  const host = testHost({ cwd })
  const options = { flags: "flags", out: "dist", keys: "keys.yaml", host: "127.0.0.1", corsOrigin: [] }
  const ended = runDev({ ...options, port: 0 }, { ...host, stdout })
  await until(
    () => out.includes("production:"),
    "it builds",
    () => out,
  )
  edit(cwd, "storefront/dark-mode.yaml", (text) => `${text}# a comment\n`)
  await until(() => host.err().includes("no project.yaml"), "it misses project.yaml", host.err)
  renameSync(elsewhere, project)
  writeFileSync(join(cwd, "flags/another.yaml"), "defaultValue: true\n")
  await until(
    () => out.includes("another: flag added"),
    "it builds again",
    () => out,
  )
  host.signal("SIGTERM")
  expect(await ended).toBe(0)
})

test("its log lines are for readers, and each change is reported once", async () => {
  const cwd = copyExample()
  const secret = runProcess(cwd, ["keys", "create", "staging"]).stdout.trim()
  const { dev, url } = await startDev(cwd)
  expect((await list(url, secret)).status).toBe(200)
  edit(cwd, "project.yaml", (text) => text.replace("staging,", "staging, qa,"))
  await dev.line(/environment added/)
  const schema = readFileSync(join(cwd, "flags/flag.schema.json"), "utf8")
  writeFileSync(join(cwd, "keys.yaml"), "keys: [")
  expect(await dev.said(/keys/)).toMatch(
    /^flagstone: keys refused; .*: the key file .*keys.yaml is not valid/,
  )
  writeFileSync(join(cwd, "keys.yaml"), "keys: 7")
  await dev.said(/keys refused/)
  expect(dev.err()).not.toContain("{")
  // Between two polls of the key file the flags folder was polled, too: the schema that builds write there is no change.
  expect(schema).toContain("qa")
  expect(dev.out().match(/^\d\d:\d\d:\d\d /gm)).toHaveLength(1)
})

describe("keys", () => {
  test("stay from run to run in git's own folder, readable only by their owner", async () => {
    const cwd = copyExample({ inGit: true })
    const first = await startDev(cwd)
    expect(statSync(join(cwd, ".git/flagstone/dev-keys.json")).mode & 0o777).toBe(0o600)
    expect(await first.dev.stop()).toBe(0)
    const second = await startDev(cwd)
    expect(second.lines.map(({ secret }) => secret)).toEqual(first.lines.map(({ secret }) => secret))
    expect(new Set(second.lines.map(({ secret }) => secret)).size).toBe(3)
    expect((await list(second.url, first.lines[0]?.secret ?? "")).status).toBe(200)
  })

  test("in a key file that is made meanwhile work", async () => {
    const cwd = copyExample()
    const { dev, url } = await startDev(cwd)
    const made = testHost({ cwd, showsSecrets: true })
    await run(["keys", "create", "production", "--id", "web", "--out", "secret.txt"], made, "1.2.3")
    const secret = readFileSync(join(cwd, "secret.txt"), "utf8").trim()
    await until(async () => (await list(url, secret)).status === 200, "the key works", dev.err)
  })

  test("stay although a lock was left behind", async () => {
    const cwd = copyExample({ inGit: true })
    const first = await startDev(cwd)
    expect(await first.dev.stop()).toBe(0)
    writeFileSync(join(cwd, ".git/flagstone/dev-keys.json.lock"), "1 elsewhere")
    const second = await startDev(cwd)
    expect(second.lines.map(({ secret }) => secret)).toEqual(first.lines.map(({ secret }) => secret))
  })

  test("of two runs at the same moment are the same", async () => {
    const cwd = copyExample({ inGit: true })
    const [a, b] = await Promise.all(
      ["dist", "dist2"].map((out) =>
        curlLines(startProcess(cwd, ["dev", "--port", "0", "--out", out]), three),
      ),
    )
    expect(a?.map(({ secret }) => secret)).toEqual(b?.map(({ secret }) => secret))
  })

  test("outside git, and if git's folder has something else in their place, are made for the run", async () => {
    const outside = copyExample()
    const first = await startDev(outside)
    const second = await startDev(outside, ["--port", "0", "--out", "dist2"])
    expect(second.lines[0]?.secret).not.toBe(first.lines[0]?.secret)

    const damaged = copyExample({ inGit: true })
    mkdirSync(join(damaged, ".git/flagstone"))
    writeFileSync(
      join(damaged, ".git/flagstone/dev-keys.json"),
      '{"shop/development":"fsk_x","shop/staging":7',
    )
    const third = await startDev(damaged)
    expect((await list(third.url, third.lines[1]?.secret ?? "")).status).toBe(200)
  })
})

describe("CORS", () => {
  const ask = (url: string, secret: string, origin: string) =>
    fetch(`${url}/v1/flags`, { headers: { authorization: `Bearer ${secret}`, origin } })
  const preflight = (url: string, origin: string) =>
    fetch(`${url}/v1/flags`, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "GET" },
    })

  test("pages of this machine may read the flags, whatever their port", async () => {
    const { url, lines } = await startDev(copyExample())
    for (const origin of [
      "http://localhost:5173",
      "https://localhost",
      "http://127.0.0.1:3000",
      "http://[::1]:1",
    ]) {
      const answer = await ask(url, lines[0]?.secret ?? "", origin)
      expect([origin, answer.headers.get("access-control-allow-origin")]).toEqual([origin, origin])
      expect((await preflight(url, origin)).status).toBe(204)
    }
    for (const origin of ["https://shop.example", "http://localhost.evil.example", "null"]) {
      const answer = await ask(url, lines[0]?.secret ?? "", origin)
      expect([origin, answer.headers.get("access-control-allow-origin")]).toEqual([origin, null])
      expect((await preflight(url, origin)).status).toBe(405)
    }
  })

  test("--cors-origin and FLAGSTONE_CORS_ORIGIN name others", async () => {
    const env = { FLAGSTONE_CORS_ORIGIN: "https://shop.example" }
    const byVariable = await startDev(copyExample(), ["--port", "0"], env)
    expect((await preflight(byVariable.url, "https://shop.example")).status).toBe(204)
    expect((await preflight(byVariable.url, "http://localhost:5173")).status).toBe(405)
    const byOption = await startDev(
      copyExample(),
      ["--port", "0", "--cors-origin", "loopback,https://two.example"],
      env,
    )
    expect((await preflight(byOption.url, "https://two.example")).status).toBe(204)
    expect((await preflight(byOption.url, "http://localhost:5173")).status).toBe(204)
    expect((await preflight(byOption.url, "https://shop.example")).status).toBe(405)
  })
})

describe("the pages", () => {
  /** The status for a web page whose host name leads here: `fetch` would send its own. */
  const statusByName = (url: string, name: string) =>
    new Promise((done, failed) => {
      get(url, { headers: { host: name } }, ({ statusCode }) => done(statusCode)).once("error", failed)
    })

  test("the catalogue at / follows every save, survives a mistake, and is only for this machine", async () => {
    const cwd = copyExample()
    const { dev, url } = await startDev(cwd)
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(page.headers.get("content-security-policy")).toBe("frame-ancestors 'none'")
    const html = await page.text()
    expect(html).toContain("13 flags in 3 environments")
    expect(html).toContain('<a href="/commands">Commands and keys</a>')
    expect(html).not.toMatch(/fsk_\w/)
    expect(await statusByName(url, "evil.example")).toBe(404)

    edit(cwd, "checkout/one-page-checkout.yaml", (text) => text.replace("to: 10", "to: 27"))
    await dev.line(/rises from 10 % to 27 %/)
    expect(await (await fetch(url)).text()).toContain("27 % of users by")
    edit(cwd, "checkout/one-page-checkout.yaml", (text) => `${text}oops\n`)
    await dev.said(/nothing was written/)
    expect((await fetch(url)).status).toBe(200)
  })

  test("a catalogue that cannot be made is made once it can", async () => {
    const cwd = copyExample()
    const { url } = await startDev(cwd)
    renameSync(join(cwd, "flags"), join(cwd, "gone"))
    expect((await fetch(url)).status).toBe(500)
    renameSync(join(cwd, "gone"), join(cwd, "flags"))
    expect(await (await fetch(url)).text()).toContain("13 flags in 3 environments")
  })

  test("/commands has the curl lines, follows the project, and is only for this machine", async () => {
    const cwd = copyExample()
    const dev = startProcess(cwd, ["dev", "--port", "0"]) // whose answers may show secrets on this page
    const lines = await curlLines(dev, three)
    const origin = lines[0]?.url
    const url = `${origin}/commands`
    const page = await fetch(url)
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(page.headers.get("cache-control")).toBe("no-store")
    expect(page.headers.has("access-control-allow-origin")).toBe(false)
    const html = await page.text()
    for (const { secret } of lines)
      expect(html).toContain(`curl -H &#34;Authorization: Bearer ${secret}&#34; ${origin}/v1/flags`)
    expect((await fetch(url, { method: "HEAD" })).status).toBe(200)
    expect((await fetch(url, { method: "POST" })).status).toBe(405)
    expect((await fetch(`${origin}/favicon.ico`)).status).toBe(404)

    edit(cwd, "project.yaml", (text) => text.replace("staging,", "staging, qa,"))
    const [qa] = await curlLines(dev, ["qa"])
    expect(await (await fetch(url)).text()).toContain(qa?.secret)
    expect(await statusByName(url, "evil.example")).toBe(404)
  })
})

describe("the port", () => {
  /** Makes sure that a port is taken. */
  async function take(port: number): Promise<number> {
    const server = createServer()
    onTestFinished(() => void server.close())
    return new Promise((done, failed) => {
      server.once("error", (error: NodeJS.ErrnoException) =>
        error.code === "EADDRINUSE" ? done(port) : failed(error),
      )
      server.listen(port, "127.0.0.1", () => done((server.address() as { port: number }).port))
    })
  }

  test("is the next free one if none was given, and dev says so", async () => {
    await take(8080)
    const dev = startHere(copyExample(), [])
    const said = await dev.line(/8080/)
    const [{ url = "" } = {}] = await curlLines(dev, ["development"])
    const { port } = new URL(url)
    expect(Number(port)).toBeGreaterThan(8080)
    expect(said).toBe(`Port 8080 is in use; listening on ${port} instead.`)
  })

  test("is not another than the one that was asked for", async () => {
    const port = await take(0)
    const { status, stdout, stderr } = runProcess(copyExample(), ["dev", "--port", String(port)])
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).toBe(`flagstone: port ${port} on 127.0.0.1: in use; choose a different --port\n`)
  })
})
