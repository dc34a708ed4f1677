import type { View } from "./address.ts"
import { byId } from "./element.ts"
import type { FlagView } from "./flag-view.ts"
import type { Question } from "./questions.ts"

/** The matrix in the page: which rows are in sight, and in what order. */
export interface Table {
  /** Shows the rows of a view in its order, and says how many they are. */
  readonly show: (view: View) => number
  /** The flags of that view. */
  readonly shown: () => ReadonlySet<FlagView>
  /** Calls `paint` with the flags of each chunk that comes into sight, at once for those that are. */
  readonly repaint: (paint: (flag: FlagView) => void) => void
  /** The same for all that the view shows, as for printing. */
  readonly paintAll: () => void
}

/** A table of the page, of so many rows as it had at first. */
interface Chunk {
  readonly section: HTMLElement
  readonly body: HTMLTableSectionElement
  /** In their order. */
  flags: readonly FlagView[]
  /** Those that the view shows. */
  shown: readonly FlagView[]
}

/** Takes the rows that the page has, which stand in the order of the flags. */
export function openTable(
  flags: readonly FlagView[],
  environments: readonly string[],
  questions: ReadonlyMap<string, Question>,
): Table {
  const sections = [...document.querySelectorAll<HTMLElement>(".chunk")]
  const size = sections[0]?.querySelectorAll("tbody tr").length ?? 1
  const chunks = sections.map((section, at): Chunk => {
    const own = flags.slice(at * size, (at + 1) * size)
    const body = section.querySelector("tbody") as HTMLTableSectionElement
    return { section, body, flags: own, shown: own }
  })
  const bySection = new Map<Element, Chunk>(chunks.map((chunk) => [chunk.section, chunk]))
  /** In sight or close to it, whether they have rows or not. */
  const near = new Set<Chunk>()
  let order = "flag"
  let paint: (flag: FlagView) => void = () => undefined
  const paintChunk = ({ section, shown }: Chunk) => {
    if (!section.classList.contains(out)) for (const flag of shown) paint(flag)
  }
  const watch = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const chunk = bySection.get(target)
        if (chunk === undefined) continue
        if (isIntersecting) {
          near.add(chunk)
          paintChunk(chunk)
        } else near.delete(chunk)
      }
    },
    { rootMargin: "50%" },
  )
  for (const section of sections) watch.observe(section)

  /** Whether that changes the order. */
  function sort(by: string): boolean {
    if (by === order) return false
    order = by
    const direction = by.startsWith("-") ? -1 : 1
    const key = sortKey(by.replace(/^-/, ""))
    const keyed = flags.map((flag) => ({ flag, key: key(flag) }))
    keyed.sort((a, b) => direction * compare(a.key, b.key) || compare(a.flag.key, b.flag.key))
    for (const [at, chunk] of chunks.entries()) {
      chunk.flags = keyed.slice(at * size, (at + 1) * size).map(({ flag }) => flag)
      chunk.body.append(...chunk.flags.map(({ row }) => row))
    }
    return true
  }

  /** The chunks that differ from the newest view still. */
  let rest: Chunk[] = []
  let pause: ReturnType<typeof setTimeout> | undefined
  let nextFrame = 0

  /** Brings a chunk to the newest view. */
  function settle(chunk: Chunk): void {
    const { section, flags: own, shown } = chunk
    const wanted = new Set(shown)
    for (const flag of own) if (flag.row.hidden === wanted.has(flag)) flag.row.hidden = !flag.row.hidden
    section.classList.toggle(out, shown.length === 0)
    section.style.containIntrinsicBlockSize = `${shown.length * rowHeight}px`
    if (near.has(chunk)) paintChunk(chunk)
  }

  /** Brings more chunks to the newest view, a few in each frame, so that the page goes on answering. */
  function settleMore(): void {
    for (const chunk of rest.splice(0, chunksInFrame)) settle(chunk)
    if (rest.length > 0) nextFrame = requestAnimationFrame(settleMore)
  }

  return {
    show(view) {
      const isSorted = sort(view.sort ?? "flag")
      const isWanted = filterOf(view, environments, questions)
      const late = new Set(rest)
      rest = []
      clearTimeout(pause)
      cancelAnimationFrame(nextFrame)
      const rowsInSight = Math.ceil(innerHeight / rowHeight)
      let above = 0
      for (const chunk of chunks) {
        const before = chunk.shown
        chunk.shown = chunk.flags.filter(isWanted)
        const isSettled = !isSorted && !late.has(chunk) && areSame(before, chunk.shown)
        if (!isSettled && above < rowsInSight) settle(chunk)
        else if (!isSettled) {
          chunk.section.classList.add(out)
          rest.push(chunk)
        }
        above += chunk.shown.length
      }
      if (rest.length > 0) pause = setTimeout(settleMore, millisecondsOfPause)
      byId("nothing").hidden = above > 0
      return above
    },
    shown: () => new Set(chunks.flatMap(({ shown }) => shown)),
    repaint(painter) {
      paint = painter
      for (const chunk of near) paintChunk(chunk)
    },
    paintAll() {
      for (const chunk of rest.splice(0)) settle(chunk)
      for (const chunk of chunks) paintChunk(chunk)
    },
  }
}

function areSame(before: readonly FlagView[], after: readonly FlagView[]): boolean {
  return before.length === after.length && before.every((flag, at) => flag === after[at])
}

/** The class of a chunk that takes no room. Were it not displayed at all, a browser would forget what it knows of its rows. */
const out = "out"

/** A view has the rows at once that the window has room for. Those below follow when nobody types. */
const millisecondsOfPause = 100
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
  const hasWords = ({ text }: FlagView) => {
    for (const word of words) if (!text.includes(word)) return false // a closure for each flag would be half a megabyte a letter
    return true
  }
  return (flag) =>
    hasWords(flag) &&
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
