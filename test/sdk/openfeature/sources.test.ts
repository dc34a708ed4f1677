import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ErrorCode, type Logger } from "@openfeature/server-sdk"
import { afterAll, describe, expect, test } from "vitest"
import { FlagstoneProvider } from "../../../sdk/openfeature/provider.ts"
import { evaluatedFlags, flagOf } from "../../proxy/ofrep/evaluated-flags.ts"
import { createFlagged } from "./flagged.ts"
import { answer, unreachable } from "./test-world.ts"

const folder = mkdtempSync(join(tmpdir(), "flagstone-provider-"))
afterAll(() => rmSync(folder, { recursive: true }))

function createLogger(): Logger & { readonly warnings: unknown[] } {
  const warnings: unknown[] = []
  const silent = () => undefined
  return { warnings, error: silent, warn: (text) => warnings.push(text), info: silent, debug: silent }
}

describe("a cache file", () => {
  test("gives a start without a network the last flags, which are stale until there are new ones", async () => {
    const alone = mkdtempSync(join(folder, "alone-"))
    const cacheFile = join(alone, "last.json")
    const first = await createFlagged({ cacheFile })
    await first.start() // from then on, the process may exit at any time
    expect(JSON.parse(readFileSync(cacheFile, "utf8")).flags.length).toBe(evaluatedFlags.length)
    expect(statSync(cacheFile).mode & 0o777).toBe(0o600)
    expect(readdirSync(alone)).toEqual(["last.json"]) // nothing is left beside it

    const { start, status, world, events, client, proxy, publish, provider } = await createFlagged({
      cacheFile,
    })
    await publish(evaluatedFlags.filter(({ flag }) => flag.key !== "count"))
    world.respond = unreachable
    await start()
    expect(await client.getStringValue("theme", "")).toBe("grün")
    await world.pass(0)
    expect([status(), ...events]).toEqual(["STALE", "READY", "STALE"])
    world.respond = proxy
    await world.pass(60_000)
    expect([status(), ...events]).toEqual([
      ...["READY", "READY", "STALE"],
      ...["CONFIGURATION_CHANGED count", "READY"],
    ])
    await provider.onClose()
    expect(JSON.parse(readFileSync(cacheFile, "utf8")).flags.length).toBe(evaluatedFlags.length - 1)
  })

  test("is not littered by a process that was killed while it wrote", async () => {
    const littered = mkdtempSync(join(folder, "littered-"))
    const cacheFile = join(littered, "last.json")
    const aMinuteAgo = Date.now() / 1000 - 61
    const others = ["last.json.bak", "last.json.partial", "other.json.x1.partial"]
    for (const name of ["last.json.x1.partial", ...others]) {
      writeFileSync(join(littered, name), "{")
      utimesSync(join(littered, name), aMinuteAgo, aMinuteAgo)
    }
    writeFileSync(join(littered, "last.json.x2.partial"), "{") // may belong to another process that is still working
    const folders = ["last.json.a.partial", "last.json.z.partial"] // cannot be removed like a file
    for (const name of folders) {
      mkdirSync(join(littered, name))
      utimesSync(join(littered, name), aMinuteAgo, aMinuteAgo)
    }
    const { start, provider } = await createFlagged({ cacheFile })
    await start()
    await provider.onClose()
    expect(readdirSync(littered).sort()).toEqual(
      ["last.json", "last.json.x2.partial", ...folders, ...others].sort(),
    )
  })

  test("keeps a refused key from being fatal", async () => {
    const cacheFile = join(folder, "refused.json")
    const first = await createFlagged({ cacheFile })
    await first.start()
    await first.provider.onClose()
    const { start, status, world, client } = await createFlagged({ cacheFile })
    world.respond = answer(401)
    await start()
    await world.pass(0)
    expect(status()).toBe("STALE")
    expect(await client.getBooleanValue("static", false)).toBe(true)
  })

  test("that is read slowly does not replace what the server has sent meanwhile", async () => {
    const cacheFile = join(folder, "slow.json")
    const many = Array.from({ length: 100 }, (_, number) => flagOf(`old-${number + 100}`, "boolean", false))
    const first = await createFlagged({ cacheFile }, { flags: many })
    await first.start()
    await first.provider.onClose()

    const { start, status, world, proxy, client } = await createFlagged({ cacheFile })
    world.respond = unreachable
    const { breathe } = world
    const wait = Promise.withResolvers<void>()
    const compiling = new Promise<void>((resolve) => {
      world.breathe = () => {
        resolve()
        return wait.promise
      }
    })
    const started = start()
    await compiling
    world.breathe = breathe
    world.respond = proxy
    await world.pass(1_000)
    wait.resolve()
    await started
    await world.pass(0)
    expect(status()).toBe("READY")
    expect(await client.getBooleanValue("static", false)).toBe(true)
  })

  const nested = flagOf("nested", "json", JSON.parse(`${"[".repeat(2_000)}${"]".repeat(2_000)}`))
  test.each([
    ["is broken", '{"flags":[', "it is not JSON"],
    ["has a value that is nested too deep", JSON.stringify({ flags: [nested] }), "a value is nested"],
  ])("that %s counts as missing, and the log says why", async (_, text, reason) => {
    const cacheFile = join(folder, "broken.json")
    writeFileSync(cacheFile, text)
    const { start, status, world, proxy, provider } = await createFlagged({ cacheFile })
    world.respond = unreachable
    await start()
    expect(status()).toBe("ERROR")
    const logger = createLogger()
    const evaluation = provider.resolveBooleanEvaluation("static", false, {}, logger)
    await expect(evaluation).rejects.toThrow("no flags yet")
    expect(logger.warnings).toEqual([
      expect.stringContaining(`the cache file ${cacheFile} cannot be used: ${reason}`),
      expect.stringContaining("there are no flags"),
    ])
    world.respond = proxy
    await world.pass(1_000)
    expect(status()).toBe("READY")
    await provider.onClose()
  })

  test("that cannot be written is reported once, and what was there stays", async () => {
    const cacheFile = join(folder, "a-folder")
    mkdirSync(join(cacheFile, "with-something"), { recursive: true })
    const { start, provider } = await createFlagged({ cacheFile })
    await start()
    await provider.onClose()
    const logger = createLogger()
    await provider.resolveBooleanEvaluation("static", false, {}, logger)
    await provider.resolveBooleanEvaluation("static", false, {}, logger)
    expect(logger.warnings).toEqual([expect.stringContaining("the flags cannot be saved for the next start")])
    expect(readdirSync(folder).filter((name) => name.startsWith("a-folder"))).toEqual(["a-folder"])
  })
})

describe("a document beside a url", () => {
  const document = { flags: { theme: "given" } }

  test("has the flags, which are stale until there are new ones", async () => {
    const { start, status, world, events, client, proxy } = await createFlagged({ document })
    world.respond = answer(401)
    await start()
    await world.pass(0)
    expect([status(), ...events]).toEqual(["STALE", "READY", "STALE"])
    expect(await client.getStringValue("theme", "")).toBe("given")
    world.respond = proxy
    await world.pass(400_000)
    expect(status()).toBe("READY")
    expect(await client.getStringValue("theme", "")).toBe("grün")
  })

  test("matters neither to a server's flags nor to a cache's", async () => {
    const cacheFile = join(folder, "beside.json")
    for (const respond of [undefined, unreachable]) {
      const { start, world, client, provider } = await createFlagged({ document, cacheFile })
      world.respond = respond ?? world.respond
      await start()
      expect(await client.getStringValue("theme", "")).toBe("grün")
      await provider.onClose()
    }
  })

  test("is fatal if it is none", async () => {
    const { start, status } = await createFlagged({ document: { flags: [{}] } as never })
    await start()
    expect(status()).toBe("FATAL")
  })
})

describe("without a server", () => {
  const document = { flags: [...evaluatedFlags] }

  test("flags are a file's", async () => {
    const file = join(folder, "production.json")
    writeFileSync(file, JSON.stringify(document))
    const provider = new FlagstoneProvider({ file })
    await provider.initialize()
    expect(await provider.resolveStringEvaluation("theme", "", {}, createLogger())).toMatchObject({
      value: "grün",
    })
    await provider.onClose()
  })

  test("flags are a document's, which stays the caller's", async () => {
    const provider = new FlagstoneProvider({ document: structuredClone(document) })
    await provider.initialize()
    expect(await provider.resolveNumberEvaluation("count", 0, { plan: "pro" }, createLogger())).toMatchObject(
      { value: 10 },
    )
    expect(Object.isFrozen(document.flags[3]?.flag.defaultValue)).toBe(false)
  })

  test("flags are values, one for everyone, which stay the caller's", async () => {
    const flags = {
      theme: "blue",
      count: 2,
      layout: { columns: [1] },
      "delivery-slots": true,
      gone: undefined,
    }
    const provider = new FlagstoneProvider({ document: { flags } })
    await provider.initialize()
    const logger = createLogger()
    const resolutions = [
      await provider.resolveBooleanEvaluation("delivery-slots", false, { plan: "pro" }, logger),
      await provider.resolveStringEvaluation("theme", "", {}, logger),
      await provider.resolveNumberEvaluation("count", 0, {}, logger),
      await provider.resolveObjectEvaluation("layout", {}, {}, logger),
    ]
    expect(resolutions.map(({ value }) => value)).toEqual([true, "blue", 2, { columns: [1] }])
    expect(await provider.resolveBooleanEvaluation("gone", true, {}, logger)).toMatchObject({
      value: true,
      errorCode: ErrorCode.FLAG_NOT_FOUND,
    })
    expect(Object.isFrozen(flags.layout)).toBe(false)
  })

  test.each([
    ["a missing file", { file: join(folder, "missing.json") }, "ENOENT"],
    ["an invalid document", { document: { flags: [{}] } as never }, "flags[0] is not a flag entry"],
    [
      "a value that JSON has not",
      { document: { flags: { now: () => 1 } } as never },
      "the value of now is a function: give JSON, such as true or 5",
    ],
    ["a bigint", { document: { flags: { big: 5n } } as never }, "the value of big is a bigint: give JSON"],
    ["a map", { document: { flags: new Map([["b", true]]) } as never }, "flags must be an object of values"],
  ])("%s is fatal", async (_, options, reason) => {
    const failure = await new FlagstoneProvider(options).initialize().catch((error) => error)
    expect(failure).toMatchObject({
      code: ErrorCode.PROVIDER_FATAL,
      message: expect.stringContaining(reason),
    })
  })
})
