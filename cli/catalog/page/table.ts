import type { View } from "./address.ts"
import { byId } from "./element.ts"
import type { FlagView } from "./flag-view.ts"
import type { Question } from "./questions.ts"

/** The matrix in the page: which rows are in sight, and in what order. */
export interface Table {
  /** Shows the rows of a view in its order, and says how many they are. */
  readonly show: (view: View) => number
  readonly isShown: (flag: FlagView) => boolean
  /** Calls `paint` with the flags of each chunk that comes into sight, at once for those that are. */
  readonly repaint: (paint: (flag: FlagView) => void) => void
  /** The same for all that the view shows, as for printing. */
  readonly paintAll: () => void
}

/** A table of the page, of so many rows as it had at first. */
interface Chunk {
  readonly section: HTMLElement
  readonly body: HTMLTableSectionElement
}

/** Takes the rows that the page has, which stand in the order of the flags. */
export function openTable(
  flags: readonly FlagView[],
  environments: readonly string[],
  questions: ReadonlyMap<string, Question>,
): Table {
  const chunks = [...document.querySelectorAll<HTMLElement>(".chunk")].map((section): Chunk => {
    const body = section.querySelector("tbody") as HTMLTableSectionElement
    return { section, body }
  })
  const size = chunks[0]?.body.rows.length ?? 1
  const inSight = new Set<Chunk>()
  let sorted = flags
  let order = "flag"
  let paint: (flag: FlagView) => void = () => undefined
  const flagsOf = (chunk: Chunk) => {
    const start = chunks.indexOf(chunk) * size
    return sorted.slice(start, start + size)
  }
  const paintChunk = (chunk: Chunk) => {
    for (const flag of flagsOf(chunk)) if (shown.has(flag)) paint(flag)
  }
  for (const chunk of chunks)
    chunk.section.addEventListener("contentvisibilityautostatechange", (event) => {
      if ((event as Event & { readonly skipped: boolean }).skipped) inSight.delete(chunk)
      else {
        inSight.add(chunk)
        paintChunk(chunk)
      }
    })

  /** Whether that changes the order. */
  function sort(by: string): boolean {
    if (by === order) return false
    order = by
    const direction = by.startsWith("-") ? -1 : 1
    const key = sortKey(by.replace(/^-/, ""))
    const keyed = flags.map((flag) => ({ flag, key: key(flag) }))
    keyed.sort((a, b) => direction * compare(a.key, b.key) || compare(a.flag.key, b.flag.key))
    sorted = keyed.map(({ flag }) => flag)
    for (const [at, { body }] of chunks.entries())
      body.append(...sorted.slice(at * size, (at + 1) * size).map(({ row }) => row))
    return true
  }

  let shown: ReadonlySet<FlagView> = new Set(flags)
  /** The chunks that differ from the newest view still. */
  let rest: Chunk[] = []
  let nextFrame: number | undefined

  /** Brings a chunk to the newest view. */
  function settle(chunk: Chunk): void {
    const own = flagsOf(chunk)
    for (const flag of own) if (flag.row.hidden === shown.has(flag)) flag.row.hidden = !flag.row.hidden
    const count = own.filter((flag) => shown.has(flag)).length
    chunk.section.hidden = count === 0
    chunk.section.style.containIntrinsicBlockSize = `${count * rowHeight}px`
  }

  /** Brings more chunks to the newest view, a few in each frame, so that the page goes on answering. */
  function settleMore(): void {
    for (const chunk of rest.splice(0, chunksInFrame)) settle(chunk)
    nextFrame = rest.length === 0 ? undefined : requestAnimationFrame(settleMore)
  }

  return {
    show(view) {
      const isSorted = sort(view.sort ?? "flag")
      const before = shown
      shown = new Set(flags.filter(filterOf(view, environments, questions)))
      const late = new Set(rest)
      rest = []
      let above = 0
      for (const chunk of chunks) {
        const own = flagsOf(chunk)
        const isSame =
          !isSorted && !late.has(chunk) && own.every((flag) => shown.has(flag) === before.has(flag))
        if (!isSame && above < rowsAtOnce) settle(chunk)
        else if (!isSame) {
          chunk.section.hidden = true
          rest.push(chunk)
        }
        above += own.filter((flag) => shown.has(flag)).length
      }
      if (nextFrame !== undefined) cancelAnimationFrame(nextFrame)
      nextFrame = rest.length === 0 ? undefined : requestAnimationFrame(settleMore)
      byId("nothing").hidden = shown.size > 0
      for (const chunk of inSight) paintChunk(chunk)
      return shown.size
    },
    isShown: (flag) => shown.has(flag),
    repaint(painter) {
      paint = painter
      for (const chunk of inSight) paintChunk(chunk)
    },
    paintAll() {
      for (const chunk of rest.splice(0)) settle(chunk)
      for (const chunk of chunks) paintChunk(chunk)
    },
  }
}

/** Rows that a view shows at once; those below no window has room for, and they follow in the next frames. */
const rowsAtOnce = 100
const chunksInFrame = 8

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
