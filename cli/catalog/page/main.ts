import { standingWords } from "../../diagnostics/moment-words.ts"
import { plural } from "../../diagnostics/plural.ts"
import { openAddress } from "./address.ts"
import { addQuestionLinks, addSortButtons, openFilter } from "./controls.ts"
import { ageWords, expiryWords } from "./days.ts"
import { byId, element } from "./element.ts"
import { type FlagView, flagView } from "./flag-view.ts"
import { historyByFlag } from "./history.ts"
import { createDetails } from "./opened.ts"
import type { PageData } from "./page-data.ts"
import { questionsOf } from "./questions.ts"
import { openTable } from "./table.ts"
import { openTrial } from "./try-it.ts"

// The entry point of the catalogue's page. It filters, sorts, opens and evaluates; everything else is already HTML.

document.documentElement.classList.add("js")
addEventListener("DOMContentLoaded", () => openPage(JSON.parse(byId("data").textContent), Date.now()))

function openPage(data: PageData, now: number): void {
  const { environments } = data
  const rows = [...document.querySelectorAll<HTMLTableRowElement>("#matrix tbody tr")]
  const articles = [...document.querySelectorAll<HTMLElement>("#details article")]
  const histories = historyByFlag(data.history)
  const flags = data.flags.map((flag, at) =>
    flagView(flag, {
      row: rows[at] as HTMLTableRowElement,
      article: articles[at] as HTMLElement,
      isChanged: at < data.changed,
      history: histories.get(flag.flag.key) ?? [],
    }),
  )
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  const questions = questionsOf({ ...data, now })
  const usualOrder = data.changed > 0 ? "" : "flag"
  const address = openAddress(show)
  const table = openTable(flags, environments, questions)
  const trial = openTrial(flags, data, address, explain)
  const details = createDetails(data, now)
  const controls = [
    openFilter(address),
    addQuestionLinks(questions, flags),
    addSortButtons(address, usualOrder),
  ]

  function show(): void {
    const view = address.view()
    const count = table.show(view)
    byId("count").textContent =
      count === flags.length ? plural(count, "flag") : `${count} of ${plural(flags.length, "flag")}`
    for (const showIn of controls) showIn(view)
    details.open(byKey.get(view.flag ?? ""), view)
    explain()
    void trial.show(view)
  }

  /** Tells the open flag's details what the context gets. */
  function explain(): void {
    const flag = details.opened()
    if (flag !== undefined) details.explain(trial.given(flag))
  }

  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#flag="]')
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    address.goTo({ ...address.view(), flag: link.textContent })
  })
  followKeyboard(details.opened, () => address.goTo({ ...address.view(), flag: "" }))
  for (const flag of flags) paintAges(flag, now)
  show()
}

/** Adds the flag's age, the time to its expiry and where ramps stand to a row. The file itself does not know today's date. */
function paintAges({ row, createdAt, expires, cells }: FlagView, now: number): void {
  for (const [at, { ramps = [] }] of cells.entries())
    for (const { stages } of ramps)
      row.cells[at + 1]?.append(element("small", {}, standingWords(stages, now)))
  const since = row.cells[row.cells.length - 1]
  since?.append(element("small", {}, ageWords(createdAt, now)))
  if (expires === "") return
  const words = expiryWords(expires, now)
  const isLate = /^(expired|today)/.test(words)
  row.cells[row.cells.length - 5]?.append(element("small", { className: isLate ? "late" : "" }, words))
}

/** Escape closes the open flag, `/` begins a search, and what has the focus is in sight. */
function followKeyboard(opened: () => FlagView | undefined, close: () => void): void {
  let byKeyboard = false // fields match `:focus-visible` after a click, too
  addEventListener("keydown", () => (byKeyboard = true), true)
  addEventListener("pointerdown", () => (byKeyboard = false), true)
  document.addEventListener("focusin", (event) => {
    const target = event.target as Element
    if (!byKeyboard || !target.matches(":focus-visible")) return
    if (opened()?.article.contains(target) === false) close() // or the focus would be hidden behind it
    target.scrollIntoView({ block: "nearest", inline: "nearest" }) // browsers do not scroll to half-visible elements
  })
  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
    if (event.key === "Escape" && opened() !== undefined) close()
    else if (event.key === "/" && !isTyping) {
      event.preventDefault()
      byId("filter").querySelector("input")?.focus()
    }
  })
}
