/** What the page shows: names and strings. An empty string counts as absent. */
export type View = Readonly<Record<string, string>>

/** The fragment of a view. Slashes stay: flag keys have them, and the fragment is also the id of the flag's details. */
export function addressOf(view: View): string {
  const set = Object.entries(view).filter(([, text]) => text !== "")
  return `#${new URLSearchParams(set).toString().replaceAll("%2F", "/")}`
}

/** The view that the page shows, kept in its address so that it can be shared. */
export interface Address {
  readonly view: () => View
  /** Shows a view and adds it to the browser's history. */
  readonly goTo: (view: View) => void
  /** Replaces the current view, as for each letter that is typed. */
  readonly replaceBy: (view: View) => void
}

/** Calls `show` with each view of the page. */
export function openAddress(show: () => void): Address {
  /** The view not yet in the address bar. Writing it takes 30 ms with 10,000 links, so it is debounced. */
  let pending: View | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function write(): void {
    if (pending !== undefined) history.replaceState(null, "", addressOf(pending))
    forget()
  }

  function forget(): void {
    clearTimeout(timer)
    pending = undefined
  }

  addEventListener("hashchange", () => {
    forget()
    show()
  })
  return {
    view: () => pending ?? Object.fromEntries(new URLSearchParams(location.hash.slice(1))),
    goTo(view) {
      write()
      location.hash = addressOf(view)
    },
    replaceBy(view) {
      forget()
      pending = view
      timer = setTimeout(write, 150)
      show()
    },
  }
}
