import type { View } from "./address.ts"
import { byId } from "./element.ts"
import type { FlagView } from "./flag-view.ts"
import type { Question } from "./questions.ts"

/** The matrix in the page: which rows are in sight, and in what order. */
export interface Table {
  /** Shows the rows of a view in its order, and says how many they are. */
  readonly show: (view: View) => number
  /** Calls `paint` with the flags of each chunk that comes into sight, at once for those that are. */
  readonly repaint: (paint: (flag: FlagView) => void) => void
  /** The same for all that the view shows, as for printing. */
  readonly paintAll: () => void
}

/** A table of the page, of so many rows as it had at first. */
interface Chunk {
  readonly section: HTMLElement
  readonly body: HTMLTableSectionElement
  /** How many of its rows are shown. */
  shown: number
}

/** Takes the rows that the page has, which stand in the order of the flags. */
export function openTable(
  flags: readonly FlagView[],
  environments: readonly string[],
  questions: ReadonlyMap<string, Question>,
): Table {
  const chunks = [...document.querySelectorAll<HTMLElement>(".chunk")].map((section): Chunk => {
    const body = section.querySelector("tbody") as HTMLTableSectionElement
    return { section, body, shown: body.rows.length }
  })
  const size = chunks[0]?.shown ?? 1
  const inSight = new Set<Chunk>()
  let sorted = flags
  let order = "flag"
  let paint: (flag: FlagView) => void = () => undefined
  const paintChunk = (chunk: Chunk) => {
    const start = chunks.indexOf(chunk) * size
    for (const flag of sorted.slice(start, start + size)) if (!flag.row.hidden) paint(flag)
  }
  for (const chunk of chunks)
    chunk.section.addEventListener("contentvisibilityautostatechange", (event) => {
      if ((event as Event & { readonly skipped: boolean }).skipped) inSight.delete(chunk)
      else {
        inSight.add(chunk)
        paintChunk(chunk)
      }
    })

  function sort(by: string): void {
    if (by === order) return
    order = by
    const direction = by.startsWith("-") ? -1 : 1
    const key = sortKey(by.replace(/^-/, ""))
    const keyed = flags.map((flag) => ({ flag, key: key(flag) }))
    keyed.sort((a, b) => direction * compare(a.key, b.key) || compare(a.flag.key, b.flag.key))
    sorted = keyed.map(({ flag }) => flag)
    for (const [at, { body }] of chunks.entries())
      body.append(...sorted.slice(at * size, (at + 1) * size).map(({ row }) => row))
  }

  return {
    show(view) {
      sort(view.sort ?? "flag")
      const isShown = filterOf(view, environments, questions)
      for (const [at, chunk] of chunks.entries()) {
        let shown = 0
        for (const flag of sorted.slice(at * size, (at + 1) * size)) {
          const isHidden = !isShown(flag)
          if (flag.row.hidden !== isHidden) flag.row.hidden = isHidden
          if (!isHidden) shown++
        }
        if (shown !== chunk.shown) {
          chunk.section.hidden = shown === 0
          chunk.section.style.containIntrinsicBlockSize = `auto ${shown * rowHeight}px`
        }
        chunk.shown = shown
      }
      const count = chunks.reduce((sum, { shown }) => sum + shown, 0)
      byId("nothing").hidden = count > 0
      for (const chunk of inSight) paintChunk(chunk)
      return count
    },
    repaint(next) {
      paint = next
      for (const chunk of inSight) paintChunk(chunk)
    },
    paintAll: () => chunks.forEach(paintChunk),
  }
}

/** Whether a view shows a flag. */
function filterOf(
  { q = "", owner, tag, environment = "", state, ask = "" }: View,
  environments: readonly string[],
  questions: ReadonlyMap<string, Question>,
): (flag: FlagView) => boolean {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  const at = environments.indexOf(environment)
  const question = questions.get(ask)
  const hasState = ({ cells }: FlagView) => {
    if (state === undefined) return at === -1 || cells[at]?.state !== "none"
    return at === -1 ? cells.some((cell) => cell.state === state) : cells[at]?.state === state
  }
  return (flag) =>
    words.every((word) => flag.text.includes(word)) &&
    (owner === undefined || flag.owner === owner) &&
    (tag === undefined || flag.tags.includes(tag)) &&
    hasState(flag) &&
    (question === undefined || question.holds(flag))
}

/** What a column sorts by: the position of an environment, or a name. */
function sortKey(column: string): (flag: FlagView) => string | number {
  if (/^\d+$/.test(column))
    return ({ cells }) => {
      const { state = "none", changedAt = 0 } = cells[Number(column)] ?? {}
      return states.indexOf(state) * 1e15 + changedAt
    }
  if (column === "expires") return ({ expires }) => expires || "9999"
  if (column === "owner") return ({ owner }) => owner || "\uffff"
  if (column === "tags") return ({ tags }) => tags.join(", ") || "\uffff"
  if (column === "type") return ({ type }) => type
  return column === "since" ? ({ createdAt }) => createdAt : ({ key }) => key
}

const states: readonly string[] = ["on", "value", "share", "rules", "off", "none"]

/** Pixels, until a chunk has been laid out. */
const rowHeight = 44

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
