import { Command, Option } from "commander"
import { type KeyRecord, type KeyState, keyState } from "../../proxy/contract/key-record.ts"
import { whole } from "../diagnostics/phrase.ts"
import type { Exit, ExitStatus, Host } from "../host.ts"
import { readStoredKeys } from "../keys/stored-keys.ts"
import { printReport, reportFormats } from "../report/formats.ts"
import type { CommandReport } from "../report/report.ts"
import { keysOption, namesOf, type OptionsOf } from "./options.ts"

/** A key and its state now. */
interface ListedKey {
  readonly key: KeyRecord
  readonly state: KeyState
}

const declareKeysList = () =>
  new Command("list")
    .addOption(keysOption())
    .addOption(
      new Option("--format <format>", "the output format").choices(namesOf(reportFormats)).default("text"),
    )
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
  printReport(keysReport(listed), options.format, host)
  const active = listed.filter(({ state }) => state === "active").length
  host.stderr.write(
    `${options.keys}: ${keys.length} ${keys.length === 1 ? "key" : "keys"}, ${active} active\n`,
  )
  return 0
}

/** The keys in the order of the file; the data has all but their digests. */
function keysReport(listed: readonly ListedKey[]): CommandReport {
  return {
    sections: [
      {
        kind: "table",
        columns: ["id", "environment", "for", "owner", "created", "expires", "state"],
        rows: listed.map(({ key, state }) => ({
          cells: [
            [whole(key.id)],
            [whole(key.project === undefined ? key.environment : `${key.project}/${key.environment}`)],
            [[key.for ?? "both"]],
            [key.owner === undefined ? ["-"] : whole(key.owner)],
            [[minuteOf(key.createdAt)]],
            [[key.expiresAt === undefined ? "never" : minuteOf(key.expiresAt)]],
            [[state]],
          ],
        })),
      },
    ],
    data: () => listed.map(keyData),
  }
}

function keyData({ key, state }: ListedKey): object {
  return {
    id: key.id,
    project: key.project ?? null,
    environment: key.environment,
    for: key.for ?? null,
    owner: key.owner ?? null,
    createdAt: timeOf(key.createdAt),
    notBefore: timeOf(key.notBefore),
    expiresAt: timeOf(key.expiresAt),
    revokedAt: timeOf(key.revokedAt),
    flags: key.flags ?? null,
    rateLimit: key.rateLimit ?? null,
    state,
  }
}

function timeOf(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString()
}

function minuteOf(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, "2026-11-21T10:00".length)}Z`
}
