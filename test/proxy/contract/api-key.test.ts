// @module-tag property
import { createHash, randomBytes } from "node:crypto"
import { crc32 } from "node:zlib"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createApiKey } from "../../../cli/keys/create-api-key.ts"
import { parseApiKey } from "../../../proxy/contract/api-key.ts"
import { anyText } from "../../any-text.ts"
import { runs } from "../../runs.ts"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const secret = createApiKey(randomBytes)

/** 32 bytes, as the random source may give them. */
const random32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

describe("createApiKey", () => {
  test("writes the random bytes as one big-endian number in base62", () => {
    expect(createApiKey(() => new Uint8Array(32))).toBe(
      `fsk_${"0".repeat(43)}${checksum(`fsk_${"0".repeat(43)}`)}`,
    )
    const one = new Uint8Array(32)
    one[31] = 63
    expect(createApiKey(() => one).slice(0, 47)).toBe(`fsk_${"0".repeat(41)}11`)
    const most = createApiKey(() => new Uint8Array(32).fill(255)).slice(4, 47)
    const number = [...most].reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n)
    expect(number).toBe(2n ** 256n - 1n)
  })

  test("asks for 256 bits", () => {
    const sizes: number[] = []
    createApiKey((size) => {
      sizes.push(size)
      return randomBytes(size)
    })
    expect(sizes).toEqual([32])
  })

  test.each([0, 31, 33])("makes no key of %d bytes", (size) => {
    expect(() => createApiKey(() => new Uint8Array(size))).toThrow("An API key needs 32 random bytes")
  })

  test("has 53 characters, the last six a CRC-32, and parses", () => {
    fc.assert(
      fc.property(random32, (bytes) => {
        const made = createApiKey(() => bytes)
        expect(made).toMatch(/^fsk_[0-9A-Za-z]{49}$/)
        expect(made.slice(47)).toBe(checksum(made.slice(0, 47)))
        expect(parseApiKey(made)).toEqual({ digest: createHash("sha256").update(made).digest("hex") })
      }),
    )
  })
})

describe("parseApiKey", () => {
  test.each([
    ["nothing", ""],
    ["a different prefix", `gsk_${secret.slice(4)}`],
    ["one character less", secret.slice(0, -1)],
    ["one character more", `${secret}0`],
    ["a newline after", `${secret}\n`],
    ["a lone surrogate", `${secret.slice(0, 20)}\ud800${secret.slice(21)}`],
    ["10 KB", `fsk_${"a".repeat(10_240)}`],
  ])("refuses %s", (_what, text) => {
    expect(parseApiKey(text)).toBeUndefined()
  })

  test.each([
    ["prefix", `gsk_${"a".repeat(43)}`],
    ["alphabet", `fsk_${"-".repeat(43)}`],
    ["alphabet", `fsk_${"a".repeat(42)}[`],
    ["alphabet", `fsk_${"a".repeat(42)}{`],
    ["alphabet", `fsk_${"a".repeat(42)}:`],
    ["length", `fsk_${"a".repeat(42)}`],
    ["length", `fsk_${"a".repeat(44)}`],
  ])("refuses a wrong %s whose checksum is right: %s", (_, checked) => {
    expect(parseApiKey(checked + checksum(checked))).toBeUndefined()
  })

  test("refuses a key with any one character changed", () => {
    const change = fc.record({
      at: fc.nat(52),
      to: fc.oneof(fc.constantFrom(...alphabet), anyText({ minLength: 1, maxLength: 1 })),
    })
    fc.assert(
      fc.property(random32, change, (bytes, { at, to }) => {
        const made = createApiKey(() => bytes)
        fc.pre(made[at] !== to)
        expect(parseApiKey(made.slice(0, at) + to + made.slice(at + 1))).toBeUndefined()
      }),
      { numRuns: runs(250) },
    )
  })

  test("refuses random strings, even of the right length and alphabet", () => {
    const shaped = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 49, maxLength: 49 })
    const texts = fc.oneof(
      anyText(),
      shaped.map((text) => `fsk_${text}`),
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(parseApiKey(text)).toBeUndefined()
      }),
      { numRuns: runs(1000) },
    )
  })
})

function checksum(checked: string): string {
  let digits = ""
  for (let rest = crc32(checked); rest > 0; rest = Math.floor(rest / 62))
    digits = `${alphabet[rest % 62]}${digits}`
  return digits.padStart(6, "0")
}
