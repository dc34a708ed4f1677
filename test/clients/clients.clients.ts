import { execFile, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, describe, expect, test } from "vitest"
import { deliverySlots, readProgramOverHttp } from "../docs/openfeature-programs.ts"
import { buildFiles, createKeySource, createMapSource, mintKey } from "../proxy/fixtures.ts"
import { evaluatedFlags, flagOf } from "../proxy/ofrep/evaluated-flags.ts"
import { startTestProxy } from "../proxy/start-proxy.ts"
import { askAll, type Client, clients, fallbacks, missingTools, type Question } from "./client.ts"

const flags = [
  deliverySlots,
  ...evaluatedFlags,
  flagOf("list", "json", [1, 2]),
  flagOf("team/theme", "string", "gold"),
].sort((one, other) => (one.flag.key < other.flag.key ? -1 : 1))
const roomy = mintKey({ id: "roomy", rateLimit: { capacity: 1000, refillPerSecond: 100 } })
const narrow = clients.map(({ language }) =>
  mintKey({ id: language.toLowerCase(), rateLimit: { capacity: 1, refillPerSecond: 0.01 } }),
)
const { proxy, lines } = await startTestProxy({
  evaluateBucket: { capacity: 1000, refillPerSecond: 100 },
  logsRequests: true,
  snapshots: [createMapSource(buildFiles({ production: flags }))],
  keys: createKeySource([roomy, ...narrow].map(({ record }) => record)),
})

/** A question, and what an application must get; an error code if it must get its own value. */
type Case = readonly [
  name: string,
  ...question: Question,
  expected: { value: unknown } | { errorCode: string },
]

const cases: readonly Case[] = [
  ["a boolean", "boolean", "static", "free", { value: true }],
  ["a text", "text", "theme", "free", { value: "grün" }],
  ["a text of a rule", "text", "theme", "pro", { value: "gold" }],
  ["a whole number", "integer", "count", "pro", { value: 10 }],
  ["a number", "float", "ratio", "pro", { value: 1.5 }],
  ["a number that is whole now", "float", "ratio", "free", { value: 1 }],
  ["an object", "object", "layout", "pro", { value: { columns: 3, ratio: 1 } }],
  ["a share", "boolean", "share", "free", { value: true }],
  ["a disabled flag", "boolean", "disabled", "pro", { value: false }],
  ["a flag that is not configured", "text", "unconfigured", "pro", { value: "blue" }],
  ["a missing flag", "boolean", "missing", "pro", { errorCode: "FLAG_NOT_FOUND" }],
  ["a missing flag with a slash", "boolean", "team/missing", "pro", { errorCode: "FLAG_NOT_FOUND" }],
  ["a text as a boolean", "boolean", "theme", "pro", { errorCode: "TYPE_MISMATCH" }],
  ["a boolean as a text", "text", "static", "pro", { errorCode: "TYPE_MISMATCH" }],
  ["a slash in a key", "text", "team/theme", "pro", { value: "gold" }],
  ["an operator of the project's own", "boolean", "unknown-operator", "pro", { errorCode: "GENERAL" }],
  // What only some can: docs/openfeature.md says which.
  ["a whole number as a float", "float", "count", "pro", { value: 10 }],
  ["a number that is whole now as an integer", "integer", "ratio", "free", { value: 1 }],
  ["a number as an integer", "integer", "ratio", "pro", { errorCode: "TYPE_MISMATCH" }],
  ["a list as an object", "object", "list", "pro", { value: [1, 2] }],
]

/** What a client does differently, by the name of the case. */
const otherwise: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  Java: {
    "a whole number as a float": { errorCode: "TYPE_MISMATCH" },
    "a number that is whole now as an integer": { errorCode: "TYPE_MISMATCH" },
    "an operator of the project's own": { errorCode: "INVALID_CONTEXT" },
  },
  Rust: {
    ...Object.fromEntries(
      [
        "a text as a boolean",
        "a boolean as a text",
        "a number as an integer",
        "a number that is whole now as an integer",
        "a list as an object",
      ].map((name) => [name, { errorCode: "PARSE_ERROR" }]),
    ),
    "an operator of the project's own": { errorCode: "INVALID_CONTEXT" },
  },
  Python: {
    "a whole number as a float": { errorCode: "TYPE_MISMATCH" },
    "a number that is whole now as an integer": { errorCode: "TYPE_MISMATCH" },
  },
}

describe.each(clients.map((client, index) => [client.language, client, index] as const))("%s", (...args) => {
  const [language, client, index] = args as [string, Client, number]
  const missing = missingTools(client)
  if (missing.length > 0)
    console.warn(
      `SKIPPED: OpenFeature's client in ${language}, because ${missing.join(" and ")} is not installed`,
    )

  describe.skipIf(missing.length > 0)("reads", () => {
    let command: readonly string[] = []
    beforeAll(() => {
      command = client.build()
    })

    test("flags as it must", async () => {
      const questions = cases.map(([, ...rest]) => rest.slice(0, 3) as unknown as Question)
      const said = await askAll(command, proxy.url, roomy.secret, questions)
      const got = cases.map(([name, accessor], at) => [name, told(said[at], fallbacks[accessor])])
      const wanted = cases.map(([name, , , , expected]) => [name, otherwise[language]?.[name] ?? expected])
      expect(Object.fromEntries(got)).toEqual(Object.fromEntries(wanted))
    })

    const { runFile } = client
    if (runFile !== undefined)
      test("what the program to which docs/openfeature.md links asks for", async () => {
        const extension = { Python: "py", Go: "go", Java: "java" }[language]
        const file = join(mkdtempSync(join(tmpdir(), "flagstone-client-")), `Shop.${extension}`)
        writeFileSync(file, readProgramOverHttp(language, proxy.url))
        const { command, folder } = runFile(file)
        const [program = "", ...args] = command
        const env = { ...process.env, FLAGSTONE_API_KEY: roomy.secret }
        const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env })
        expect(stdout).toBe("true\n")
        rmSync(dirname(file), { recursive: true })
      })

    test("its own values without a key", async () => {
      const [said] = await askAll(command, proxy.url, "", [["boolean", "static", "pro"]])
      expect(said).toEqual({ value: false, errorCode: "GENERAL" })
    })

    test("and waits when told to, as far as it can", async () => {
      const secret = narrow[index]?.secret ?? ""
      const questions = Array.from({ length: 4 }, (): Question => ["boolean", "static", "pro"])
      const said = await askAll(command, proxy.url, secret, questions)
      expect(said.map(({ value }) => value)).toEqual([true, false, false, false])
      const asked = lines.filter(({ key }) => key === language.toLowerCase()).map(({ status }) => status)
      expect(asked).toEqual(pauses.includes(language) ? [200, 429] : [200, 429, 429, 429])
    })
  })
})

const hasPhp = spawnSync("php", ["--version"]).error === undefined
if (!hasPhp) console.warn("SKIPPED: the program in PHP, because php is not installed")

test.skipIf(!hasPhp)("PHP asks without a client, and has its own value without an answer", async () => {
  const program = readProgramOverHttp("PHP", proxy.url).replace("<?php", "")
  const run = async (key: string) => {
    const env = { ...process.env, FLAGSTONE_API_KEY: key }
    return (await promisify(execFile)("php", ["-r", program], { env })).stdout
  }
  expect([await run(roomy.secret), await run("")]).toEqual(["true\n", "false\n"])
})

/** Clients that wait as long as the server says. */
const pauses = ["Python", "Java", "Rust"]

/** The error code, if the application got its own value with it; otherwise the value. */
function told(
  said: { value: unknown; errorCode: string | undefined } | undefined,
  fallback: unknown,
): object {
  if (said?.errorCode === undefined) return { value: said?.value }
  expect(said.value).toEqual(fallback)
  return { errorCode: said.errorCode }
}
