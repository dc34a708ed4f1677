import { join } from "node:path"
import type { FlagEntry } from "../../sdk/contract/snapshot.ts"
import { type ParsedCondition, parseCondition } from "../../sdk/evaluation/condition.ts"
import { shareIn } from "../../sdk/evaluation/operators.ts"
import { countWords, joinPhrases, type Phrase } from "../diagnostics/phrase.ts"
import { compareSides } from "../diff/diff.ts"
import { overviewOf } from "../diff/format/overview.ts"
import { openSide } from "../diff/sides/open-sides.ts"
import type { Side } from "../diff/sides/side.ts"
import { listOf, shareOperator } from "../language/comparisons.ts"
import { takesOperand } from "../language/condition.ts"
import { operatorOf } from "../language/operators.ts"
import type { Fields } from "../language/written-condition.ts"
import { memoryFiles } from "../project/files.ts"

/**
 * How `diff` says what differs between the flags of two documents, by key: they are written as authors write them. What an author
 * cannot write has no words, nor has what authors do not write, such as ids and times, or what takes too many words.
 */
export async function diffWords(
  environment: string,
  built: readonly FlagEntry[],
  served: readonly FlagEntry[],
): Promise<ReadonlyMap<string, Phrase>> {
  const before = await openDocument(environment, built)
  const after = await openDocument(environment, served)
  const keys = new Set(after.flags.map(({ key }) => key))
  const common = new Set(before.flags.map(({ key }) => key).filter((key) => keys.has(key)))
  const only = (side: Side) => ({ ...side, flags: side.flags.filter(({ key }) => common.has(key)) })
  const { environments, idle } = overviewOf(await compareSides(only(before), only(after), { now: 0 }))
  const words = new Map<string, Phrase>()
  for (const { what, who, changes } of [...environments.flatMap(({ rows }) => rows), ...idle])
    for (const change of changes) {
      if (!("flag" in change)) continue
      const said = words.get(change.flag)
      words.set(change.flag, joinPhrases([...(said ? [said] : []), what, ...who], "; "))
    }
  return new Map([...words].filter(([, phrase]) => countWords(phrase) < mostWords))
}

const mostWords = 300

/** The flags of a document as a project; those that no author can write are left out. */
function openDocument(environment: string, entries: readonly FlagEntry[]): Promise<Side> {
  const file = (name: string, text: object) => ({ path: join("/", name), text: JSON.stringify(text) })
  const flags = entries.map(({ flag, environment: configuration }, at) => {
    const { key, name, description, type, defaultValue } = flag
    const { enabled, rules = [] } = configuration ?? {}
    const written = rules.map((rule) => ({
      ...fieldsOf(parseCondition(rule)),
      returnValue: rule.returnValue,
    }))
    const environments = configuration === null ? {} : { [environment]: { enabled, rules: written } }
    return file(`${at}.yaml`, { key, name, description, type, defaultValue, environments })
  })
  const project = file("project.yaml", { project: "served", environments: [environment] })
  return openSide(memoryFiles("/", [project, ...flags]))
}

/** The fields with which an author writes a condition; none if no SDK reads it. */
function fieldsOf(sent: ParsedCondition): Fields {
  if (sent.kind === "unreadable") return {}
  if (sent.kind !== "comparison") return { [sent.kind]: sent.parts.map(fieldsOf) }
  const { attribute, operator, value } = sent.condition
  const { name = operator, ignoresCase = false } = operatorOf(operator) ?? {}
  const range = operator === shareOperator ? undefined : shareIn(operator, value, "")
  if (range !== undefined) {
    const [from, to] = [range.from / 2 ** 32, range.to / 2 ** 32]
    return { share: { by: attribute, ...(from > 0 && { from }), to, seed: range.seed } }
  }
  return {
    ...(attribute !== "" && { attribute }),
    ...{ operator: name, ...(ignoresCase && { ignoreCase: true }) },
    ...(takesOperand(name) && { value: listOf(sent.condition) ?? value }),
  }
}
