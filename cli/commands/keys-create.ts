import { resolve } from "node:path"
import { Command, Option } from "commander"
import { isEnvironmentName, isProjectName } from "../../proxy/contract/environment-name.ts"
import { isFlagGlob } from "../../proxy/contract/flag-globs.ts"
import { isKeyId, isOwner, type KeyRecord, keyUses } from "../../proxy/contract/key-record.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { addKey, newKeyFile } from "../keys/edit-keys.ts"
import { parseExpiry } from "../keys/expiry.ts"
import { mintKey } from "../keys/mint-key.ts"
import { findProjectNames } from "../keys/project-names.ts"
import { removeSecretFile, writeSecretFile } from "../keys/secret-file.ts"
import { changeStoredKeys } from "../keys/stored-keys.ts"
import { addToList, keysOption, type OptionsOf, parseBucketOption } from "./options.ts"

const declareKeysCreate = () =>
  new Command("create")
    .argument("<environment>", "the environment whose flags the key reads")
    .option("--id <id>", "the key's public name; by default the environment and a number")
    .option("--project <name>", "the project whose flags the key reads, if the proxy serves several")
    .addOption(
      new Option(
        "--for <use>",
        "limit the key to reading flags with their rules, or to having them evaluated, as in a browser (default: both)",
      ).choices(keyUses),
    )
    .addOption(
      new Option(
        "--flags <globs>",
        "with --for evaluate: limit the key to flags that match these globs, separated by commas: web/**,checkout-*",
      ).argParser(addToList),
    )
    .option("--owner <name>", "who uses the key")
    .option("--expires <when>", "a duration, a date or a time: 90d, 2027-03-01, 2027-03-01T12:00:00Z")
    .addOption(
      new Option("--rate-limit <capacity/refill>", "the key's own capacity and refill per second").argParser(
        parseBucketOption,
      ),
    )
    .addOption(keysOption())
    .option(
      "--out <file>",
      "write the secret to this new file, which only you can read, instead of to stdout",
    )
    .option("--force", "accept an environment that the project does not have yet")
    .addHelpText("after", "\nExample:\n  $ flagstone keys create production --id web --out secret.txt")

/** The argument and the options of `keys create`. */
export interface KeysCreateOptions extends OptionsOf<typeof declareKeysCreate> {
  readonly environment: string
}

export const keysCreateCommand = (host: Host, exit: Exit) =>
  declareKeysCreate().action((environment, options) => exit(runKeysCreate({ environment, ...options }, host)))

/**
 * Adds a key to the key file, which is created if it does not exist. The secret goes to stdout or the new file `out`, and
 * nowhere else. It is written there before the key is recorded, so that no key is recorded whose secret is lost.
 */
export async function runKeysCreate(options: KeysCreateOptions, host: Host): Promise<ExitStatus> {
  const { out } = options
  refuseBadNames(options)
  if (out !== undefined && resolve(host.cwd, out) === resolve(host.cwd, options.keys))
    throw new Failure(`${out} is the key file, which has no secrets: choose a different --out`)
  if (options.force !== true) await refuseUnknownEnvironment(options, host)
  const now = host.now()
  const expiresAt = options.expires === undefined ? undefined : readExpiry(options.expires, now)
  const { secret, digest } = mintKey(host.randomBytes)
  if (out !== undefined) await writeSecretFile(out, secret, host)
  const { keys } = await changeStoredKeys(options.keys, host, (stored = newKeyFile) =>
    addKey(stored, {
      id: chooseId(stored.keys, options),
      project: options.project,
      environment: options.environment,
      for: options.for,
      flags: options.flags,
      digest,
      createdAt: now,
      notBefore: undefined,
      expiresAt,
      revokedAt: undefined,
      owner: options.owner,
      rateLimit: options.rateLimit,
    }),
  ).catch(async (error: unknown) => {
    if (out !== undefined) await removeSecretFile(out, host)
    throw error
  })
  if (out === undefined) host.stdout.write(`${secret}\n`)
  const only = options.flags === undefined ? "" : ` ${options.flags.join(", ")}`
  const use = options.for === undefined ? "" : `may only ${options.for}${only} and `
  const end = expiresAt === undefined ? "never expires" : `expires at ${new Date(expiresAt).toISOString()}`
  host.stderr.write(
    `${options.keys}: created key ${keys.at(-1)?.id} for ${options.environment}, which ${use}${end}; ` +
      `its secret is ${out === undefined ? "on stdout and is not shown again" : `in ${out}`}\n`,
  )
  return 0
}

function refuseBadNames({ environment, project, id, owner, flags, for: use }: KeysCreateOptions): void {
  if (!isEnvironmentName(environment)) {
    throw new Failure(
      "an environment's name is a letter or digit, then up to 63 letters, digits, dots, dashes or underscores",
    )
  }
  if (project !== undefined && !isProjectName(project)) {
    throw new Failure(
      "--project: write a letter or digit, then up to 63 letters, digits, dots, dashes or underscores",
    )
  }
  if (id !== undefined && !isKeyId(id)) {
    throw new Failure(
      "--id: write a letter or digit, then up to 127 letters, digits, dots, dashes or underscores",
    )
  }
  if (owner !== undefined && !isOwner(owner)) {
    throw new Failure("--owner: write one line of at most 200 characters, and no secret")
  }
  if (flags !== undefined && use !== "evaluate") {
    throw new Failure("--flags limits what a key may evaluate: add --for evaluate")
  }
  if (flags !== undefined && (flags.length === 0 || flags.length > 100 || !flags.every(isFlagGlob))) {
    throw new Failure(
      "--flags: write 1 to 100 globs of at most 200 characters, with * or ** at most twice: web/**,checkout-*",
    )
  }
}

/** Otherwise the key's clients would be the first to notice a misspelt name: they would get 503. */
async function refuseUnknownEnvironment(
  { environment, project, keys }: KeysCreateOptions,
  { cwd }: Host,
): Promise<void> {
  const known = await findProjectNames(cwd, resolve(cwd, keys))
  if (known === undefined || (project !== undefined && project !== known.project)) return
  if (known.environments.includes(environment)) return
  const fix = didYouMean(environment, known.environments)
  throw new Failure(
    `project ${known.project} has no environment ${quoted(environment)}${fix} --force creates the key anyway`,
  )
}

function chooseId(keys: readonly KeyRecord[], options: KeysCreateOptions): string {
  const taken = new Set(keys.map(({ id }) => id))
  if (options.id === undefined) {
    let number = 1
    while (taken.has(`${options.environment}-${number}`)) number++
    return `${options.environment}-${number}`
  }
  if (taken.has(options.id)) {
    throw new Failure(`${options.keys} already has a key ${options.id}; choose a different --id`)
  }
  return options.id
}

function readExpiry(text: string, now: number): number {
  const expiresAt = parseExpiry(text, now)
  if (expiresAt !== undefined) return expiresAt
  throw new Failure(
    "--expires: write a time in the future, such as 90d, 12h, 2027-03-01 or 2027-03-01T12:00:00Z",
  )
}
