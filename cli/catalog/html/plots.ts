import type { DescribedCommit } from "../history/described-commit.ts"
import type { Catalog } from "../model/catalog.ts"
import type { CellState } from "../page/page-data.ts"
import { html, type Markup } from "./markup.ts"

// The charts: bars, and one line, as SVG in the page. Each has a description (`title`), takes its colours from the
// style's classes (a to e), and is 320 by 150, which the browser scales. Below, the shapes come first, then one
// function for each chart.

const day = 86_400_000

/** Four charts as of the newest commit, so that the same commit gives the same charts. */
export function plots(catalog: Catalog): Markup {
  const { environments, live } = catalog
  return html`${figure("Flags over time", flagsOverTime(catalog))}
${figure(`Age by state in ${environments[live]?.name ?? ""}`, ageByState(catalog))}
${figure("Changes per week", changesByWeek(catalog))}
${figure("Upcoming expiry", expiryAhead(catalog))}`
}

function figure(caption: string, { title, shapes }: Picture): Markup {
  return html`<figure><figcaption>${caption}</figcaption><svg viewBox="0 0 320 150" role="img" aria-label="${title}"><title>${title}</title>${shapes}</svg></figure>`
}

interface Picture {
  /** The chart in words. */
  readonly title: string
  readonly shapes: readonly Markup[]
}

/** A stack of parts above a label. */
interface Bar {
  readonly label: string
  readonly parts: readonly { readonly name: string; readonly value: number }[]
}

const usualClasses = ["a", "b", "c", "d", "e", "a", "b", "c", "d", "e"]

/**
 * Bars, whose parts have the same names in the same order, with a legend if there are several parts. The totals are
 * above the bars or, without enough room, only above the highest bar.
 */
function bars(all: readonly Bar[], classes = usualClasses): readonly Markup[] {
  const sums = all.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const most = Math.max(1, ...sums)
  const width = 310 / all.length
  const names = all[0]?.parts.map(({ name }) => name) ?? []
  const step = Math.floor(310 / Math.max(1, names.length))
  const shapes = all.flatMap(({ label, parts }, at) => {
    let top = 125
    const left = 5 + at * width
    const boxes = parts.map(({ name, value }, index) => {
      const height = (value / most) * 95
      top -= height
      return value === 0
        ? html``
        : html`<rect class="${classes[index] ?? "d"}" x="${tenth(left + width * 0.1)}" y="${tenth(top)}" width="${tenth(width * 0.8)}" height="${tenth(height)}"><title>${`${label}${name === "" ? "" : `, ${name}`}: ${value}`}</title></rect>`
    })
    const [x, anchor] =
      at === 0 ? [5, "start"] : at === all.length - 1 ? [315, "end"] : [tenth(left + width / 2), "middle"]
    const sum = sums[at] ?? 0
    const hasNumber = sum > 0 && (all.length < 14 || at === sums.indexOf(most))
    const number = html`<text x="${tenth(left + width / 2)}" y="${tenth(top - 3)}" text-anchor="middle">${sum}</text>`
    const text = html`<text x="${x}" y="140" text-anchor="${anchor}">${label}</text>`
    return [...boxes, ...(hasNumber ? [number] : []), ...(label === "" ? [] : [text])]
  })
  const legend =
    names.length < 2
      ? []
      : names.map(
          (name, at) =>
            html`<rect class="${classes[at] ?? "d"}" x="${5 + at * step}" y="4" width="9" height="9"/><text x="${17 + at * step}" y="12">${name.slice(0, 14)}</text>`,
        )
  return [...legend, ...shapes, html`<line class="axis" x1="5" x2="315" y1="125.5" y2="125.5"/>`]
}

function tenth(number: number): number {
  return Math.round(number * 10) / 10
}

function flagsOverTime({ history, flags, asOf }: Catalog): Picture {
  const end = Date.parse(asOf)
  const steps = history.flatMap(({ at, changes }) => {
    const [added, removed] = [countOf("added", changes), countOf("removed", changes)]
    return added + removed === 0 ? [] : [{ at: Math.min(at, end), added, removed }]
  })
  const added = steps.reduce((sum, step) => sum + step.added, 0)
  const removed = steps.reduce((sum, step) => sum + step.removed, 0)
  const title = `${flags.length} flags now; ${added} were added, ${removed} removed`
  const start = steps[0]?.at
  if (start === undefined) return { title, shapes: [html`<text x="5" y="70">no changes in git</text>`] }
  let count = 0
  const counts = steps.map(({ at, added, removed }) => {
    count += added - removed
    return { x: tenth(5 + ((at - start) / Math.max(1, end - start)) * 310), count }
  })
  const most = Math.max(1, ...counts.map((one) => one.count))
  const y = (value: number) => tenth(125 - (value / most) * 105)
  // A pixel has room for one step: the last one.
  const seen = [...new Map(counts.map((one) => [Math.round(one.x), one])).values()]
  const path = seen
    .map((one, at) => `${at === 0 ? `M${one.x} ${y(one.count)}` : `H${one.x}V${y(one.count)}`}`)
    .join("")
  return {
    title,
    shapes: [
      html`<path class="line" d="${path}H315"/>`,
      html`<text x="5" y="12">${most}</text><text x="5" y="140">${new Date(start).toISOString().slice(0, 10)}</text>`,
      html`<text x="315" y="140" text-anchor="end">${asOf.slice(0, 10)}</text><line class="axis" x1="5" x2="315" y1="125.5" y2="125.5"/>`,
    ],
  }
}

function countOf(kind: "added" | "removed", changes: DescribedCommit["changes"]): number {
  return changes.filter((change) => change.kind === kind).length
}

const ages = [
  { label: "< 30 d", most: 30 },
  { label: "< 90 d", most: 90 },
  { label: "< 180 d", most: 180 },
  { label: "< 1 y", most: 365 },
  { label: "older", most: Number.POSITIVE_INFINITY },
]

const groups: readonly { readonly name: string; readonly states: readonly CellState[] }[] = [
  { name: "on", states: ["on"] },
  { name: "partly", states: ["share", "rules"] },
  { name: "one value", states: ["value"] },
  { name: "off", states: ["off", "none"] },
]

function ageByState({ live, asOf, flags }: Catalog): Picture {
  const end = Date.parse(asOf)
  const counts = ages.map(() => groups.map(() => 0))
  for (const { flag, cells } of flags) {
    const age = (end - Date.parse(flag.createdAt)) / day
    const state = cells[live]?.state ?? "none"
    const own = counts[ages.findIndex(({ most }) => age < most)] ?? []
    const group = groups.findIndex(({ states }) => states.includes(state))
    own[group] = (own[group] ?? 0) + 1
  }
  const all = ages.map(({ label }, at): Bar => {
    return { label, parts: groups.map(({ name }, group) => ({ name, value: counts[at]?.[group] ?? 0 })) }
  })
  const words = all.map(({ label, parts }) => `${label}: ${parts.reduce((sum, { value }) => sum + value, 0)}`)
  return { title: `Flags by age: ${words.join(", ")}`, shapes: bars(all) }
}

const weeks = 26

function changesByWeek({ history, environments, asOf }: Catalog): Picture {
  const end = Date.parse(asOf)
  const shown = environments.slice(0, 5)
  const counts = Array.from({ length: weeks }, () => shown.map(() => 0))
  for (const { at, changes } of history) {
    const week = counts[weeks - 1 - Math.floor((end - at) / (7 * day))]
    if (week === undefined) continue
    for (const [index, { name }] of shown.entries())
      week[index] = (week[index] ?? 0) + touchedIn(name, changes).size
  }
  const all = counts.map((values, at): Bar => {
    const start = new Date(end - (weeks - 1 - at) * 7 * day).toISOString()
    return {
      label: at === 0 || at === weeks - 1 ? start.slice(5, 10) : "",
      parts: shown.map(({ name }, index) => ({ name, value: values[index] ?? 0 })),
    }
  })
  const sums = shown.map(
    ({ name }, at) => `${name} ${counts.reduce((sum, week) => sum + (week[at] ?? 0), 0)}`,
  )
  return { title: `Flags changed in the last ${weeks} weeks: ${sums.join(", ")}`, shapes: bars(all) }
}

/** The keys of the flags that changed in an environment. */
function touchedIn(name: string, changes: DescribedCommit["changes"]): ReadonlySet<string> {
  const touched = changes.filter(
    ({ environment, who }) => environment === name || who.some((one) => one.environment === name),
  )
  return new Set(touched.map(({ flag }) => flag))
}

function expiryAhead({ asOf, flags }: Catalog): Picture {
  const months = Array.from({ length: 12 }, (_, at) => {
    return new Date(Date.UTC(Number(asOf.slice(0, 4)), Number(asOf.slice(5, 7)) - 1 + at, 1))
      .toISOString()
      .slice(0, 7)
  })
  const dates = flags.map(({ expires }) => expires).filter((date) => date !== "")
  const expired = dates.filter((date) => date < asOf.slice(0, 10))
  const later = dates.filter((date) => date >= asOf.slice(0, 10))
  const partsOf = (before: number, ahead: number) => [
    { name: "expired", value: before },
    { name: "expires", value: ahead },
  ]
  const all: readonly Bar[] = [
    { label: "", parts: partsOf(expired.length, 0) },
    ...months.map((month, at) => ({
      label: at % 4 === 0 ? month : "",
      parts: partsOf(0, later.filter((date) => date.startsWith(month)).length),
    })),
  ]
  const title = `${expired.length} flags have expired; ${later.length} expire later; ${flags.length - dates.length} never expire`
  return { title, shapes: bars(all, ["e", "c"]) }
}
