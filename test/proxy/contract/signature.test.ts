// @module-tag system
import { execFileSync } from "node:child_process"
import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createSigningKeys } from "../../../cli/keys/create-signing-keys.ts"
import {
  formatPublicKey,
  isSigned,
  parsePrivateKey,
  parsePublicKey,
  signBytes,
} from "../../../proxy/contract/signature.ts"
import { anyText } from "../../any-text.ts"

const keys = createSigningKeys()
const privateKey = unwrap(parsePrivateKey(keys.privateKey))
const publicKey = unwrap(parsePublicKey(keys.publicKey))

function unwrap<T>(parsed: { readonly kind: "valid"; readonly value: T } | { readonly kind: "invalid" }): T {
  if (parsed.kind === "invalid") throw new Error("invalid")
  return parsed.value
}

test("a signature is valid for the exact bytes and nothing else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.nat(), (bytes, at) => {
      const line = signBytes(bytes, privateKey)
      expect(isSigned(bytes, line, publicKey)).toBe(true)
      const other = Uint8Array.from(bytes)
      other[at % other.length] = (other[at % other.length] ?? 0) ^ 1
      expect(isSigned(other, line, publicKey)).toBe(false)
    }),
  )
})

test("any string may be a signature file, and none is valid", () => {
  const bytes = Buffer.from("{}")
  fc.assert(fc.property(anyText(), (text) => !isSigned(bytes, text, publicKey)))
  expect(isSigned(bytes, "", publicKey)).toBe(false)
})

test("one valid line among the first is enough, whoever wrote the others", () => {
  const bytes = Buffer.from("{}")
  const line = signBytes(bytes, privateKey)
  const foreign = signBytes(bytes, unwrap(parsePrivateKey(createSigningKeys().privateKey)))
  expect(isSigned(bytes, foreign + line, publicKey)).toBe(true)
  expect(isSigned(bytes, foreign, publicKey)).toBe(false)
  expect(isSigned(bytes, foreign.repeat(4) + line, publicKey)).toBe(false)
})

test("OpenSSL reads the keys and accepts the signature", () => {
  const cwd = mkdtempSync(join(tmpdir(), "flagstone-"))
  const bytes = Buffer.from('{"formatVersion": 1}\n')
  writeFileSync(join(cwd, "manifest.json"), bytes)
  writeFileSync(join(cwd, "signature"), Buffer.from(signBytes(bytes, privateKey), "base64"))
  writeFileSync(
    join(cwd, "key.pem"),
    `-----BEGIN PUBLIC KEY-----\n${keys.publicKey}\n-----END PUBLIC KEY-----\n`,
  )
  const args = [
    "pkeyutl",
    "-verify",
    "-rawin",
    "-in",
    "manifest.json",
    "-sigfile",
    "signature",
    "-pubin",
    "-inkey",
    "key.pem",
  ]
  expect(execFileSync("openssl", args, { cwd, encoding: "utf8" })).toContain(
    "Signature Verified Successfully",
  )
})

test("a private key gives its public key", () => {
  expect(formatPublicKey(privateKey)).toBe(keys.publicKey)
  expect(formatPublicKey(publicKey)).toBe(keys.publicKey)
})

describe("an invalid key", () => {
  const rsa = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "der" },
    publicKeyEncoding: { type: "spki", format: "der" },
  })
  test.each([
    ["nothing", ""],
    ["a text", "not a key"],
    ["half of one", keys.privateKey.slice(0, 40)],
    ["the private half of a different kind", rsa.privateKey.toString("base64")],
    ["the public half of a different kind", rsa.publicKey.toString("base64")],
  ])("%s", (_, text) => {
    for (const parsed of [parsePrivateKey(text), parsePublicKey(text)])
      expect(parsed).toEqual({ kind: "invalid", reason: expect.stringContaining("flagstone keys signing") })
  })
  test("the wrong half", () => {
    expect(parsePrivateKey(keys.publicKey).kind).toBe("invalid")
    expect(parsePublicKey(keys.privateKey).kind).toBe("invalid")
  })
})
