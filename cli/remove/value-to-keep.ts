import { list } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import { canonicalJson } from "../language/canonical-json.ts"
import type { Flag } from "../language/flag.ts"
import type { Keep } from "../stale/keep.ts"

/**
 * The value of `--keep` as canonical JSON; a string needs no quotes. Without `--keep`, the value that is found. Throws
 * `Failure` if none is found, and for a value that the flag never gives.
 */
export function valueToKeep(
  written: string | undefined,
  found: Keep<string>,
  { key, defaultValue, configurations }: Flag,
): string {
  if (written === undefined && found.kind === "value") return found.value
  const returned = [...configurations.values()].flatMap(({ rules }) => rules.map(({ gives }) => gives))
  const values = new Set([defaultValue, ...returned].map((value) => canonicalJson(value)))
  if (written === undefined) {
    const why =
      found.kind === "waiting"
        ? `${key} is waiting: it is disabled or not configured in ${list(found.environments)}, where everyone gets the default, ${list([canonicalJson(defaultValue)])}. Choose the value to keep with --keep.`
        : `${key} gives more than one value: choose one with --keep.`
    throw new Failure(`${why} It gives ${list([...values])}.`)
  }
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
