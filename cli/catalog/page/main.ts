import type { PageData } from "../page-data.ts"
import { addressOf, goTo, readView, type View } from "./address.ts"
import { byId, element } from "./element.ts"
import { type FlagView, flagView } from "./flag-view.ts"
import { fillDetails } from "./opened.ts"
import { questionsOf } from "./questions.ts"
import { openTable } from "./table.ts"
import { createEvaluators, openForm, paintValues } from "./try-it.ts"

// The entry of the catalogue's page. It filters, sorts, opens and evaluates; all else is HTML already.

document.documentElement.classList.add("js")
addEventListener("DOMContentLoaded", () => {
  const data: PageData = JSON.parse(byId("data").textContent)
  const environments = data.environments.map(({ name }) => name)
  const flags = data.flags.map((flag) => flagView(flag, data))
  const byKey = new Map(flags.map((flag) => [flag.key, flag]))
  const questions = questionsOf({ now: Date.now(), environments, live: data.live })
  const table = openTable(flags, environments, questions)
  const filter = byId("filter") as HTMLFormElement
  const tryForm = byId("try").querySelector("form") as HTMLFormElement
  const form = openForm(tryForm, byId("fault"))
  const evaluators = createEvaluators(flags, environments)
  const links = questionLinks()
  const heads = sortButtons()
  let opened: FlagView | undefined
  let evaluated: string | undefined

  function questionLinks(): ReadonlyMap<string, HTMLAnchorElement> {
    const made = [...questions].map(([name, { words, holds }]) => {
      const count = element("b", {}, String(flags.filter(holds).length))
      const link = element("a", { href: addressOf({ ask: name }) }, count, ` ${words}`)
      return [name, link] as const
    })
    byId("questions").append(...made.map(([, link]) => link))
    return new Map(made)
  }

  function sortButtons(): readonly HTMLTableCellElement[] {
    const cells = [...document.querySelectorAll<HTMLTableCellElement>("[data-column]")]
    for (const cell of cells) {
      const { column = "" } = cell.dataset
      const button = element("button", { type: "button" }, cell.textContent)
      button.addEventListener("click", () => {
        const { sort = "flag", ...view } = readView()
        goTo({ ...view, sort: sort === column ? `-${column}` : column })
      })
      cell.replaceChildren(button)
    }
    return cells
  }

  function show(): void {
    const view = readView()
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
    const { sort = "flag" } = view
    for (const cell of heads) {
      const { column } = cell.dataset
      cell.ariaSort = sort === column ? "ascending" : sort === `-${column}` ? "descending" : "none"
    }
    open(byKey.get(view.flag ?? ""), view)
    void evaluate(view)
  }

  function open(flag: FlagView | undefined, view: View): void {
    if (opened !== flag) {
      const before = opened
      if (before !== undefined) byId(`flag=${before.key}`).classList.remove("open")
      opened = flag
      if (flag === undefined) {
        const link = before && table.rows.find((row) => row.flag === before)?.row.querySelector("a")
        link?.focus({ preventScroll: true })
      } else {
        const article = fillDetails(flag, data)
        article.classList.add("open")
        article.tabIndex = -1
        article.focus()
        article.scrollTop = 0
      }
    }
    if (flag === undefined) return
    const article = byId(`flag=${flag.key}`)
    article.querySelector(".close")?.remove()
    article.prepend(element("a", { className: "close", href: addressOf({ ...view, flag: "" }) }, "Close"))
  }

  async function evaluate({ context }: View): Promise<void> {
    if (context === evaluated) return
    evaluated = context
    form.show(context ?? "")
    const parsed = context === undefined ? undefined : form.read(context)
    document.documentElement.classList.toggle("trying", parsed !== undefined)
    if (context !== undefined) (byId("try") as HTMLDetailsElement).open = true
    if (parsed === undefined) return
    const ready = await evaluators()
    if (context !== evaluated) return // another one was asked for meanwhile
    table.repaint((row) => paintValues(row, parsed, ready, environments))
    document.documentElement.dataset.context = context
  }

  filter.addEventListener("submit", (event) => event.preventDefault())
  filter.addEventListener("input", (event) => {
    const { name, value } = event.target as HTMLInputElement
    goTo({ ...readView(), [name]: value }, name === "q")
  })
  tryForm.addEventListener("submit", (event) => {
    event.preventDefault()
    const { value } = tryForm.elements.namedItem("context") as HTMLTextAreaElement
    if (form.read(value) !== undefined) goTo({ ...readView(), context: value || "{}" })
  })
  tryForm.addEventListener("reset", () => goTo({ ...readView(), context: "" }))
  byId("matrix").addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a")
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    goTo({ ...readView(), flag: link.textContent })
  })
  addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
    if (event.key === "Escape" && opened !== undefined) goTo({ ...readView(), flag: "" })
    else if (event.key === "/" && !isTyping) {
      event.preventDefault()
      filter.querySelector("input")?.focus()
    }
  })
  addEventListener("beforeprint", () => {
    for (const { flag, row } of table.rows) if (!row.hidden) fillDetails(flag, data)
    table.paintAll()
  })
  addEventListener("hashchange", show)
  show()
})
