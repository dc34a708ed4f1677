import { hash } from "node:crypto"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { createShares } from "../../../sdk/evaluation/share.ts"
import { anyText } from "../../any-text.ts"

const expected = (text: string) => Number.parseInt(hash("sha256", Buffer.from(text)).slice(0, 8), 16)

test("agrees with node:crypto at every length around two blocks", () => {
  const share = createShares()("flag")
  for (let length = 0; length <= 200; length++) {
    const text = "a".repeat(length)
    expect(share(text), `${length} bytes`).toBe(expected(`flag:${text}`))
  }
})

test("agrees with node:crypto on any string, well-formed or not", () => {
  fc.assert(
    fc.property(anyText(), anyText({ maxLength: 300 }), (key, text) => {
      expect(createShares()(key)(text)).toBe(expected(`${key}:${text}`))
    }),
  )
})
