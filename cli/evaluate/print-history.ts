import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import type { ExitStatus, Host } from "../host.ts"
import { formatHistory, formatHistoryJson } from "./format-history.ts"
import { type GivenContext, readContexts } from "./read-contexts.ts"
import { everyVersionHasMistakes, type FlagLine, type ValueChange, valueHistory } from "./value-history.ts"

/** What is asked about a flag's history, and the versions that answer it. */
export interface HistoryRequest {
  readonly key: string
  /** As `--context` has it. */
  readonly context: string
  readonly format: "text" | "json"
  readonly readLine: () => Promise<FlagLine>
}

/**
 * Prints each change of the value that a context got from a flag. Returns 1 if a value depends on an operator that only the
 * project's SDKs support. Throws `Failure` if there never was such a flag, or its history cannot be read.
 */
export async function printHistory(request: HistoryRequest, host: Host): Promise<ExitStatus> {
  const { key, context, format, readLine } = request
  const given = await readContext(context, host)
  const line = await readLine()
  const { steps, environment } = line
  const changes = await valueHistory(steps, { key, environment, given, cwd: host.cwd, now: host.now() })
  if (changes.length === 0) throw new Failure(whyNone(key, line))
  host.stdout.write((format === "json" ? formatHistoryJson : formatHistory)(changes, cutOf(line, changes)))
  return changes.some(({ answer }) => answer.cause === "unknownOperator") ? 1 : 0
}

function whyNone(key: string, { steps, keys, environment }: FlagLine): string {
  if (keys.includes(key) && steps.some(({ flags }) => flags === "broken")) return everyVersionHasMistakes(key)
  const others = keys.filter((known) => known !== key)
  return `the history of ${environment} has no flag ${quoted(key)}${didYouMean(key, others)}`
}

/** Why changes may be missing before the first; `undefined`: the flag begins there. */
function cutOf({ steps, cut, environment }: FlagLine, [first]: readonly ValueChange[]): string | undefined {
  const before = steps.slice(
    0,
    steps.findIndex(({ moment }) => moment === first?.moment),
  )
  if (before.length === 0) return cut
  const readable = before.filter(({ flags }) => flags !== "broken")
  return readable.length > 0 && readable.at(-1)?.flags === undefined
    ? `the project had no environment ${quoted(environment)} before: ask about older commits with --at`
    : undefined
}

async function readContext(text: string, host: Host): Promise<GivenContext> {
  const all: GivenContext[] = []
  for await (const given of readContexts(text, host)) all.push(given)
  const [only, ...others] = all
  if (only === undefined || others.length > 0) throw new Failure("--history is that of one context")
  return { ...only, line: undefined }
}
