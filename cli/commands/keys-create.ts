import { readFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { Command, Option } from "commander"
import { isEnvironmentName, isProjectName } from "../../proxy/contract/environment-name.ts"
import { isFlagGlob } from "../../proxy/contract/flag-globs.ts"
import { isOwner, keyUses } from "../../proxy/contract/key-record.ts"
import { manifestFile, parseManifest } from "../../proxy/contract/manifest.ts"
import { createReport } from "../diagnostics/diagnostic.ts"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { Failure } from "../failure.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { addKey, newKeyFile } from "../keys/edit-keys.ts"
import { readExpiry } from "../keys/expiry.ts"
import { chooseId, refuseBadId } from "../keys/key-id.ts"
import { recordKey } from "../keys/record-key.ts"
import { locateFlags } from "../project/locate-flags.ts"
import { readProject } from "../reading/project.ts"
import {
  addToList,
  keyIdOption,
  keysOption,
  type OptionsOf,
  parseBucketOption,
  secretOutOption,
} from "./options.ts"

const declareKeysCreate = () =>
  new Command("create")
    .argument("<environment>", "the environment whose flags the key reads")
    .addOption(keyIdOption("the environment and a number"))
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
    .addOption(secretOutOption("the secret"))
    .option("--force", "accept an environment that the project does not have yet")
    .addHelpText("after", "\nExample:\n  $ flagstone keys create production --id web --out secret.txt")

/** The argument and the options of `keys create`. */
export interface KeysCreateOptions extends OptionsOf<typeof declareKeysCreate> {
  readonly environment: string
}

export const keysCreateCommand = (host: Host, exit: Exit) =>
  declareKeysCreate().action((environment, options) => exit(runKeysCreate({ environment, ...options }, host)))

/** Adds a key to the key file, which is created if it does not exist. */
export async function runKeysCreate(options: KeysCreateOptions, host: Host): Promise<ExitStatus> {
  refuseBadNames(options)
  if (options.force !== true) await refuseUnknownEnvironment(options, host)
  const { environment, keys: file } = options
  const now = host.now()
  const expiresAt = options.expires === undefined ? undefined : readExpiry("--expires", options.expires, now)
  const { stored, place } = await recordKey(options, host, (before = newKeyFile, digest) =>
    addKey(before, {
      id: chooseId(before.keys, { id: options.id, base: environment, first: 1, file }),
      project: options.project,
      environment,
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
  )
  const only = options.flags === undefined ? "" : ` ${options.flags.join(", ")}`
  const use = options.for === undefined ? "" : `may only ${options.for}${only} and `
  const end = expiresAt === undefined ? "never expires" : `expires at ${new Date(expiresAt).toISOString()}`
  host.stderr.write(
    `${file}: created key ${stored.keys.at(-1)?.id} for ${environment}, which ${use}${end}; its secret is ${place}\n`,
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
  refuseBadId(id)
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

/** A project's name and those of its environments. */
interface ProjectNames {
  readonly project: string
  readonly environments: readonly string[]
}

/**
 * The names in the project file that belongs to the folder `cwd`, else in a manifest next to the key file or in `dist`.
 * `undefined` if there is neither, or it has mistakes, which other commands report.
 */
async function findProjectNames(cwd: string, keyFile: string): Promise<ProjectNames | undefined> {
  const flags = locateFlags(cwd)
  const project = flags === undefined ? undefined : readProject(flags, createReport())
  if (project !== undefined)
    return { project: project.name, environments: project.environments.map(({ name }) => name) }
  const beside = dirname(keyFile)
  for (const folder of [beside, join(beside, "dist"), join(cwd, "dist")]) {
    const text = await readFile(join(folder, manifestFile), "utf8").catch(() => undefined)
    const manifest = text === undefined ? undefined : parseManifest(text)
    if (manifest?.kind === "valid")
      return { project: manifest.value.project, environments: Object.keys(manifest.value.environments) }
  }
  return undefined
}
