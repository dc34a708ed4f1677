import type { SourceFile } from "../diagnostics/diagnostic.ts"
import { listPhrase, type Phrase } from "../diagnostics/phrase.ts"

/** Something in a file that others should perhaps not read. */
export interface Exposed {
  readonly text: string
  readonly detail: Phrase
}

/** The beginnings of secrets that their issuers made recognizable; what follows them is secret. */
const secrets =
  /\b(?:[sr]k_(?:live|test)_|AKIA|ASIA|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|AIza)(?=[\w-]{0,80}\d)(?=[\w-]{16})|\b(?:sdk|mob|api)-(?=[\da-f]{8}-[\da-f]{4}-)|-----BEGIN [A-Z ]{0,20}PRIVATE KEY/g
/** From the beginning of a word, and bounded: a value may have a million letters. */
const addresses = /(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/g

/** The secrets, of which only the beginning is shown, and the e-mail addresses in files. */
export function exposedIn(sources: readonly SourceFile[]): readonly Exposed[] {
  const found = (expression: RegExp) => [
    ...new Set(sources.flatMap(({ text }) => text.match(expression) ?? [])),
  ]
  return [
    {
      text: "what looks like a secret is written: remove it before you commit, because everyone with the files has it",
      starts: found(secrets).map((start) => `${start}…`),
    },
    {
      text: "e-mail addresses are written, and stay in git's history once you commit",
      starts: found(addresses),
    },
  ].flatMap(({ text, starts }) => (starts.length === 0 ? [] : [{ text, detail: listPhrase(starts, 5) }]))
}
