import type { Json } from "../../sdk/contract/snapshot.ts"
import { joinPhrases, listPhrase, type Phrase, phrase, tellApart, valueWords } from "../diagnostics/phrase.ts"
import { sameValue } from "../language/canonical-json.ts"
import { mostCharacters } from "./users.ts"

/** What changes from one value to another: both values, or only what differs inside two objects or lists. */
export function valueStep(before: Json, after: Json): Phrase {
  if (!haveInside(before, after)) return step(valueWords(before), valueWords(after))
  const steps = [...stepsBetween(before, after, "")]
  const shown = steps.slice(0, mostSteps).map(({ path, before: from, after: to }) => {
    if (from === undefined) return phrase`${path} ${valueWords(to ?? null)} added`
    if (to === undefined) return phrase`${path} ${valueWords(from)} removed`
    return phrase`${path} ${step(valueWords(from), valueWords(to))}`
  })
  const more = steps.length - shown.length
  return joinPhrases(more > 0 ? [...shown, phrase`and ${more} more`] : shown, ", ")
}

/** Both texts, such as `red → blue`. */
export function step(before: Phrase, after: Phrase): Phrase {
  return joinPhrases(tellApart(before, after), " → ")
}

/** What users get who got a long value: only what differs inside, such as `limit 12, was 10`; `undefined` for other values. */
export function longValueWords(before: Json | undefined, after: Json, most = mostSteps): Phrase | undefined {
  if (before === undefined || !isLong(before) || !isLong(after) || !haveInside(before, after))
    return undefined
  const steps = [...stepsBetween(before, after, "")]
  const shown = steps.slice(0, most).map(({ path, before: from, after: to }) => {
    const words = from === undefined ? ["none"] : valueWords(from)
    if (to === undefined) return phrase`no ${path}, was ${words}`
    const [was, is] = tellApart(words, valueWords(to))
    return phrase`${path} ${is}, was ${was}`
  })
  const more = steps.length - shown.length
  return joinPhrases(more > 0 ? [...shown, phrase`and ${more} more`] : shown, "; ")
}

/** The new value and the one that it replaces, if there was one. */
export function changeWords(before: Json | undefined, after: Json): Phrase {
  if (before === undefined) return valueWords(after)
  const [had, get] = tellApart(valueWords(before), valueWords(after))
  return phrase`${get} instead of ${had}`
}

/** Whether a value is an object or a list of which a sentence shows only a part. */
function isLong(value: Json): boolean {
  return typeof value === "object" && JSON.stringify(value).length > mostCharacters
}

/** The strings that are added to and removed from a list, in any order. */
export function listStep(before: readonly string[], after: readonly string[]): Phrase {
  const [inBefore, inAfter] = [new Set(before), new Set(after)]
  const added = after.filter((text) => !inBefore.has(text))
  const removed = before.filter((text) => !inAfter.has(text))
  if (added.length + removed.length === 0) {
    if (after.length === before.length) return ["in a different order"]
    return [after.length < before.length ? "with fewer repetitions" : "with more repetitions"]
  }
  const parts = [
    ...(added.length > 0 ? [phrase`${listPhrase(added, mostSteps)} added`] : []),
    ...(removed.length > 0 ? [phrase`${listPhrase(removed, mostSteps)} removed`] : []),
  ]
  return joinPhrases(parts, ", ")
}

const mostSteps = 5

/** One difference inside two values; `undefined`: there is nothing on that side. */
interface Step {
  readonly path: string
  readonly before: Json | undefined
  readonly after: Json | undefined
}

function* stepsBetween(before: Json | undefined, after: Json | undefined, path: string): Generator<Step> {
  if (sameValue(before, after)) return
  if (before === undefined || after === undefined || !haveInside(before, after)) {
    yield { path, before, after }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    yield* listSteps(before, after, path)
  } else {
    const [from, to] = [before, after] as unknown as readonly Readonly<Record<string, Json>>[]
    for (const name of new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})]))
      yield* stepsBetween(from?.[name], to?.[name], `${path}${memberPath(name, path === "")}`)
  }
}

/** What both lists begin and end with is the same; the rest is compared item by item. */
function* listSteps(before: readonly Json[], after: readonly Json[], path: string): Generator<Step> {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && sameValue(before[start], after[start])) start++
  let end = 0
  while (end < shorter - start && sameValue(before.at(-1 - end), after.at(-1 - end))) end++
  const [from, to] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  for (let at = 0; at < Math.max(from.length, to.length); at++)
    yield* stepsBetween(from[at], to[at], `${path}[${start + at}]`)
}

function memberPath(name: string, isFirst: boolean): string {
  if (!/^[\w-]+$/.test(name)) return `[${JSON.stringify(name)}]`
  return isFirst ? name : `.${name}`
}

/** Whether both are objects, or both are lists. */
function haveInside(before: Json, after: Json): boolean {
  if (typeof before !== "object" || typeof after !== "object" || before === null || after === null)
    return false
  return Array.isArray(before) === Array.isArray(after)
}
