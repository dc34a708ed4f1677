// @module-tag system
// @module-tag slow
import { pathToFileURL } from "node:url"
import type { Browser, KeyInput, Page } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { chromium, openBrowser, openTab } from "../../browser.ts"
import { createCatalogProject, writeCatalog } from "./catalog-project.ts"

describe.skipIf(chromium === undefined)("the page with the keyboard alone", () => {
  let browser: Browser
  let url = ""
  beforeAll(async () => {
    browser = await openBrowser()
    const repository = createCatalogProject()
    repository.git("switch", "-q", "-c", "topic")
    for (let flag = 0; flag < 20; flag++) repository.write(`flags/f${flag}.yaml`, "defaultValue: false\n")
    repository.write(
      "flags/zebra.yaml",
      "defaultValue: false\nlinks: [{ title: The ticket, url: https://a.example/1 }]\n" +
        "environments:\n  production: { enabled: true, rules: [{ flag: checkout, returnValue: true }] }\n",
    )
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", "Add the zebra (#12)")
    const { path } = await writeCatalog(repository, { base: "main", baseUrl: "https://github.com/acme/shop" })
    url = pathToFileURL(path).href
  })
  afterAll(() => browser.close())

  async function inPage(hash: string, width: number, act: (page: Page) => Promise<void>) {
    const { page, trouble } = await openTab(browser)
    await page.evaluateOnNewDocument(noteListeners)
    await page.setViewport({ width, height: 800 })
    await page.goto(url + hash)
    if (hash.includes("context=")) await page.waitForSelector(".trying")
    await act(page)
    expect(trouble).toEqual([])
    await page.close()
  }

  const atBothWidths = (hashes: readonly string[]) =>
    hashes.flatMap((hash) => [1280, 390].map((width) => [hash, width] as const))

  test.each(atBothWidths(["#", "#ask=branch&context={}"]))(
    "Tab, and Shift-Tab back, reach all that a mouse can use, in sight: %s at %i px",
    (hash, width) =>
      inPage(hash, width, async (page) => {
        await unfold(page)
        const usable = await page.evaluate(nameUsable, "body")
        expect(await walk(page, "Tab")).toEqual(usable)
        expect(await walk(page, "Shift+Tab")).toEqual(usable.toReversed())
      }),
  )

  test.each(atBothWidths(["#flag=zebra", "#flag=checkout&context={}"]))(
    "Tab reaches all of an open flag, which closes where the focus leaves it: %s at %i px",
    (hash, width) =>
      inPage(hash, width, async (page) => {
        await unfold(page)
        await page.evaluate(nameUsable, "body")
        const usable = await page.evaluate(nameUsable, "article.open")
        expect(usable.length).toBeGreaterThan(9)
        expect(await walk(page, "Tab")).toEqual(usable)
        expect(await page.$$("article.open")).toHaveLength(1) // the focus is the browser's now
        await press(page, "Shift+Tab")
        expect(await page.evaluate(focused)).toBe(usable.at(-1))
        for (const _ of usable) await press(page, "Shift+Tab")
        await page.waitForSelector("article.open", { hidden: true })
        expect(await page.evaluate(() => document.activeElement?.closest("tbody") !== null)).toBe(true)
        expect(await page.evaluate(focused)).not.toMatch(/hidden|unmarked/)
      }),
  )

  test.each<readonly [string, string, KeyInput]>([
    ["", '#questions a[href="#ask=unowned"]', "Enter"],
    ["#owner=team-a", "#filter > a", "Enter"],
    ["", '[data-column="owner"] button', "Enter"],
    ["#sort=owner", '[data-column="owner"] button', "Space"],
    ["#owner=team-a", "tbody tr:not([hidden]) a", "Enter"],
    ["", "#branch summary", "Enter"],
    ["", "#try summary", "Space"],
    ['#context={"plan":"pro"}', "#try [type=reset]", "Enter"],
    ["#flag=zebra", ".open a.close", "Enter"],
    ["#flag=zebra", '.open a[href="#flag=checkout"]', "Enter"],
    ["#flag=checkout", ".open dl summary", "Space"],
  ])("on %s, %s does by %s what it does by a click", async (hash, selector, key) => {
    const outcomes: string[] = []
    for (const act of [
      (page: Page) => page.$eval(selector, (one) => (one as HTMLElement).click()),
      async (page: Page) => {
        await page.focus(selector)
        await page.keyboard.press(key)
      },
    ])
      await inPage(hash, 1280, async (page) => {
        const before = await page.evaluate(stateOf)
        await act(page)
        await page.waitForFunction(`(${stateOf})() !== ${JSON.stringify(before)}`)
        await page.evaluate(() => new Promise(requestAnimationFrame))
        outcomes.push(await page.evaluate(stateOf))
      })
    expect(outcomes[1]).toBe(outcomes[0])
  })

  test("arrows choose in a filter, and the search key works in an open flag and closes it", () =>
    inPage("#flag=zebra", 390, async (page) => {
      await page.keyboard.press("/")
      await page.waitForSelector("article.open", { hidden: true })
      await page.keyboard.type("checkout")
      await press(page, "Tab")
      await page.keyboard.press("ArrowDown")
      await page.waitForFunction(() => location.hash === "#q=checkout&owner=team-a")
    }))

  test("a mouse opens a flag behind an open one without closing that first", () =>
    inPage("#flag=zebra", 1400, async (page) => {
      const before = await page.evaluate(() => history.length)
      await page.click('tbody a[href="#flag=f1"]')
      await page.waitForFunction(() => document.querySelector("article.open h2")?.textContent === "f1")
      expect(await page.evaluate(() => history.length)).toBe(before + 1)
    }))

  test.each(["#filter input", "#filter select"])("a click into %s keeps the flag open", (selector) =>
    inPage("#flag=zebra", 1800, async (page) => {
      await page.click(selector)
      expect(await page.evaluate((one) => document.activeElement?.matches(one), selector)).toBe(true)
      expect(await page.$$("article.open")).toHaveLength(1)
    }),
  )
})

/** Presses a key until the focus leaves the page or comes full circle, and returns what it reached in between. */
async function walk(page: Page, key: "Tab" | "Shift+Tab"): Promise<readonly string[]> {
  const reached: string[] = []
  for (;;) {
    await press(page, key)
    const name = await page.evaluate(focused)
    if (name === "" || reached.includes(name)) return reached
    reached.push(name)
  }
}

async function press(page: Page, key: "Tab" | "Shift+Tab") {
  if (key === "Shift+Tab") await page.keyboard.down("Shift")
  await page.keyboard.press("Tab")
  await page.keyboard.up("Shift")
}

async function unfold(page: Page) {
  await page.$$eval("details", (all) => {
    for (const details of all) details.open = true
  })
}

// The rest runs in the page.

/** The name of the focused element, with a remark if it is covered, out of sight, or not marked. */
function focused(): string {
  const one = document.activeElement as HTMLElement | null
  if (one === null || one === document.body) return ""
  const { left, top, right, bottom } = one.getBoundingClientRect()
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
  const isSeen = [0.1, 0.5, 0.9].every((part) => {
    const at = document.elementFromPoint(left + (right - left) * part, y)
    return at !== null && one.contains(at)
  })
  const isMarked = getComputedStyle(one).outlineStyle !== "none"
  return `${one.dataset.name}${isSeen ? "" : " (hidden)"}${isMarked ? "" : " (unmarked)"}`
}

/** What a control has changed. */
function stateOf(): string {
  const texts = (selector: string) => [...document.querySelectorAll(selector)].map((one) => one.textContent)
  return JSON.stringify([
    location.hash,
    texts("tbody tr:not([hidden]) th a"),
    texts("article.open h2"),
    texts("details[open] summary"),
    texts("[aria-current]"),
    texts(".given"),
  ])
}

/** Records the elements that listen to a mouse themselves. */
function noteListeners() {
  const add = EventTarget.prototype.addEventListener
  EventTarget.prototype.addEventListener = function (this: EventTarget, ...given: Parameters<typeof add>) {
    if (this instanceof HTMLElement && /^(click|dblclick|mouse|pointer|touch)/.test(given[0]))
      this.dataset.listens = ""
    return add.apply(this, given)
  }
}

/** Names everything that a mouse can use: HTML's own controls, elements that listen to it, that show its pointer, or that scroll. */
function nameUsable(within: string): readonly string[] {
  const native = "a[href],button,input,select,textarea,summary,[tabindex='0'],[data-listens]"
  const isUsable = (one: HTMLElement) => {
    const { cursor, overflow } = getComputedStyle(one)
    const isPointed = cursor === "pointer" && getComputedStyle(one.parentElement as Element).cursor !== cursor
    const isLarger = one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight
    const isScrolled = /auto|scroll/.test(overflow) && isLarger && one.querySelector(native) === null
    return one.matches(native) || isPointed || isScrolled
  }
  const usable = [...document.querySelectorAll<HTMLElement>(`${within} *`)].filter(
    (one) => one.checkVisibility() && isUsable(one),
  )
  for (const [at, one] of usable.entries())
    one.dataset.name = `${within} ${at}: ${one.localName} ${one.textContent.trim().slice(0, 40)}`
  return usable.map(({ dataset }) => dataset.name ?? "")
}
