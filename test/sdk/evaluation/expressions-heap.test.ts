// @module-tag system
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { expect, test } from "vitest"

const numbers = Array.from({ length: 40 }, (_, at) => `os${at}`).join(" ")

test.for([
  ["a repetition of any characters", "iphone.{0,100}os#", numbers, "iphone,ipXone", "24"],
  ["a long repetition of a class", "a[ab]{950}[c#]", "c", "a,b", "8"],
  ["classes of a thousand ranges", "\\p{L}.{0,10}\\p{Lu}[#x]\\d", "", "a,b,c,A,B,C, ,ä,ö,ü,Ä,Ж,ж", "24"],
])("texts do not fill a heap of 256 MB with more than 64 MiB of states: %s", ([, ...args]) => {
  const script = join(import.meta.dirname, "expressions-heap.ts")
  const options = ["--expose-gc", "--max-semi-space-size=4", "--max-old-space-size=256"]
  const out = execFileSync(process.execPath, [...options, script, ...args], {
    encoding: "utf8",
  })
  const grown = Number(out) / 1024 / 1024
  expect(grown).toBeGreaterThan(48) // the budget was used up
  expect(grown).toBeLessThan(64)
})
