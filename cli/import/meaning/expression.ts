import { loadEngine } from "../../compile/grammar/expression-engine.ts"

const compiled = new Map<string, ((text: string) => boolean) | undefined>()

/** An expression of RE2, found anywhere in a text; `undefined` where RE2 cannot read it. */
export function expression(source: string): ((text: string) => boolean) | undefined {
  if (!compiled.has(source)) compiled.set(source, compile(source))
  return compiled.get(source)
}

function compile(source: string): ((text: string) => boolean) | undefined {
  try {
    const expression = loadEngine().RE2JS.compile(source)
    return (text) => expression.test(text)
  } catch {
    return undefined // the engine's way to say that it cannot read it
  }
}
