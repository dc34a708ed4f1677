import { once } from "node:events"
import type { Writable } from "node:stream"
import { compileEntries } from "../../sdk/evaluation/compile-entries.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import type { ExitStatus, Host } from "../host.ts"
import { toFlagAnswer } from "./answer.ts"
import type { FlagSet } from "./flag-set.ts"
import { formatText } from "./format-text.ts"
import { jsonLine } from "./json-line.ts"
import { type GivenContext, readContexts } from "./read-contexts.ts"
import { unknownAttributes } from "./unknown-attributes.ts"

export const answerFormats = { text: formatText, json: jsonLine }

/** What is asked about a set of flags. */
export interface AnswersRequest {
  /** Without duplicates; empty: all flags. */
  readonly keys: readonly string[]
  /** As `--context` has it. */
  readonly context: string
  readonly format: keyof typeof answerFormats
  readonly isExplained: boolean
}

/**
 * Prints the answer about each flag in each context as soon as it is there. Returns 1 if a value depends on an operator that
 * only the project's SDKs support. Throws `Failure` if a flag or context is missing.
 */
export async function printAnswers(set: FlagSet, request: AnswersRequest, host: Host): Promise<ExitStatus> {
  const { context, format, isExplained } = request
  const keys = keysOf(request.keys, set)
  const wanted = new Set(keys)
  const flags = set.document.flags.filter(({ flag }) => wanted.has(flag.key))
  const asked = { set, evaluator: await compileEntries(flags), isExplained, cwd: host.cwd, now: host.now() }
  const print = createPrint(host.stdout)
  if (set.origin !== undefined && format === "text") await print(`at ${set.origin.words}\n`)
  const warn = createWarnings(set, host)
  let status: ExitStatus = 0
  for await (const given of readContexts(context, host)) {
    warn(given)
    for (const key of keys) {
      const answer = toFlagAnswer(key, given, asked)
      if (answer.cause === "unknownOperator") status = 1
      if (!(await print(answerFormats[format](answer)))) return status
    }
  }
  return status
}

/** Returns a function that names the attributes of a context that were probably misspelt, each once. */
function createWarnings({ attributes }: FlagSet, { stderr }: Host): (given: GivenContext) => void {
  const seen = new Set<string>()
  return ({ context }) => {
    for (const slip of unknownAttributes(Object.keys(context), attributes)) {
      if (!seen.has(slip)) stderr.write(`${slip}\n`)
      seen.add(slip)
    }
  }
}

/** The flags to evaluate: those that are named, or all. */
function keysOf(named: readonly string[], { document }: FlagSet): readonly string[] {
  const keys = document.flags.map(({ flag }) => flag.key)
  const unknown = named.find((key) => !keys.includes(key))
  if (unknown !== undefined) throw new Failure(`no flag ${quoted(unknown)}${didYouMean(unknown, keys)}`)
  return named.length > 0 ? named : keys
}

/**
 * Returns a function that writes, and waits while the stream is full. It resolves to `false` once the reader is gone:
 * `flagstone … | head`.
 */
function createPrint(stdout: Writable): (text: string) => Promise<boolean> {
  let isRead = true
  stdout.once("error", () => {
    isRead = false // main.ts handles the error
  })
  return async (text) => {
    if (isRead && !stdout.write(text)) await once(stdout, "drain").catch(() => undefined)
    return isRead
  }
}
