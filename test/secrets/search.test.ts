import { randomBytes } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, onTestFinished, test } from "vitest"
import { createApiKey } from "../../cli/keys/create-api-key.ts"
import { createSigningKeys } from "../../cli/keys/create-signing-keys.ts"
import type { Entry } from "./record.ts"
import { findLeaks, readEntries } from "./search.ts"

const secret = createApiKey(randomBytes)
const { privateKey, publicKey } = createSigningKeys()
const made: readonly Entry[] = [secret, privateKey].map((text) => ({
  kind: "secret",
  test: "a.test.ts",
  text,
}))

const said = (text: string, where = "stderr"): Entry => ({ kind: "said", test: "b.test.ts", where, text })

const toHex = (text: string) => Buffer.from(text).toString("hex")
const percent = (text: string) => [...text].map((letter) => `%${toHex(letter)}`).join("")
const encodings: Readonly<Record<string, (text: string) => string>> = {
  openly: (text) => text,
  "percent-encoded": percent,
  "in base64": (text) => Buffer.from(text).toString("base64"),
  "in hexadecimal": toHex,
}

describe.each(Object.entries(encodings))("%s", (form, encode) => {
  test.each([
    ["an API key", secret],
    ["its random part", secret.slice(4, 47)],
    ["32 characters of it", secret.slice(9, 41)],
    ["a private half", privateKey],
  ])("finds %s in the middle of anything", (_, text) => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const [leak = "", ...more] = findLeaks([
          said(`one\n"${encode(`${before}:${text}:${after}`)}"\n`),
          ...made,
        ])
        expect(leak).toMatch(
          /^b\.test\.ts: stderr, line \d+, says \S.* the secret sha256:[0-9a-f]{12}… of a\.test\.ts$/,
        )
        if (!before.includes("\n")) expect(leak).toMatch(`line 2, says ${form} the secret`)
        expect(more).toEqual([])
      }),
    )
  })
})

test.each([
  ["base64 of a user and a password", `Basic ${Buffer.from(`ann:${secret}`).toString("base64url")}`],
  ["base64 in a query", encodeURIComponent(Buffer.from(`${secret}?>`).toString("base64"))],
  ["in pieces of one output", secret.slice(0, 20), secret.slice(20)],
])("finds it as %s, and does not show it", (_, ...pieces) => {
  const leaks = findLeaks([...made, ...pieces.map((piece) => said(piece)), said("\nmore")])
  expect(leaks).toHaveLength(1)
  expect(leaks.join()).not.toContain(secret.slice(4, 20))
})

test("finds a key that no one recorded", () => {
  expect(findLeaks([said(`key ${createApiKey(() => new Uint8Array(32).fill(7))}`)])).toEqual([
    expect.stringMatching(/^b\.test\.ts: stderr, line 1, says openly the API key sha256:/),
  ])
})

test("finds nothing if there is nothing", () => {
  const harmless = [
    publicKey,
    secret.slice(4, 35),
    `${secret.slice(0, 30)} ${secret.slice(30)}`,
    `fsk_${"0".repeat(49)}`,
    randomBytes(3_000).toString("base64"),
    randomBytes(3_000).toString("hex"),
    "%zz%4",
  ]
  expect(findLeaks([...made, ...harmless.map((text) => said(`${text}\n`))])).toEqual([])
  expect(findLeaks([...made, said(secret.slice(0, 25), "one"), said(secret.slice(25), "other")])).toEqual([])
})

test("reads what all processes recorded, including one that was killed while writing", () => {
  const folder = mkdtempSync(join(tmpdir(), "flagstone-secrets-"))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [index, entry] of [...made, said(`${secret}\n`)].entries())
    writeFileSync(join(folder, `${index}.jsonl`), `${JSON.stringify(entry)}\n`)
  writeFileSync(join(folder, "killed.jsonl"), `${JSON.stringify(said("whole"))}\n{"kind":"said","test":"b.te`)
  writeFileSync(join(folder, "killed-at-once.jsonl"), "")
  expect(findLeaks(readEntries(folder))).toHaveLength(1)
})
