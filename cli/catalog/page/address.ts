/** What the address says of the page: names and texts, none of which is empty. */
export type View = Readonly<Record<string, string>>

/** Reads the address, so that a view can be sent to somebody. */
export function readView(): View {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
}

/** The fragment of a view. Slashes stay: flag keys have them, and the fragment is also the id of the flag's details. */
export function addressOf(view: View): string {
  const set = Object.entries(view).filter(([, text]) => text !== "")
  return `#${new URLSearchParams(set).toString().replaceAll("%2F", "/")}`
}

/** Goes to a view. `replace` keeps it out of the way back, as for each letter that is typed. */
export function goTo(view: View, replace = false): void {
  if (replace) {
    history.replaceState(null, "", addressOf(view))
    dispatchEvent(new HashChangeEvent("hashchange"))
  } else location.hash = addressOf(view)
}
