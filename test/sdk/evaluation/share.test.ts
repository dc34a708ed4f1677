import { hash } from "node:crypto"
import * as fc from "fast-check"
import { expect, onTestFinished, test, vi } from "vitest"
import { createEvaluator } from "../../../sdk/evaluation/evaluator.ts"
import { createShares } from "../../../sdk/evaluation/share.ts"
import { anyText } from "../../any-text.ts"
import { flagOf, rule } from "../../proxy/ofrep/evaluated-flags.ts"

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

test.each([[8], [300], [20_000]])(
  "a split deals a text of %i characters by one hash, however many shares it has",
  async (length) => {
    const shares = Array.from({ length: 20 }, (_, at) => {
      const range = { seed: "f", from: at * 5, to: at * 5 + 5 }
      return rule("share", "customerId", JSON.stringify(range), `v${at}`)
    })
    const evaluator = await createEvaluator({ flags: [flagOf("f", "string", "none", shares)] })
    // Each hash begins with the bytes of its string.
    const encodeInto = vi.spyOn(TextEncoder.prototype, "encodeInto")
    onTestFinished(() => encodeInto.mockRestore())
    const customerId = "x".repeat(length)
    const values = [1, 2].map(() => evaluator.evaluate("f", { customerId }))
    expect(values).toEqual([expect.objectContaining({ cause: "share" }), values[0]])
    expect(encodeInto).toHaveBeenCalledOnce()
  },
)
