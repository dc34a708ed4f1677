import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { chooseEnvironment } from "../evaluate/choose-environment.ts"
import { Failure } from "../failure.ts"
import { factsOf } from "../flag/file-facts.ts"
import type { Flag } from "../language/flag.ts"

/**
 * The flags with these keys (all flags if there are none) that have one of the tags. Throws `Failure` for an unknown
 * key or tag.
 */
export function chooseFlags(
  flags: readonly Flag[],
  keys: readonly string[],
  tag: readonly string[] | undefined,
): readonly Flag[] {
  const known = [...new Set(flags.map(({ key }) => key))]
  const unknown = keys.find((key) => !known.includes(key))
  if (unknown !== undefined) throw new Failure(`no flag ${quoted(unknown)}${didYouMean(unknown, known)}`)
  const tags = new Set(flags.flatMap((flag) => factsOf(flag).tags))
  const unused = tag?.find((one) => !tags.has(one))
  if (unused !== undefined)
    throw new Failure(`no flag has the tag ${quoted(unused)}${didYouMean(unused, [...tags])}`)
  return flags.filter(
    (flag) =>
      (keys.length === 0 || keys.includes(flag.key)) &&
      (tag === undefined || factsOf(flag).tags.some((one) => tag.includes(one))),
  )
}

/** Both environments; `to` may be `next`, the one after `from`. Throws `Failure` for an unknown one. */
export function environmentsOf(
  { from, to }: { readonly from: string; readonly to: string },
  names: readonly string[],
): readonly [string, string] {
  for (const name of [from, ...(to === "next" ? [] : [to])]) chooseEnvironment(name, names)
  const target = to === "next" && !names.includes("next") ? names[names.indexOf(from) + 1] : to
  if (target === undefined) throw new Failure(`${from} is the last environment, so there is no next one`)
  return [from, target]
}
