import { Command, Option } from "commander"
import { type KeyRecord, type KeyState, keyState } from "../../proxy/contract/key-record.ts"
import { printable, printableJson } from "../diagnostics/printable.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { readStoredKeys } from "../keys/stored-keys.ts"
import { keysOption, namesOf, type OptionsOf } from "./options.ts"

/** A key and its state now. */
interface ListedKey {
  readonly key: KeyRecord
  readonly state: KeyState
}

const formats = { text: formatTable, json: formatJson }

const declareKeysList = () =>
  new Command("list")
    .addOption(keysOption())
    .addOption(new Option("--format <format>", "the output format").choices(namesOf(formats)).default("text"))
    .addHelpText("after", "\nExample:\n  $ flagstone keys list --keys keys.yaml")

/** The options of `keys list`. */
export type KeysListOptions = OptionsOf<typeof declareKeysList>

export const keysListCommand = (host: Host, exit: Exit) =>
  declareKeysList().action((options) => exit(runKeysList(options, host)))

/** Prints all keys in the order of the file, without their digests. */
export async function runKeysList(options: KeysListOptions, host: Host): Promise<ExitStatus> {
  const { keys } = await readStoredKeys(options.keys, host)
  const now = host.now()
  const listed = keys.map((key) => ({ key, state: keyState(key, now) }))
  host.stdout.write(formats[options.format](listed))
  const active = listed.filter(({ state }) => state === "active").length
  host.stderr.write(
    `${options.keys}: ${keys.length} ${keys.length === 1 ? "key" : "keys"}, ${active} active\n`,
  )
  return 0
}

function formatTable(listed: readonly ListedKey[]): string {
  if (listed.length === 0) return ""
  const rows = [
    ["ID", "ENVIRONMENT", "FOR", "OWNER", "CREATED", "EXPIRES", "STATE"],
    ...listed.map(({ key, state }) => [
      key.id,
      key.project === undefined ? key.environment : `${key.project}/${key.environment}`,
      key.for ?? "both",
      printable(key.owner ?? "-"),
      formatMinute(key.createdAt),
      key.expiresAt === undefined ? "never" : formatMinute(key.expiresAt),
      state,
    ]),
  ]
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
  return lines.map((line) => `${line.trimEnd()}\n`).join("")
}

function formatJson(listed: readonly ListedKey[]): string {
  const rows = listed.map(({ key, state }) => ({
    id: key.id,
    project: key.project ?? null,
    environment: key.environment,
    for: key.for ?? null,
    owner: key.owner ?? null,
    createdAt: formatTime(key.createdAt),
    notBefore: formatTime(key.notBefore),
    expiresAt: formatTime(key.expiresAt),
    revokedAt: formatTime(key.revokedAt),
    flags: key.flags ?? null,
    rateLimit: key.rateLimit ?? null,
    state,
  }))
  return `${printableJson(JSON.stringify(rows, null, 2))}\n`
}

function formatTime(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString()
}

function formatMinute(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, "2026-11-21T10:00".length)}Z`
}
