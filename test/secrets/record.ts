import { openSync, writeSync } from "node:fs"
import { join } from "node:path"

// What the processes of a test run know of secrets, recorded as it happens: each process of the run (vitest's
// workers and every Node process that a test starts) appends to its own file in the folder of the run.

/** The environment variable that names the folder; without it nothing is recorded. */
export const folderVariable = "SECRETS_FOLDER"
/** The environment variable that names the running test file, for processes that tests start. */
export const testVariable = "SECRETS_TEST"

/** A secret, or output that must not contain one: which output, and a piece of it. */
export type Entry =
  | { readonly kind: "secret"; readonly test: string; readonly text: string }
  | { readonly kind: "said"; readonly test: string; readonly where: string; readonly text: string }

/** Records a secret that must not appear in anything that `recordSaid` records, before, after or in another process. */
export function recordSecret(text: string): void {
  append({ kind: "secret", test: testFile(), text })
}

/** Records the next piece of an output that operators or strangers read; `where` names it within its process. */
export function recordSaid(where: string, text: string): void {
  if (text !== "") append({ kind: "said", test: testFile(), where, text })
}

/**
 * Records the output of a stream that is meant to show secrets: they are secrets from here on, wherever else they turn
 * up. Only the stdout of a command for which `showsSecrets` holds is such a stream.
 */
export function recordShown(text: string): void {
  for (const [secret] of text.matchAll(/fsk_\w{49}|\bMC4CAQAwBQYDK2Vw[\w+/=]+/g)) recordSecret(secret)
}

/** Whether a command line has to show a secret on stdout, once: a new key, a new private half, the curl lines of `dev`. */
export function showsSecrets(args: readonly string[]): boolean {
  return args[0] === "dev" || (makesSecret(args) && secretFileOf(args) === undefined)
}

/** The file to which a command line writes a new key or private half; `undefined`: none. */
export function secretFileOf(args: readonly string[]): string | undefined {
  const at = makesSecret(args) ? args.indexOf("--out") : -1
  return at < 0 ? undefined : args[at + 1]
}

function makesSecret([command, subcommand = ""]: readonly string[]): boolean {
  return command === "keys" && ["create", "rotate", "signing"].includes(subcommand)
}

function append(entry: Entry): void {
  const folder = process.env[folderVariable]
  if (folder === undefined) return
  if (opened?.folder !== folder) {
    opened = { folder, file: openSync(join(folder, `${process.pid}.jsonl`), "a") }
  }
  writeSync(opened.file, `${JSON.stringify(entry)}\n`)
}

let opened: { readonly folder: string; readonly file: number } | undefined

const testFile = (): string => process.env[testVariable] ?? "an unknown test"
