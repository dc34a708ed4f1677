import { type Address, addressOf, type View } from "./address.ts"
import { byId, element } from "./element.ts"
import type { FlagView } from "./flag-view.ts"
import type { Question } from "./questions.ts"

/** Makes a control show a view. */
export type ShowIn = (view: View) => void

/** The form that filters the flags. */
export function openFilter(address: Address): ShowIn {
  const filter = byId("filter") as HTMLFormElement
  filter.addEventListener("submit", (event) => event.preventDefault())
  filter.addEventListener("input", (event) => {
    const { name, value } = event.target as HTMLInputElement
    const next = { ...address.view(), [name]: value }
    if (name === "q") address.replaceBy(next)
    else address.goTo(next)
  })
  return (view) => {
    for (const control of filter.elements)
      if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) {
        const text = view[control.name] ?? ""
        if (control.value !== text) control.value = text
      }
  }
}

/** A link for each question, with the number of flags that it holds for; first those that hold for any. */
export function addQuestionLinks(
  questions: ReadonlyMap<string, Question>,
  flags: readonly FlagView[],
): ShowIn {
  const links = [...questions].map(([name, { words, holds }]) => {
    const count = flags.filter(holds).length
    const link = element("a", { href: addressOf({ ask: name }) }, element("b", {}, `${count}`), ` ${words}`)
    link.classList.toggle("zero", count === 0)
    return { name, link, count }
  })
  const answered = Map.groupBy(links, ({ count }) => count === 0)
  for (const isZero of [false, true])
    byId("questions").append(...(answered.get(isZero) ?? []).map(({ link }) => link))
  return (view) => {
    for (const { name, link } of links)
      if (view.ask === name) link.setAttribute("aria-current", "true")
      else link.removeAttribute("aria-current")
    byId("meaning").textContent = questions.get(view.ask ?? "")?.meaning ?? ""
  }
}

/** Makes the column heads sort the flags. `usualOrder` is the column of views that name none; `""`: the file's order. */
export function addSortButtons(address: Address, usualOrder: string): ShowIn {
  const heads = [...document.querySelectorAll<HTMLTableCellElement>("[data-column]")]
  for (const head of heads) {
    const { column = "" } = head.dataset
    const button = element("button", { type: "button" }, head.textContent)
    button.addEventListener("click", () => {
      const { sort = usualOrder, ...view } = address.view()
      address.goTo({ ...view, sort: sort === column ? `-${column}` : column })
    })
    head.replaceChildren(button)
  }
  return ({ sort = usualOrder }) => {
    for (const head of heads) {
      const { column } = head.dataset
      head.ariaSort = sort === column ? "ascending" : sort === `-${column}` ? "descending" : "none"
    }
  }
}
