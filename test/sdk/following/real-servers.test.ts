// @module-tag system
// @module-tag slow
// @module-tag long
import { mkdirSync, renameSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { buildFiles } from "../../proxy/fixtures.ts"
import { makeServedFolder, spawnProxy } from "../../proxy/start-proxy.ts"
import { hasNginx, startNginx, startNginxBefore } from "../../servers/nginx.ts"
import { applications } from "./applications.ts"
import { switchOf } from "./fault-server.ts"
import { type Running, run } from "./running.ts"

// How the providers of all languages follow a proxy, and nginx as a CDN.

if (!hasNginx)
  console.warn("SKIPPED: following flags through nginx, because it is not installed with its DAV module")

describe.each(applications.filter(({ missing }) => missing === undefined))("$language", ({ build }) => {
  let command: readonly string[] = []
  beforeAll(() => {
    command = build()
  }, 300_000)

  /** Runs an application until it has seen a change that is made once it is ready. */
  const seesChange = async (application: Running, change: () => void) => {
    expect(await application.event()).toBe("READY")
    expect(await application.value()).toBe("true STATIC")
    change()
    expect(await application.event()).toBe("CHANGED switch")
    expect(await application.value()).toBe("false STATIC")
    expect(await application.close()).toBe(0)
    expect(application.unread).toEqual([])
  }

  /** A proxy as an operator starts it, its key, and a function that changes its flag. */
  const startProxy = async () => {
    const { folder, keyFile, secret } = makeServedFolder(buildFiles({ production: [switchOf(true)] }))
    const url = await spawnProxy(folder, keyFile).started()
    const change = () => {
      for (const [file, text] of buildFiles({ production: [switchOf(false)] }))
        writeFileSync(join(folder, file), text)
    }
    return { url, apiKey: secret, change }
  }

  test("a proxy", async () => {
    const { url, apiKey, change } = await startProxy()
    await seesChange(run(command, url, { onTestFinished }, { apiKey }), change)
  })

  test.skipIf(!hasNginx)("a proxy behind nginx", async () => {
    const { url, apiKey, change } = await startProxy()
    const nginx = await startNginxBefore(url)
    onTestFinished(() => nginx.stop())
    await seesChange(run(command, nginx.url, { onTestFinished }, { apiKey }), change)
  })

  test.skipIf(!hasNginx)("nginx as a CDN, with docs/nginx.conf", async () => {
    const nginx = await startNginx()
    onTestFinished(() => nginx.stop())
    const folder = join(nginx.folder, "production/v1")
    mkdirSync(folder, { recursive: true })
    // nginx makes tags of sizes and seconds, and both documents have one size.
    const publish = (value: boolean, second: number) => {
      writeFileSync(join(folder, "new"), JSON.stringify({ flags: [switchOf(value)] }))
      utimesSync(join(folder, "new"), second, second)
      renameSync(join(folder, "new"), join(folder, "flags.json"))
    }
    publish(true, 1)
    await seesChange(run(command, `${nginx.url}/production`, { onTestFinished }), () => publish(false, 2))
  })
})
