import { type CommandUnknownOpts, InvalidArgumentError, Option } from "commander"
import { type Bucket, minRefill } from "../../proxy/contract/bucket.ts"
import { parseDuration } from "../duration.ts"

/**
 * The options of a command, inferred from its declaration. An option without a default may be missing; a switch may be
 * false, because its variable can turn it off.
 */
export type OptionsOf<Declare extends () => CommandUnknownOpts> = Switchable<
  ReturnType<ReturnType<Declare>["opts"]>
>

type Switchable<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends boolean | undefined ? boolean : Options[Name]
}

/** The names in a table, as the choices of an option. */
export const namesOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]

/** Options that several commands share. Paths are relative to the current folder. */
export const flagsOption = () => new Option("--flags <folder>", "the flags folder").default("flags")
export const projectOption = () =>
  new Option(
    "--project <name>",
    "the name of a new project (default: the answer on a terminal, otherwise its folder's name)",
  )
export const outOption = () => new Option("--out <folder>", "where the snapshots go").default("dist")
export const keysOption = () => new Option("--keys <file>", "the key file").default("keys.yaml")
export const keyIdOption = (unlessGiven: string) =>
  new Option("--id <id>", `the new key's public name; by default ${unlessGiven}`)
export const secretOutOption = (secret: string) =>
  new Option(
    "--out <file>",
    `write ${secret} to this new file, which only you can read, instead of to stdout`,
  )
export const hostOption = () =>
  new Option("--host <address>", "the address to listen on").default("127.0.0.1")
export const portOption = () =>
  new Option("--port <number>", "the port to listen on; 0 picks a free one")
    .default(8080)
    .argParser(parsePort)

/** `--cors-origin`, without its default. */
export const corsOriginOption = () =>
  new Option(
    "--cors-origin <origins>",
    "origins, separated by commas, whose pages may read the flags; loopback: any port of the browser's own machine",
  ).argParser(parseOrigins)

/** The bucket for keys without their own. */
export const defaultBucket: Bucket = { capacity: 100, refillPerSecond: 10 }

/**
 * The bucket for evaluations, one per key and client address. A page asks when it loads and when its context changes; a
 * server asks for each flag, so its key needs a larger bucket.
 */
export const defaultEvaluateBucket: Bucket = { capacity: 200, refillPerSecond: 20 }

/** `--rate-limit`, for keys without a bucket of their own. */
export const rateLimitOption = () =>
  new Option("--rate-limit <capacity/refill>", "capacity and refill per second for keys without their own")
    .argParser(parseBucketOption)
    .default(defaultBucket, "100/10")

/** A bucket written `capacity/refill`, refill in tokens per second: `100/10`, `5/0.5`. */
export function parseBucketOption(text: string): Bucket {
  const [, capacity, refillPerSecond] = /^(\d{1,15})\/(\d{1,15}(?:\.\d{1,9})?)$/.exec(text) ?? []
  const bucket = { capacity: Number(capacity), refillPerSecond: Number(refillPerSecond) }
  if (bucket.capacity >= 1 && bucket.refillPerSecond >= minRefill) return bucket
  throw new InvalidArgumentError("Write capacity and refill per second, such as 100/10.")
}

/** Strings separated by commas. */
function parseList(text: string): readonly string[] {
  return text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")
}

/** Origins separated by commas, each as browsers send it (RFC 6454, 6.2), because another spelling would match none. */
function parseOrigins(text: string): readonly string[] {
  const origins = parseList(text)
  const wrong = origins.find((item) => item !== "*" && item !== "loopback" && !isOrigin(item))
  if (wrong === undefined) return origins
  throw new InvalidArgumentError(
    "Write each origin as browsers send it, such as https://shop.example: in lower case, without a path or a default port.",
  )
}

function isOrigin(text: string): boolean {
  if (/^https?:/.test(text)) return URL.parse(text)?.origin === text
  return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d{1,5})?$/.test(text) // such as an app's `capacitor://localhost`
}

/** Parses an option that may be repeated; each value is a list separated by commas. */
export function addToList(text: string, earlier: unknown): readonly string[] {
  return [...(Array.isArray(earlier) ? earlier : []), ...parseList(text)]
}

/** A `<n>ms|s|m|h|d` option in milliseconds. */
export function parseDurationOption(text: string): number {
  const milliseconds = parseDuration(text)
  if (milliseconds === undefined) throw new InvalidArgumentError("Write a duration such as 250ms, 30s or 5m.")
  if (milliseconds > longestTimer) throw new InvalidArgumentError("Write at most 24d.")
  return milliseconds
}

/** Milliseconds. Node fires longer timers after 1 ms. */
const longestTimer = 2_147_483_647

/** A whole number of at least 0. */
export function parseCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Write a whole number.")
  return Number(text)
}

/** A port; 0 stands for any free one. */
export function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError("Write a port from 0 to 65535.")
  return Number(text)
}

/** `--format`, for the commands that GitHub Actions runs. */
export const ciFormatOption = <const Formats extends readonly string[]>(formats: Formats) =>
  new Option(
    "--format <format>",
    "the output format (default: text, or github inside GitHub Actions)",
  ).choices(formats)

/** `--code`, for the commands that look for flags in code. */
export const codeOption = () =>
  new Option(
    "--code <paths>",
    "files and folders with the code, such as a clone of the application (default: this repository)",
  ).argParser(addToList)

/** `--catalog-url`, for the commands that link to a catalogue. */
export const catalogUrlOption = (links: string) =>
  new Option("--catalog-url <url>", links).argParser(parseAddress)

function parseAddress(text: string): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError("Write a URL that begins with https:// or http://.")
  return url.href
}
