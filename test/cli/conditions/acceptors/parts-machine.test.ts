import fc from "fast-check"
import { expect, test } from "vitest"
import { partsMachine } from "../../../../cli/conditions/acceptors/parts-machine.ts"
import { prefixMachine } from "../../../../cli/conditions/acceptors/prefix-machine.ts"
import { verdictOf } from "./reading.ts"

const text = (maxLength: number) => fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength })
const part = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 3 })
const parts = fc.array(part, { maxLength: 3 })

test("texts with wanted parts and without unwanted ones are accepted", () => {
  const asked = fc.record({ contained: parts, suffix: text(3), neverContained: parts, neverLast: parts })
  fc.assert(
    fc.property(asked, fc.array(text(9), { minLength: 20, maxLength: 20 }), (all, texts) => {
      const machine = partsMachine(all)
      for (const one of [...texts, all.contained.join("") + all.suffix]) {
        const expected =
          all.contained.every((own) => one.includes(own)) &&
          one.endsWith(all.suffix) &&
          !all.neverContained.some((own) => one.includes(own)) &&
          !all.neverLast.some((own) => one.endsWith(own))
        expect([one, verdictOf(machine, one)]).toEqual([one, expected])
      }
    }),
    { numRuns: 2_000 },
  )
})

test("texts with the wanted beginning and without unwanted ones are accepted", () => {
  fc.assert(
    fc.property(text(2), fc.array(part, { maxLength: 4 }), text(6), (prefix, unwanted, rest) => {
      // A beginning of the wanted one excludes everything, which is seen before.
      fc.pre(!unwanted.some((own) => prefix.startsWith(own)))
      const machine = prefixMachine(prefix, unwanted)
      for (const one of [rest, prefix + rest]) {
        const expected = one.startsWith(prefix) && !unwanted.some((own) => one.startsWith(own))
        expect([one, verdictOf(machine, one)]).toEqual([one, expected])
      }
    }),
    { numRuns: 2_000 },
  )
})
