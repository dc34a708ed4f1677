import { type Logger, pino } from "pino"
import { printableLines } from "../diagnostics/printable.ts"
import type { Host } from "../host.ts"

/** The proxy's warnings and errors as sentences on stderr. */
export function createLog({ stderr }: Pick<Host, "stderr">): Logger {
  const write = (line: string) => stderr.write(`flagstone: ${printableLines(formatLogLine(line))}\n`)
  return pino({ level: "warn" }, { write })
}

function formatLogLine(line: string): string {
  const { msg, reason, environments, err } = JSON.parse(line)
  const details = [reason, environments?.join(", "), err?.stack].filter((detail) => detail !== undefined)
  return [msg, ...details].join(": ")
}
