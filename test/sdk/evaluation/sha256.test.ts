import { hash } from "node:crypto"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { sha256Head } from "../../../sdk/evaluation/sha256.ts"

const expected = (text: string) => Number.parseInt(hash("sha256", Buffer.from(text)).slice(0, 8), 16)

test("agrees with node:crypto at every length around two blocks", () => {
  for (let length = 0; length <= 200; length++) {
    const text = "a".repeat(length)
    expect(sha256Head("", text), `${length} bytes`).toBe(expected(text))
    expect(sha256Head("flag:", text), `${length} bytes`).toBe(expected(`flag:${text}`))
  }
})

test("agrees with node:crypto on any text, well-formed or not", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "binary", maxLength: 300 }),
      (prefix, text) => {
        expect(sha256Head(`${prefix}:`, text)).toBe(expected(`${prefix}:${text}`))
      },
    ),
  )
})

// V8's Maglev (Node 24) read the other half in the text that a slice was cut from.
test("half a pair at the end of a slice is half a pair, often asked", () => {
  const long = "é😀a\ud800".repeat(200)
  for (let round = 0; round < 20; round++)
    for (let length = 2; length < 900; length += 5) {
      const text = long.slice(0, length)
      if (sha256Head("", text) !== expected(text)) expect.fail(`${length} characters in round ${round}`)
    }
})
