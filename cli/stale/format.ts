import { relative } from "node:path"
import type { AttributeShare } from "../conditions/share-range.ts"
import { plural } from "../diagnostics/plural.ts"
import { printable, printableJson } from "../diagnostics/printable.ts"
import { tableRow, wholeCode } from "../phrases/markdown.ts"
import type { StaleFlag, StaleReason } from "./find-stale.ts"

/** One line for each reason, and one with the value to keep. */
export function formatText(stale: readonly StaleFlag[], now: number): string {
  const width = Math.max(0, ...stale.map(({ key }) => key.length))
  return stale
    .map((flag) => {
      const lines = flag.reasons.map((reason) => sentence(reason, now, printable))
      const blockers = blockersOf(flag, printable)
      const outlook = [
        ...(flag.keep === undefined ? [] : [`keep ${printable(flag.keep)}`]),
        ...(blockers === "" ? [] : [blockers.startsWith("no ") ? blockers : `blocked by ${blockers}`]),
      ]
      if (outlook.length > 0) lines.push(outlook.join("; "))
      const [first = "", ...others] = [...lines, printable(flag.owner === "" ? "no owner" : flag.owner)]
      const below = others.map((line) => `${" ".repeat(width)}  ${line}\n`)
      return `${flag.key.padEnd(width)}  ${first}\n${below.join("")}`
    })
    .join("")
}

/** A table. Untrusted text is in code spans, so that no name becomes a mention and no address a link. */
export function formatMarkdown(stale: readonly StaleFlag[], now: number): string {
  const rows = stale.map((flag) => {
    const cells = [
      wholeCode(flag.key),
      flag.reasons.map((reason) => sentence(reason, now, wholeCode)).join("; "),
      flag.keep === undefined ? "" : wholeCode(flag.keep),
      blockersOf(flag, wholeCode),
      flag.owner === "" ? "" : wholeCode(flag.owner),
    ]
    return `${tableRow(cells)}\n`
  })
  if (rows.length === 0) return "No flag is stale.\n"
  let room = maxLength
  const shown = rows.filter((row) => {
    room -= row.length
    return room > 0
  })
  const more = shown.length < rows.length ? `\nand ${rows.length - shown.length} more\n` : ""
  return `| flag | why | keep | blocked by | owner |\n| --- | --- | --- | --- | --- |\n${shown.join("")}${more}`
}

/** An issue holds 65,536 characters. */
const maxLength = 60_000

export function formatJson(stale: readonly StaleFlag[], _now: number, folder: string): string {
  const flags = stale.map(({ path, reasons, keep, ...flag }) => ({
    ...flag,
    path: relative(folder, path).replaceAll("\\", "/"),
    reasons: reasons.map(({ shares, ...reason }) => ({
      ...reason,
      since: dateOf(reason.since),
      ...(shares && { shares: shares.map(writtenShare) }),
    })),
    ...(keep !== undefined && { keep: JSON.parse(keep) }),
  }))
  return `${printableJson(JSON.stringify(flags, null, 2))}\n`
}

/** A share as it is written in flag files. */
const writtenShare = ({ attribute: by, seed, from, to }: AttributeShare) =>
  seed === "" ? { by, from, to } : { by, from, to, seed }

type Mark = (foreign: string) => string

/** `2 references and the flag banner`; empty if no code was searched and no flag depends on this one. */
function blockersOf({ references, dependents }: StaleFlag, mark: Mark): string {
  const flags = dependents.length === 1 ? "the flag" : "the flags"
  const blockers = [
    ...(references ? [plural(references, "reference")] : []),
    ...(dependents.length > 0 ? [`${flags} ${dependents.map(mark).join(", ")}`] : []),
  ]
  return blockers.length === 0 && references === 0 ? "no references" : blockers.join(" and ")
}

/** `settled since 2026-08-30 (84 days) in staging, production`; a waiting flag waits `for` environments. */
function sentence({ state, since, environments, shares }: StaleReason, now: number, mark: Mark): string {
  const days = plural(Math.floor((now - since) / 86_400_000), "day")
  const place = state === "waiting" ? "for" : "in"
  const where = environments.length === 0 ? "" : ` ${place} ${environments.join(", ")}`
  return `${state}${shares ? ` at ${shareWords(shares, mark)}` : ""} since ${dateOf(since)} (${days})${where}`
}

/** `10 % by customerId`, or `50 %, 40 % by customerId` for a split. */
function shareWords(shares: readonly AttributeShare[], mark: Mark): string {
  const groups = Map.groupBy(shares, ({ attribute, seed }) => JSON.stringify([attribute, seed]))
  return [...groups.values()]
    .flatMap(([first, ...others]) => {
      if (first === undefined) return []
      const sizes = [first, ...others].map(({ from, to }) => `${Number((to - from).toFixed(3))} %`)
      const seed = first.seed === "" ? "" : ` with the seed ${mark(first.seed)}`
      return `${sizes.join(", ")} by ${mark(first.attribute)}${seed}`
    })
    .join(" and ")
}

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)
