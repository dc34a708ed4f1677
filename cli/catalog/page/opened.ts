import type { FlagEntry } from "../../../sdk/contract/snapshot.ts"
import { printableJson } from "../../diagnostics/printable.ts"
import { addressOf, type View } from "./address.ts"
import { ageWords, expiryWords } from "./days.ts"
import { element } from "./element.ts"
import type { CellView, FlagView } from "./flag-view.ts"
import { historyOf } from "./history.ts"
import type { PageData, Reached } from "./page-data.ts"
import { shown } from "./shown.ts"
import type { Given } from "./try-it.ts"

/** The details of the flag that is open. */
export interface Details {
  /** `undefined`: none is open. */
  readonly opened: () => FlagView | undefined
  /** Opens a flag's details in a view, or closes them. */
  readonly open: (flag: FlagView | undefined, view: View) => void
  /** Adds to the open flag why each environment gives a context its value; without a context, nothing. */
  readonly explain: (given: readonly (Given | undefined)[] | undefined) => void
}

export function createDetails(data: PageData, now: number): Details {
  let opened: FlagView | undefined

  function turnTo(before: FlagView | undefined, flag: FlagView | undefined): void {
    const hadFocus = before?.article.contains(document.activeElement)
    before?.article.classList.remove("open")
    if (flag !== undefined) {
      const article = fillDetails(flag, data, now)
      article.classList.add("open")
      article.tabIndex = -1
      article.focus()
      article.scrollTop = 0
    } else if (hadFocus) before?.row.querySelector("a")?.focus({ preventScroll: true })
  }

  return {
    opened: () => opened,
    open(flag, view) {
      const before = opened
      opened = flag
      if (before !== flag) turnTo(before, flag)
      flag?.article.querySelector(".close")?.remove()
      flag?.article.prepend(
        element("a", { className: "close", href: addressOf({ ...view, flag: "" }) }, "Close"),
      )
    },
    explain(given) {
      for (const [at, side] of [...(opened?.article.querySelectorAll("dl>div") ?? [])].entries()) {
        side.querySelector(".why")?.remove()
        const one = given?.[at]
        if (one !== undefined)
          side.append(element("dd", { className: "why" }, `With this context: ${one.why}.`))
      }
    },
  }
}

/** Adds to a flag's details, once, what only the page's data has: facts, witnesses, lines, entries and history. */
function fillDetails(flag: FlagView, data: PageData, now: number): HTMLElement {
  const { article } = flag
  if (article.dataset.filled !== undefined) return article
  article.dataset.filled = ""
  const path = article.getElementsByTagName("p")[1]
  if (data.files !== "")
    path?.replaceChildren(element("a", { href: fileAddress(flag, data.files) }, path.textContent))
  path?.after(factsOf(flag, now))
  for (const [at, side] of [...article.querySelectorAll<HTMLElement>("dl>div")].entries()) {
    const cell = flag.cells[at]
    if (cell !== undefined) fillSide(side, cell, at, flag, data)
  }
  article.append(element("h3", {}, "History"), historyOf(flag.history, data))
  return article
}

function factsOf(
  { key, name, type, owner, tags, createdAt, expires, isTested, cells }: FlagView,
  now: number,
): HTMLElement {
  const outcomes = cells.flatMap(({ reached }) => reached).filter(({ isReached }) => isReached)
  const tested = outcomes.filter(({ hits }) => hits > 0)
  const date = new Date(createdAt).toISOString().slice(0, 10)
  const facts = [
    ...(name === key ? [] : [name]),
    type,
    owner === "" ? "no owner" : owner,
    ...(tags.length === 0 ? [] : [tags.join(", ")]),
    `since ${date} (${ageWords(createdAt, now)})`,
    ...(expires === "" ? [] : [`expires ${expires} (${expiryWords(expires, now)})`]),
    isTested ? `specs cover ${tested.length} of ${outcomes.length} outcomes` : "untested (no spec)",
  ]
  return element("ul", { className: "facts" }, ...facts.map((fact) => element("li", {}, shown(fact))))
}

function fillSide(
  side: HTMLElement,
  { reached, changedAt }: CellView,
  at: number,
  flag: FlagView,
  data: PageData,
): void {
  const answer = side.querySelector("dd") ?? side
  const items = side.querySelectorAll("li")
  for (const [rule, item] of [...(items.length === 0 ? [answer] : items)].entries()) {
    const own = reached[rule]
    if (own !== undefined) item.append(notesOf(own, flag, data))
  }
  if (changedAt !== undefined)
    answer.append(element("p", {}, `Changed ${new Date(changedAt).toISOString().slice(0, 10)}`))
  const environment = data.environments[at] ?? ""
  const received = flag.entry(at)
  const entry = element("pre", { tabIndex: 0 }, printableJson(JSON.stringify(received, null, 2)))
  entry.setAttribute("aria-label", `Entry in ${environment}`)
  answer.append(element("details", {}, element("summary", {}, "What SDKs receive"), entry))
  const ways = waysToChange(received, environment, reached[0]?.line, flag, data)
  if (ways.length > 0)
    answer.append(element("details", { className: "change" }, element("summary", {}, "Change …"), ...ways))
}

/** The command to copy, the form, and the file in the forge's editor, as far as there are any. */
function waysToChange(
  received: FlagEntry,
  environment: string,
  line: number | undefined,
  flag: FlagView,
  { edits, form }: PageData,
): readonly Node[] {
  const action = actionOn(received)
  const command = `npx flagstone set ${flag.key} --in ${environment} ${action}`
  const links = [
    ...(form === "" ? [] : [element("a", { href: form }, "Fill in the form")]),
    ...(edits === "" ? [] : [element("a", { href: fileAddress(flag, edits, line) }, "Edit the file")]),
  ]
  return [
    ...(action === undefined ? [] : [element("pre", { tabIndex: 0 }, command)]),
    ...(links.length === 0 ? [] : [element("p", {}, ...separated(links.map((link) => [link])))]),
  ]
}

/** The option of `set` that switches a flag; `undefined`: the value that it should give must be written by hand. */
function actionOn({ flag, environment }: FlagEntry): string | undefined {
  if (environment !== null) return environment.enabled ? "--off" : "--on"
  return typeof flag.defaultValue === "boolean" ? `--everyone ${!flag.defaultValue}` : undefined
}

/** Notes on a rule: an example context, its specs, and its line. */
function notesOf({ isReached, hits, witness, line }: Reached, flag: FlagView, data: PageData) {
  const notes: (Node | string)[][] = []
  if (witness !== "" && witness !== "{}")
    notes.push(["for example ", element("code", {}, printableJson(witness))])
  if (isReached && flag.isTested)
    notes.push([hits === 0 ? "not covered by a spec" : `${hits} spec case${hits === 1 ? "" : "s"}`])
  if (line !== undefined) {
    const words = `line ${line}`
    notes.push([
      data.files === "" ? words : element("a", { href: fileAddress(flag, data.files, line) }, words),
    ])
  }
  return element("small", {}, ...separated(notes))
}

function separated(notes: readonly (readonly (Node | string)[])[]): readonly (Node | string)[] {
  return notes.flatMap((note, at) => (at === 0 ? note : [" · ", ...note]))
}

function fileAddress({ path }: FlagView, files: string, line?: number): string {
  const address = files + path.split("/").map(encodeURIComponent).join("/")
  return line === undefined ? address : `${address}#L${line}`
}
