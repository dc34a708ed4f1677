import type { Report, SourceFile } from "../diagnostics/diagnostic.ts"
import { didYouMean, list, quoted, suggest } from "../diagnostics/suggest.ts"
import { yamlLine } from "../diagnostics/yaml-line.ts"
import { sameValue } from "../language/canonical-json.ts"
import type { FlagUse } from "../language/condition.ts"
import type { OtherFlag, OtherFlags } from "../language/references.ts"
import { memberOf, type Node } from "../language/tree.ts"
import { spanOfForm, spanOfName } from "../reading/condition.ts"
import { type ConditionCheck, conditionsIn } from "../reading/conditions-in-file.ts"
import { describe } from "../reading/hints/quote.ts"
import { pathWords, referencePath } from "./reference-path.ts"

/** Each `flag:` names another flag of the project and a value that it can give, and no flag depends on itself. */
export const flagsAreKnown: ConditionCheck = (file, _project, report) => {
  const { source, references } = file
  for (const part of conditionsIn(file)) {
    if (part.kind !== "flag" || part.key === "") continue // the shape is wrong
    if ("condition" in file) {
      const message =
        "A segment is the same in every environment, but a flag is not. Write `flag` in a rule, in a list under `all` with the segment."
      report.add({ code: "unknown-flag", message, source, span: spanOfForm(part) })
    } else if (references.flags !== undefined)
      check(part, "key" in file ? file.key : undefined, references.flags, source, report)
  }
}

/** `ownKey`: that of the flag with the condition; `undefined` in an invariant. */
function check(
  use: FlagUse,
  ownKey: string | undefined,
  flags: OtherFlags,
  source: SourceFile,
  report: Report,
): void {
  const { key, environment } = use
  const is = use.at && memberOf(use.at.node, "is")?.value
  const span = spanOfName(use)
  const add = (code: "unknown-flag" | "missing-field" | "flag-cycle", message: string) =>
    report.add({ code, message, source, span })
  const flag = flags.get(key)
  if (flag === undefined) {
    const keys = flags.keys()
    if (keys.includes(key)) return // its file cannot be read, which is reported
    const others = keys.filter((other) => other !== ownKey)
    const guess = suggest(key, others) ?? renamed(key, others)
    add("unknown-flag", `Unknown flag ${quoted(key)}${didYouMean(key, others, guess)}`)
    return
  }
  const usesOf = (other: string) => flags.get(other)?.uses(environment) ?? []
  const cycle = ownKey === undefined ? undefined : referencePath(key, ownKey, usesOf)
  // Each cycle is reported once, at the flag whose key sorts first.
  if (ownKey !== undefined && cycle?.every((next) => ownKey <= next)) {
    const message =
      cycle.length === 1
        ? "This flag depends on itself. Remove the condition."
        : `Flags depend on each other in a cycle: ${pathWords([ownKey, ...cycle])}. Remove one of these conditions.`
    add("flag-cycle", message)
  }
  if (flag.isBroken()) return
  const given = list([...new Set(flag.values.map(yamlLine))])
  if (is === undefined && !flag.isBoolean)
    add(
      "missing-field",
      `${quoted(key)} is not a boolean flag. Write \`is\` with one of its values: ${given}.`,
    )
  else if (
    !flag.values.some((value) => sameValue(value, use.is)) &&
    !(flag.isBoolean && typeof use.is === "boolean")
  )
    report.add({ code: "unknown-value", message: wrongValue(key, is, flag), source, span: is ?? span })
}

/** The message about a value that a flag cannot give. */
function wrongValue(key: string, is: Node | undefined, { isBoolean, values }: OtherFlag): string {
  const never = `${quoted(key)} never gives`
  const given = `It gives ${list([...new Set(isBoolean ? ["true", "false"] : values.map(yamlLine))])}.`
  if (is?.kind !== "scalar") return `${never} ${is === undefined ? "`true`" : describe(is)}. ${given}`
  const texts = values.filter((value) => typeof value === "string")
  const guess = typeof is.value === "string" ? suggest(is.value, texts) : undefined
  return `${never} ${quoted(yamlLine(is.value))}${guess === undefined ? `. ${given}` : didYouMean("", [], guess)}`
}

/** The only key whose parts contain all parts of another key, or are all among them: `checkout` for `new-checkout`. */
function renamed(key: string, keys: readonly string[]): string | undefined {
  const wordsIn = (text: string) => new Set(text.toLowerCase().split(/[._/-]+/))
  const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>) =>
    [...some].every((part) => all.has(part))
  const parts = wordsIn(key)
  const [only, another] = keys.filter(
    (other) => isWithin(parts, wordsIn(other)) || isWithin(wordsIn(other), parts),
  )
  return another === undefined ? only : undefined
}
