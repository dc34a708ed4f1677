import type { Definition } from "../compile/definition/definition.ts"
import { canonicalJson } from "../compile/meaning/canonical-json.ts"
import { jsonOf } from "../compile/meaning/rule-meaning.ts"
import { list } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"

/** The value of `--keep` as JSON; a string needs no quotes. Throws `Failure` for a value that the flag never gives. */
export function valueToKeep(
  written: string | undefined,
  { key, defaultValue, configurations }: Definition,
): string {
  const returned = configurations.flatMap(({ rules }) => rules.map(({ returnValue }) => returnValue))
  const values = new Set([defaultValue, ...returned].map((value) => canonicalJson(jsonOf(value))))
  if (written === undefined)
    throw new Failure(
      `${key} gives more than one value: choose one with --keep. It gives ${list([...values])}.`,
    )
  const meant = [parsed(written), JSON.stringify(written)].find((text) => values.has(text))
  if (meant === undefined)
    throw new Failure(`--keep ${written}: ${key} never gives this value. It gives ${list([...values])}.`)
  return meant
}

/** `""` for text that is not JSON. */
function parsed(text: string): string {
  try {
    return canonicalJson(JSON.parse(text))
  } catch {
    return ""
  }
}
