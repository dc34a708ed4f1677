import { pathOf, rangeOfLocation } from "../diagnostics/location.ts"
import { relativePath } from "../diagnostics/relative-path.ts"
import { listMarked } from "../diagnostics/suggest.ts"
import { sameValue } from "../language/canonical-json.ts"
import { markdown, wholeCode } from "../phrases/markdown.ts"
import type { Dependent } from "../usages/dependents.ts"
import type { Reference } from "../usages/references.ts"
import { referenceRow, referenceWords } from "../usages/report.ts"

/** What is left to do before a flag can be removed. */
export interface Task {
  readonly key: string
  /** The value that the code keeps, as JSON. */
  readonly keep: string
  /** The deciding environments in which not everyone gets this value, or may not. */
  readonly changed: readonly string[]
  readonly references: readonly Reference[]
  /** The paths of the files that were not searched. */
  readonly tooLarge: readonly string[]
  readonly dependents: readonly Dependent[]
  /** Whether the flag is deleted before the code changes. */
  readonly isForced: boolean
  /** The options of this command that the next ones also need, such as `--flags`. */
  readonly options: readonly string[]
}

/**
 * The task of removing a flag from code, in Markdown. A program may follow it, so the only untrusted text in it is
 * keys, values, names and paths, each as code on one line.
 */
export function taskText(task: Task, folder: string): string {
  const { key, keep, changed, references, tooLarge, dependents, isForced, options } = task
  const rows = references.map((reference) => markdown(referenceWords(referenceRow(reference, folder))))
  const large = tooLarge.map((path) => wholeCode(relativePath(folder, path)))
  const constants = new Set(references.flatMap(({ constant }) => constant?.name ?? []))
  const steps = [
    ...(rows.length === 0
      ? []
      : [...rows, ...[...constants].map((name) => `delete the constant ${wholeCode(name)}`)]),
    ...dependents.map((dependent) => dependentStep(dependent, keep, folder)),
  ]
  const command = (...words: readonly string[]) =>
    wholeCode(["flagstone", ...words, ...options].map(shellWord).join(" "))
  return [
    `# Remove the flag ${wholeCode(key)}`,
    `Replace each evaluation of the flag with ${wholeCode(keep)}, and delete code that can then never run. ${isForced ? deleted : codeFirst}`,
    ...(changed.length === 0
      ? []
      : [
          `In ${changed.map(wholeCode).join(", ")}, the change gives everyone ${wholeCode(keep)}, including users who get a different value today: check that this is intended.`,
        ]),
    ...(rows.length === 0 ? ["No code refers to it."] : []),
    ...(large.length === 0 ? [] : [`Not searched, because over 1 MB: ${listMarked(large)}. Search by hand.`]),
    ...(steps.length === 0 ? [] : [steps.map((step) => `- [ ] ${step}`).join("\n")]),
    `Done when the tests pass and ${command("usages", key)} finds no references.${isForced ? "" : ` Then run ${command("remove", key, "--keep", keep)}.`}\n`,
  ].join("\n\n")
}

const codeFirst =
  "Release that everywhere before you delete the flag: once it is gone, every call returns its own default."
const deleted =
  "The flag is already deleted: without this change, every call returns its own default. Release the change first, or together with the deletion."

function dependentStep({ kind, name, location, gives }: Dependent, keep: string, folder: string): string {
  const { line, column } = rangeOfLocation(location)
  const place = wholeCode(`${pathOf(location, folder)}:${line}:${column}`)
  const isTrue = sameValue(gives, JSON.parse(keep))
  if (kind === "invariant")
    return `${place}: the invariant ${wholeCode(name)} has a condition that is now ${isTrue ? "always" : "never"} true: write it without the flag, or delete it`
  return isTrue
    ? `${place}: the flag ${wholeCode(name)} has a condition that is now always true: replace it with \`operator: always\` or, within \`all\`, delete it; a \`none\` with it now matches no one`
    : `${place}: the flag ${wholeCode(name)} has a condition that is now never true: delete its rule or, within \`any\` or \`none\`, only the condition; a \`none\` without another now matches everyone`
}

/** Quotes a word for a shell, which reads every character but `'` literally inside single quotes. */
function shellWord(text: string): string {
  return /^[\w./@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
