import { relative } from "node:path"
import { plural } from "../diagnostics/plural.ts"
import { printable, printableJson } from "../diagnostics/printable.ts"
import type { Reason } from "./assess.ts"
import type { StaleFlag } from "./find-stale.ts"

/** One line for each reason, and one with the value that stays. */
export function formatText(stale: readonly StaleFlag[], now: number): string {
  const width = Math.max(0, ...stale.map(({ key }) => key.length))
  return stale
    .map(({ key, owner, reasons, keep, references }) => {
      const lines = reasons.map((reason) => sentence(reason, now))
      const value = keep === undefined ? [] : [`keep ${printable(keep)}`]
      const uses = references === undefined ? [] : [blockedBy(references)]
      if (value.length + uses.length > 0) lines.push([...value, ...uses].join("; "))
      const [first = "", ...others] = [...lines, printable(owner === "" ? "no owner" : owner)]
      const below = others.map((line) => `${" ".repeat(width)}  ${line}\n`)
      return `${key.padEnd(width)}  ${first}\n${below.join("")}`
    })
    .join("")
}

/** A table. Foreign texts are in code marks, in which nobody is mentioned and nothing is a link. */
export function formatMarkdown(stale: readonly StaleFlag[], now: number): string {
  const rows = stale.map(({ key, owner, reasons, keep, references }) => {
    const cells = [
      marked(key),
      reasons.map((reason) => sentence(reason, now)).join("; "),
      keep === undefined ? "" : marked(keep),
      ...(references === undefined ? [] : [`${references}`]),
      owner === "" ? "" : marked(owner),
    ]
    return `| ${cells.join(" | ")} |\n`
  })
  if (rows.length === 0) return "No flag is stale.\n"
  let room = maxLength
  const shown = rows.filter((row) => {
    room -= row.length
    return room > 0
  })
  const more = shown.length < rows.length ? `\nand ${rows.length - shown.length} more\n` : ""
  const heads = [
    "flag",
    "why",
    "keep",
    ...(stale[0]?.references === undefined ? [] : ["references"]),
    "owner",
  ]
  return `| ${heads.join(" | ")} |\n|${" --- |".repeat(heads.length)}\n${shown.join("")}${more}`
}

/** An issue holds 65,536 characters. */
const maxLength = 60_000

export function formatJson(stale: readonly StaleFlag[], _now: number, folder: string): string {
  const flags = stale.map(({ path, reasons, keep, ...flag }) => ({
    ...flag,
    path: relative(folder, path).replaceAll("\\", "/"),
    reasons: reasons.map((reason) => ({ ...reason, since: dateOf(reason.since) })),
    ...(keep !== undefined && { keep: JSON.parse(keep) }),
  }))
  return `${printableJson(JSON.stringify(flags, null, 2))}\n`
}

/** What is to be done in the code before the flag can go. */
function blockedBy(references: number): string {
  return references === 0 ? "no reference" : plural(references, "reference")
}

/** `settled since 2026-08-30 (84 days) in staging, production`. */
function sentence({ state, since, environments }: Reason, now: number): string {
  const days = Math.floor((now - since) / 86_400_000)
  const where = environments.length === 0 ? "" : ` in ${environments.join(", ")}`
  return `${state} since ${dateOf(since)} (${days} days)${where}`
}

const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** A pipe would end the cell, and a backtick the code. */
function marked(text: string): string {
  return `\`${printable(text).replaceAll("`", "'").replaceAll("|", "\\|")}\``
}
