import { pathToFileURL } from "node:url"
import type { Browser, Page } from "puppeteer-core"
import { afterAll, beforeAll, expect } from "vitest"
import { openBrowser, openTab } from "../../browser.ts"
import { createCatalogProject, writeCatalog } from "./catalog-project.ts"

/** Opens a browser for the tests of a file, and the page of the small project in it. */
export function useBrowser() {
  let browser: Browser
  let url = ""
  beforeAll(async () => {
    browser = await openBrowser()
    url = pathToFileURL((await writeCatalog(createCatalogProject())).path).href
  })
  afterAll(() => browser.close())

  /** Opens the page at an address, and closes it; throws if something forbidden has happened. */
  async function inPage(
    hash: string,
    act: (page: Page) => Promise<void>,
    before?: (page: Page) => Promise<void>,
  ) {
    const { page, trouble } = await openTab(browser)
    await page.setViewport({ width: 1280, height: 900 })
    await before?.(page)
    await page.goto(url + hash)
    await act(page)
    expect(trouble).toEqual([])
    await page.close()
  }

  return { inPage, openTab: () => openTab(browser) }
}

/** The keys of the flags in the table. */
export function shownKeys(page: Page): Promise<readonly (string | null)[]> {
  return page.$$eval("tbody tr:not([hidden]) th a", (links) => links.map(({ textContent }) => textContent))
}
