import type { Context } from "../../../sdk/evaluation/evaluator.ts"
import { addressOf, openAddress, type View } from "./address.ts"
import { paintAges } from "./ages.ts"
import { byId, element } from "./element.ts"
import { type FlagView, flagView } from "./flag-view.ts"
import { fillDetails } from "./opened.ts"
import type { PageData } from "./page-data.ts"
import { questionsOf } from "./questions.ts"
import { openTable } from "./table.ts"
import { createEvaluators, type Given, giveAll, openForm, paintValues } from "./try-it.ts"

// The entry point of the catalogue's page. It filters, sorts, opens and evaluates; everything else is already HTML.

document.documentElement.classList.add("js")
addEventListener("DOMContentLoaded", () => {
  const now = Date.now()
  const data: PageData = JSON.parse(byId("data").textContent)
  const environments = data.environments.map(({ name }) => name)
  const rows = [...document.querySelectorAll<HTMLTableRowElement>("#matrix tbody tr")]
  const articles = [...document.querySelectorAll<HTMLElement>("#details article")]
  const flags = data.flags.map((_, at) => {
    return flagView(at, rows[at] as HTMLTableRowElement, articles[at] as HTMLElement, data)
  })
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  const questions = questionsOf({ ...data, now, environments })
  const table = openTable(flags, environments, questions)
  const filter = byId("filter") as HTMLFormElement
  const tryForm = byId("try").querySelector("form") as HTMLFormElement
  const form = openForm(tryForm, byId("fault"))
  const evaluators = createEvaluators(flags, environments)
  const address = openAddress(show)
  const usualOrder = data.changed > 0 ? "" : "flag"
  const links = questionLinks()
  const heads = sortButtons()
  let opened: FlagView | undefined
  let evaluated: string | undefined
  let give: ((flag: FlagView) => readonly (Given | undefined)[]) | undefined

  function questionLinks(): ReadonlyMap<string, HTMLAnchorElement> {
    const made = [...questions].map(([name, { words, holds }]) => {
      const count = flags.filter(holds).length
      const link = element("a", { href: addressOf({ ask: name }) }, element("b", {}, `${count}`), ` ${words}`)
      link.classList.toggle("zero", count === 0)
      return [name, link] as const
    })
    const answered = Map.groupBy(made, ([, link]) => link.classList.contains("zero"))
    for (const isZero of [false, true])
      byId("questions").append(...(answered.get(isZero) ?? []).map(([, link]) => link))
    return new Map(made)
  }

  function sortButtons(): readonly HTMLTableCellElement[] {
    const cells = [...document.querySelectorAll<HTMLTableCellElement>("[data-column]")]
    for (const cell of cells) {
      const { column = "" } = cell.dataset
      const button = element("button", { type: "button" }, cell.textContent)
      button.addEventListener("click", () => {
        const { sort = usualOrder, ...view } = address.view()
        address.goTo({ ...view, sort: sort === column ? `-${column}` : column })
      })
      cell.replaceChildren(button)
    }
    return cells
  }

  function show(): void {
    const view = address.view()
    const count = table.show(view)
    byId("count").textContent =
      count === flags.length ? `${count} flags` : `${count} of ${flags.length} flags`
    for (const control of filter.elements)
      if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
        const text = view[control.name] ?? ""
        if (control.value !== text) control.value = text
      }
    for (const [name, link] of links)
      if (view.ask === name) link.setAttribute("aria-current", "true")
      else link.removeAttribute("aria-current")
    byId("meaning").textContent = questions.get(view.ask ?? "")?.meaning ?? ""
    const { sort = usualOrder } = view
    for (const cell of heads) {
      const { column } = cell.dataset
      cell.ariaSort = sort === column ? "ascending" : sort === `-${column}` ? "descending" : "none"
    }
    open(byKey.get(view.flag ?? ""), view)
    void evaluate(view)
  }

  function open(flag: FlagView | undefined, view: View): void {
    const before = opened
    opened = flag
    if (before !== flag) {
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
    if (flag === undefined) return
    flag.article.querySelector(".close")?.remove()
    flag.article.prepend(
      element("a", { className: "close", href: addressOf({ ...view, flag: "" }) }, "Close"),
    )
    explain(flag)
  }

  /** Adds to an open flag which value the context gets and why. */
  function explain(flag: FlagView): void {
    const given = give?.(flag)
    for (const [at, side] of [...flag.article.querySelectorAll("dl>div")].entries()) {
      side.querySelector(".why")?.remove()
      const why = given?.[at]?.why
      if (why !== undefined) side.append(element("dd", { className: "why" }, `With this context: ${why}.`))
    }
  }

  async function evaluate({ context }: View): Promise<void> {
    if (context === evaluated) return
    evaluated = context
    form.show(context ?? "")
    const parsed: Context | undefined = context === undefined ? undefined : form.read(context)
    if (context !== undefined) (byId("try") as HTMLDetailsElement).open = true
    const ready = parsed === undefined ? [] : await evaluators()
    if (context !== evaluated) return // the context has changed meanwhile
    give = parsed && ((flag) => giveAll(flag, parsed, ready, environments))
    document.documentElement.classList.toggle("trying", give !== undefined)
    paintAll()
    if (opened !== undefined) explain(opened)
    if (context === undefined) delete document.documentElement.dataset.context
    else document.documentElement.dataset.context = context
  }

  function paintAll(): void {
    for (const flag of flags) paintValues(flag, give?.(flag))
  }

  filter.addEventListener("submit", (event) => event.preventDefault())
  filter.addEventListener("input", (event) => {
    const { name, value } = event.target as HTMLInputElement
    const next = { ...address.view(), [name]: value }
    if (name === "q") address.replaceBy(next)
    else address.goTo(next)
  })
  tryForm.addEventListener("submit", (event) => {
    event.preventDefault()
    const { value } = tryForm.elements.namedItem("context") as HTMLTextAreaElement
    if (form.read(value) !== undefined) address.goTo({ ...address.view(), context: value || "{}" })
  })
  tryForm.addEventListener("reset", () => address.goTo({ ...address.view(), context: "" }))
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#flag="]')
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    address.goTo({ ...address.view(), flag: link.textContent })
  })
  const close = () => address.goTo({ ...address.view(), flag: "" })
  let byKeyboard = false // fields match `:focus-visible` after a click, too
  addEventListener("keydown", () => (byKeyboard = true), true)
  addEventListener("pointerdown", () => (byKeyboard = false), true)
  document.addEventListener("focusin", ({ target }) => {
    const one = target as Element
    if (!byKeyboard || !one.matches(":focus-visible")) return
    if (opened?.article.contains(one) === false) close() // or the focus would be hidden behind it
    one.scrollIntoView({ block: "nearest", inline: "nearest" }) // browsers do not scroll to half-visible elements
  })
  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
    if (event.key === "Escape" && opened !== undefined) close()
    else if (event.key === "/" && !isTyping) {
      event.preventDefault()
      filter.querySelector("input")?.focus()
    }
  })
  const unfolded: HTMLDetailsElement[] = []
  addEventListener("beforeprint", () => {
    for (const flag of flags) {
      flag.article.hidden = flag.row.hidden
      if (flag.row.hidden) continue
      const folded = fillDetails(flag, data, now).querySelectorAll<HTMLDetailsElement>("details:not([open])")
      for (const details of folded) details.open = true
      unfolded.push(...folded)
    }
  })
  addEventListener("afterprint", () => {
    for (const { article } of flags) article.hidden = false
    for (const details of unfolded.splice(0)) details.open = false
  })
  for (const flag of flags) paintAges(flag, now)
  show()
})
