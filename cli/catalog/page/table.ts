import type { View } from "./address.ts"
import { byId } from "./element.ts"
import type { FlagView } from "./flag-view.ts"
import type { Question } from "./questions.ts"

/** A flag and its row. */
export interface Row {
  readonly flag: FlagView
  readonly row: HTMLTableRowElement
}

/** The matrix in the page: which rows are in sight, and in what order. */
export interface Table {
  readonly rows: readonly Row[]
  /** Shows the rows of a view in its order, and says how many they are. */
  readonly show: (view: View) => number
  /** Calls `paint` with the rows of each chunk that comes into sight, at once for those that are. */
  readonly repaint: (paint: (row: Row) => void) => void
  /** The same for all rows, as for printing. */
  readonly paintAll: () => void
}

/** Takes the rows that the page has, which stand in the order of the flags. */
export function openTable(
  flags: readonly FlagView[],
  environments: readonly string[],
  questions: ReadonlyMap<string, Question>,
): Table {
  const chunks = [...document.querySelectorAll<HTMLElement>(".chunk")]
  const bodies = chunks.map((chunk) => chunk.querySelector("tbody") as HTMLTableSectionElement)
  const found = bodies.flatMap((body) => [...body.rows])
  const rows = flags.map((flag, at): Row => ({ flag, row: found[at] as HTMLTableRowElement }))
  const byRow = new Map<Element, Row>(rows.map((row) => [row.row, row]))
  const visible = new Set<HTMLElement>()
  let order = "flag"
  let paint: (row: Row) => void = () => undefined
  const paintChunk = (chunk: HTMLElement) => {
    for (const row of chunk.querySelectorAll("tbody tr")) {
      const known = byRow.get(row)
      if (known !== undefined && !known.row.hidden) paint(known)
    }
  }
  for (const chunk of chunks)
    chunk.addEventListener("contentvisibilityautostatechange", (event) => {
      if ((event as Event & { readonly skipped: boolean }).skipped) visible.delete(chunk)
      else {
        visible.add(chunk)
        paintChunk(chunk)
      }
    })

  function sort(by: string): void {
    if (by === order) return
    order = by
    const isDown = by.startsWith("-")
    const key = sortKey(by.replace(/^-/, ""))
    const keyed = rows.map((row) => ({ row: row.row, key: key(row.flag), name: row.flag.key }))
    keyed.sort((a, b) => (isDown ? -1 : 1) * compare(a.key, b.key) || compare(a.name, b.name))
    for (const [at, body] of bodies.entries()) {
      const size = Math.ceil(rows.length / bodies.length)
      body.append(...keyed.slice(at * size, (at + 1) * size).map(({ row }) => row))
    }
  }

  function sortKey(column: string): (flag: FlagView) => string {
    const at = Number(column)
    if (Number.isInteger(at) && column !== "")
      return ({ cells, changedAt }) => `${states.indexOf(cells[at]?.[0] ?? "")} ${changedAt(at)}`
    if (column === "expires") return ({ expires }) => expires || "9999"
    if (column === "owner") return ({ owner }) => owner || "\uffff"
    if (column === "tags") return ({ tags }) => tags.join(", ") || "\uffff"
    if (column === "type") return ({ type }) => type
    return column === "since" ? ({ createdAt }) => createdAt : ({ key }) => key
  }

  return {
    rows,
    show({ q = "", owner, tag, environment, state, ask, sort: by = "flag" }) {
      sort(by)
      const words = q.toLowerCase().split(/\s+/)
      const at = environments.indexOf(environment ?? "")
      const question = ask === undefined ? undefined : questions.get(ask)
      const hasState = ({ cells }: FlagView) =>
        at === -1 ? cells.some(([one]) => one === state) : cells[at]?.[0] === state
      const isShown = (flag: FlagView) =>
        words.every((word) => flag.text.includes(word)) &&
        (owner === undefined || flag.owner === owner) &&
        (tag === undefined || flag.tags.includes(tag)) &&
        (state === undefined ? at === -1 || flag.cells[at]?.[0] !== "none" : hasState(flag)) &&
        (question === undefined || question.holds(flag))
      let count = 0
      for (const { flag, row } of rows) {
        const isHidden = !isShown(flag)
        if (row.hidden !== isHidden) row.hidden = isHidden
        if (!isHidden) count++
      }
      for (const [index, chunk] of chunks.entries()) {
        const left = [...(bodies[index]?.rows ?? [])].filter((row) => !row.hidden).length
        chunk.hidden = left === 0
        chunk.style.containIntrinsicBlockSize = `auto ${left * rowHeight}px`
      }
      byId("nothing").hidden = count > 0
      for (const chunk of visible) paintChunk(chunk)
      return count
    },
    repaint(next) {
      paint = next
      for (const chunk of visible) paintChunk(chunk)
    },
    paintAll: () => chunks.forEach(paintChunk),
  }
}

const states: readonly string[] = ["on", "value", "share", "rules", "off", "none"]

/** Pixels, until a chunk has been laid out. */
const rowHeight = 44

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
