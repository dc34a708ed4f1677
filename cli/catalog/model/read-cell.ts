import type { Flag } from "../../../proxy/contract/snapshot.ts"
import { type Content, readContent } from "../versions/content.ts"
import type { CellMeaning } from "./catalog-flag.ts"
import { meaningOf } from "./cell.ts"
import type { Outcomes } from "./outcomes.ts"
import { createRuleWords } from "./rule-words.ts"

/** What a cell is read from. */
export interface CellSource {
  readonly flag: Flag
  /** The flag's `valueText`. */
  readonly value: string
  readonly environment: string
  /** The `contentText` of its configuration; `undefined`: it is not configured there. */
  readonly content: string | undefined
  /** Of its rules, from 1. */
  readonly lines: readonly number[]
}

/** Makes the function that says what a cell means: once for cells that are written alike, unless it may depend on the key. */
export function createCellReader(outcomes: Outcomes): (source: CellSource) => CellMeaning {
  const ruleWords = createRuleWords()
  const known = new Map<string, CellMeaning>()

  function readCell({ flag, environment, content: text, lines }: CellSource, isShared: boolean): CellMeaning {
    const content = text === undefined ? undefined : readContent(text)
    const configuration = content && { ...noIds, ...content }
    const outcome = outcomes.of(environment, { flag, environment: configuration ?? null })
    return {
      ...{ isShared, environment, defaultValue: flag.defaultValue, content },
      ...meaningOf(flag, content),
      rules: (content?.rules ?? []).map((rule, at) => ({
        words: ruleWords(rule),
        line: lines[at] ?? 1,
        ...outcome(at),
      })),
      otherwise: outcome(otherwiseOf(content)),
    }
  }

  return (source) => {
    const { flag, value, environment, content, lines } = source
    const hasShares = content?.startsWith(',"enabled":true') && content.includes("percentage")
    if (hasShares || outcomes.tested.has(flag.key)) return readCell(source, false)
    const name = `${environment}\n${value}\n${content}\n${lines.join(" ")}` // JSON has no line ends
    const before = known.get(name)
    if (before !== undefined) return before
    const meaning = readCell(source, true)
    known.set(name, meaning)
    return meaning
  }
}

/** No outcome depends on them. */
const noIds = { id: "", flagId: "", environmentId: "", updatedAt: "" }

function otherwiseOf(content: Content | undefined): string {
  if (content === undefined) return "unconfigured"
  return content.enabled ? "default" : "disabled"
}
