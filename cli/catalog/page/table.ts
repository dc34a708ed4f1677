import type { View } from "./address.ts"
import { byId } from "./element.ts"
import type { FlagView } from "./flag-view.ts"
import type { Question } from "./questions.ts"

/** The matrix in the page. */
export interface Table {
  /** Shows a view's rows in its order, and returns how many there are. */
  readonly show: (view: View) => number
}

/** The page's tables all have the same number of rows, in the order of `flags`. */
export function openTable(
  flags: readonly FlagView[],
  environments: readonly string[],
  questions: ReadonlyMap<string, Question>,
): Table {
  const sections = [...document.querySelectorAll<HTMLElement>(".chunk")]
  const bodies = sections.map((section) => section.querySelector("tbody") as HTMLTableSectionElement)
  const size = bodies[0]?.rows.length ?? 0
  let order = ""
  let inOrder = flags

  function sort(by: string): void {
    if (by === order) return
    order = by
    inOrder = by === "" ? flags : sorted(flags, by)
    for (const [at, body] of bodies.entries())
      body.append(...inOrder.slice(at * size, (at + 1) * size).map(({ row }) => row))
  }

  return {
    show(view) {
      sort(view.sort ?? "")
      const isWanted = filterOf(view, environments, questions)
      const rowsInSight = Math.ceil(innerHeight / rowHeight)
      let above = 0
      const lengths = sections.map((section, at) => {
        const own = inOrder.slice(at * size, (at + 1) * size)
        const shown = own.filter(isWanted)
        const wanted = new Set(shown)
        const changed = own.filter((flag) => !flag.row.hidden !== wanted.has(flag))
        // A visible section lays out all rows that it gets; a hidden one waits until it is scrolled into view.
        if (above > rowsInSight && changed.length > 0) section.hidden = true
        for (const { row } of changed) row.hidden = !row.hidden
        above += shown.length
        return shown.length
      })
      void document.body.offsetHeight // makes the browser forget which hidden sections were visible
      for (const [at, section] of sections.entries()) {
        section.hidden = lengths[at] === 0
        section.style.containIntrinsicBlockSize = `${(lengths[at] ?? 0) * rowHeight}px`
      }
      byId("nothing").hidden = above > 0
      return above
    },
  }
}

function sorted(flags: readonly FlagView[], by: string): readonly FlagView[] {
  const direction = by.startsWith("-") ? -1 : 1
  const key = sortKey(by.replace(/^-/, ""))
  return flags
    .map((flag) => ({ flag, key: key(flag) }))
    .sort((a, b) => direction * compare(a.key, b.key) || compare(a.flag.key, b.flag.key))
    .map(({ flag }) => flag)
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

/** In pixels, an estimate until a chunk has been laid out. */
const rowHeight = 44

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0
}
