import { byId } from "./element.ts"
import type { FlagView } from "./flag-view.ts"

/** Escape closes the open flag, `/` begins a search, and what has the focus is in sight. */
export function followKeyboard(opened: () => FlagView | undefined, close: () => void): void {
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
