import { chmod, mkdir } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { parseApiKey } from "../../proxy/contract/api-key.ts"
import { withLock } from "../files/lock.ts"
import { readIfThere } from "../files/read-if-there.ts"
import { replaceFile } from "../files/replace-file.ts"
import type { Git } from "../git.ts"
import type { Host } from "../host.ts"
import { mintKey } from "../keys/mint-key.ts"

/** Returns each name's secret: the one from earlier runs, or a new one, which is kept for later runs. */
export type KeptSecrets = (names: readonly string[]) => Promise<ReadonlyMap<string, string>>

/**
 * The file for the secrets of the clone that holds a folder: inside git's own folder, which is never committed or
 * published. `undefined` outside git.
 */
export async function findSecretsFile(folder: string, git: Git): Promise<string | undefined> {
  const args = ["rev-parse", "--git-path", "flagstone/dev-keys.json"]
  const found = await git(args, { cwd: folder }).catch(() => undefined) // git is not installed
  return found?.status === 0 ? resolve(folder, found.stdout.toString("utf8").replace(/\n$/, "")) : undefined
}

/** Keeps secrets in `file`, which only its owner may read; without a file, or if it cannot be written, only for this run. */
export function createKeptSecrets(
  file: string | undefined,
  host: Pick<Host, "randomBytes" | "pid" | "isRunning">,
): KeptSecrets {
  const known = new Map<string, string>()
  return async (names) => {
    const unknown = names.filter((name) => !known.has(name))
    if (unknown.length === 0) return known
    const made = new Map(unknown.map((name) => [name, mintKey(host.randomBytes).secret]))
    const kept = file === undefined ? made : await keep(file, made, host).catch(() => made)
    for (const [name, secret] of kept) known.set(name, secret)
    return known
  }
}

/** Adds secrets to the file. Secrets that are already there stay, so two simultaneous runs get the same ones. */
async function keep(
  file: string,
  made: ReadonlyMap<string, string>,
  host: Pick<Host, "pid" | "isRunning">,
): Promise<ReadonlyMap<string, string>> {
  await chmod(file, ownerOnly).catch(() => {}) // it may not be there yet
  const kept = await secretsIn(file)
  if ([...made.keys()].every((name) => kept.has(name))) return kept
  await mkdir(dirname(file), { recursive: true })
  return withLock(`${file}.lock`, host, async () => {
    const after = new Map([...made, ...(await secretsIn(file))])
    await replaceFile(file, `${JSON.stringify(Object.fromEntries(after), null, 2)}\n`, { mode: ownerOnly })
    return after
  })
}

const ownerOnly = 0o600

/** The secrets in a file that are API keys: a damaged file only leads to new keys. */
async function secretsIn(file: string): Promise<ReadonlyMap<string, string>> {
  const text = (await readIfThere(file))?.toString("utf8") ?? "{}"
  try {
    const isSecret = (entry: [string, unknown]): entry is [string, string] =>
      typeof entry[1] === "string" && parseApiKey(entry[1]) !== undefined
    return new Map(Object.entries<unknown>(JSON.parse(text)).filter(isSecret))
  } catch {
    return new Map()
  }
}
