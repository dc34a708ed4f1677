import { createRequire } from "node:module"

/** RE2, the engine of the evaluator. Loading it takes as long as checking a thousand files. */
export function loadEngine(): typeof import("re2js") {
  engine ??= createRequire(import.meta.url)("re2js") as typeof import("re2js")
  return engine
}

let engine: typeof import("re2js") | undefined
