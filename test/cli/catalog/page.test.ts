// @module-tag system
// @module-tag slow
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import fc from "fast-check"
import type { Page } from "puppeteer-core"
import { describe, expect, test } from "vitest"
import { chromium } from "../../browser.ts"
import { createProjectRepository } from "../../repository.ts"
import { ownVectors } from "../../sdk/evaluation/vectors.ts"
import { createCatalogProject, writeCatalog } from "./catalog-project.ts"
import { attacks, hostilePage, hostileText } from "./hostile-page.ts"
import { shownKeys, useBrowser } from "./in-page.ts"
import { vectorPages } from "./vector-pages.ts"

const axe = readFileSync(new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8")

describe.skipIf(chromium === undefined)("the page in Chromium, from file://", () => {
  const { inPage, openTab } = useBrowser()

  test("a page that is shown before its script has run still gets ages and values", () =>
    inPage(
      "",
      async (page) => {
        await page.waitForSelector("tbody td:last-child small")
        await page.evaluate(() => {
          location.hash = "context={}"
        })
        await page.waitForSelector("tbody .given")
      },
      async (page) => {
        await page.evaluateOnNewDocument(() => {
          const add = addEventListener
          const addLate = (name: string, listener: () => void) =>
            add(name, name === "DOMContentLoaded" ? () => setTimeout(listener, 300) : listener)
          Object.assign(globalThis, { addEventListener: addLate })
        })
      },
    ))

  test("its questions find the flags that `stale` lists", async () => {
    const repository = createProjectRepository()
    repository.write(
      "flags/project.yaml",
      "project: shop\nenvironments: [staging, production]\nprotected: [production]\nclock: now\n",
    )
    const rampTo = (end: number) =>
      `{ enabled: true, rules: [{ ramp: { by: id, stages: [{ at: 2020-01-05T00:00:00Z, share: 5 }, { at: 2020-01-20T00:00:00Z, share: ${end} }] }, returnValue: true }] }`
    const on = "{ enabled: true, rules: [{ operator: always, returnValue: true }] }"
    const off = "{ enabled: false, rules: [] }"
    const empty = "{ enabled: true, rules: [] }"
    const flags = {
      everywhere: `{ staging: ${on}, production: ${on} }`,
      launched: `{ production: ${on} }`,
      decided: `{ staging: ${on}, production: ${empty} }`,
      unlaunched: `{ staging: ${on} }`,
      disabled: `{ staging: ${on}, production: ${off} }`,
      removed: `{ staging: ${on}, production: ${on} }`,
      unused: `{ staging: ${off} }`,
      canary: `{ production: ${rampTo(60)} }`,
      grown: `{ production: ${rampTo(100)} }`,
    }
    const write = (key: string, environments: string) =>
      repository.write(`flags/${key}.yaml`, `defaultValue: false\nenvironments: ${environments}\n`)
    for (const [key, environments] of Object.entries(flags)) write(key, environments)
    repository.commit(0)
    write("removed", "{}")
    repository.commit(100 * 86_400)
    const url = pathToFileURL((await writeCatalog(repository)).path).href
    const settled = { settled: ["everywhere"], "settled-in-protected": ["decided", "launched"] }
    const unsettled = { "never-on": ["unused"], stuck: ["canary"], over: ["grown"], expired: [] }
    for (const [days, expected] of [
      [129, { ...settled, ...unsettled }],
      [130, { ...settled, ...unsettled, settled: ["everywhere", "removed"] }],
    ] as const) {
      const now = Date.UTC(2020, 0, 1) + days * 86_400_000
      const { out } = await repository.flagstone(["stale", "--format", "json"], { now: () => now })
      const listed: readonly { key: string; reasons: readonly { state: string }[] }[] = JSON.parse(out)
      for (const [state, keys] of Object.entries(expected)) {
        const having = listed.filter(({ reasons }) => reasons.some((reason) => reason.state === state))
        expect([days, state, having.map(({ key }) => key)]).toEqual([days, state, keys])
        const { page, trouble } = await openTab()
        await page.evaluateOnNewDocument((at) => {
          Date.now = () => at
        }, now)
        await page.goto(`${url}#ask=${state}`)
        expect([days, state, await shownKeys(page)]).toEqual([days, state, keys])
        const cells = await page.$$eval("#matrix tbody tr:not([hidden])", (rows) =>
          rows.map((row) => row.innerText),
        )
        if (state === "stuck") expect(cells[0]).toMatch(/60 % since 2020-01-20 00:00 UTC/)
        expect(trouble).toEqual([])
        await page.close()
      }
    }
  })

  test("every vector gives its value", { timeout: 120_000 }, async () => {
    const { page, trouble } = await openTab()
    const wrong: unknown[] = []
    let count = 0
    for (const { text, cases } of await vectorPages()) {
      await page.goto("about:blank") // otherwise the address would keep the last context of the previous page
      await page.setContent(text)
      const given = await page.evaluate(
        async (contexts) => {
          const all: string[][] = []
          for (const context of contexts) {
            location.hash = `context=${encodeURIComponent(context)}`
            while (document.documentElement.dataset.context !== context)
              await new Promise((done) => setTimeout(done))
            all.push(
              [...document.querySelectorAll("tbody td .given code")].map(({ textContent }) => textContent),
            )
          }
          return all
        },
        [...cases.keys()],
      )
      for (const [at, expected] of [...cases.values()].entries())
        for (const { column, value } of expected) {
          count++
          if (given[at]?.[column] !== value) wrong.push({ value, given: given[at]?.[column] })
        }
    }
    expect(wrong).toEqual([])
    expect(count).toBe(ownVectors.length)
    expect(trouble).toEqual([])
    await page.close()
  })

  test("no author's text becomes anything but text", async () => {
    const { page, trouble } = await openTab()
    const outline = (texts: readonly string[]) =>
      page.evaluate(
        (html) =>
          [...new DOMParser().parseFromString(html, "text/html").querySelectorAll("*")].map(
            (one) => `${one.localName} ${one.getAttributeNames()}`,
          ),
        hostilePage(texts),
      )
    const plain = await outline(Array.from({ length: 6 }, (_, at) => `text ${at}`))
    await fc.assert(
      fc.asyncProperty(fc.array(hostileText, { minLength: 6, maxLength: 6 }), async (texts) => {
        expect(await outline(texts.map((text, at) => `${at}${text}`))).toEqual(plain)
      }),
      { numRuns: 150 },
    )
    await page.setContent(hostilePage([...attacks.slice(0, 5), attacks.at(-1) ?? ""]))
    await page.evaluate(() => {
      location.hash = "flag=hostile"
    })
    await page.waitForSelector("article.open")
    const entry = await page.$eval("article.open pre", (pre) => JSON.parse(pre.textContent))
    expect([entry.flag.name, entry.flag.description]).toEqual([attacks[2], attacks[3]]) // to the letter
    expect(
      await page.$$eval("article.open .links a", (all) =>
        all.map((link) => (link as HTMLAnchorElement).protocol),
      ),
    ).toEqual(["https:"])
    const text = await page.$eval("article.open", ({ textContent }) => textContent)
    expect(text).not.toMatch(/\p{Bidi_Control}|[\u{e0000}-\u{e007f}]/u) // characters that reverse the direction, or are invisible
    await page.evaluate(() => {
      location.hash = `context=${encodeURIComponent('{"x":"a"}')}`
    })
    await page.waitForSelector(".trying .given")
    expect(await page.$$("img, iframe, [onerror], [onload]")).toHaveLength(0)
    expect(await page.evaluate(() => "attacked" in globalThis)).toBe(false)
    expect(trouble).toEqual([])
    await page.close()
  }, 60_000)

  test("on a phone, the matrix scrolls sideways to its last column", () =>
    inPage("", async (page) => {
      await page.setViewport({ width: 390, height: 900 })
      const last = await page.$eval("#matrix", (matrix) => {
        matrix.scrollLeft = matrix.scrollWidth
        const { right, top } = (
          matrix.querySelector("tbody td:last-child") as Element
        ).getBoundingClientRect()
        return document.elementFromPoint(right - 30, top + 10)?.closest("td")?.innerText
      })
      expect(last).toMatch(/^2020-01-01/)
    }))

  test("without a script the page has the matrix and the rules", () =>
    inPage(
      "",
      async (page) => {
        await page.setViewport({ width: 1280, height: 3000 }) // elements out of sight are not laid out, so they have no innerText
        const text = await page.$eval("body", (body) => body.innerText)
        expect(text).toMatch(/20 % by customerId/)
        expect(text).toMatch(/"dark" for users with plan pro/)
        expect(text).not.toMatch(/Try it|Owner\nany/)
      },
      (page) => page.setJavaScriptEnabled(false),
    ))

  test.each(["light", "dark"].flatMap((scheme) => [1280, 360].map((width) => [scheme, width] as const)))(
    "axe finds nothing: %s, %i px",
    (scheme, width) =>
      inPage(
        "",
        async (page) => {
          for (const hash of ["", "flag=theme", "context={}"]) {
            await page.evaluate((to) => {
              location.hash = to
            }, hash)
            await page.evaluate(() => new Promise(requestAnimationFrame))
            expect(await violations(page)).toEqual([])
            expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
          }
        },
        async (page) => {
          await page.evaluateOnNewDocument(axe)
          await page.setViewport({ width, height: 800 })
          await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }])
        },
      ),
    30_000,
  )

  test("axe finds nothing on the page of a branch, with an open flag", async () => {
    const repository = createCatalogProject()
    repository.git("switch", "-q", "-c", "topic")
    repository.write("flags/zebra.yaml", "defaultValue: false\n")
    repository.remove("flags/same.yaml")
    repository.commit(3 * 86_400)
    const { path } = await writeCatalog(repository, { base: "main" })
    const { page, trouble } = await openTab()
    await page.goto(`${pathToFileURL(path).href}#flag=zebra`)
    await page.evaluate(axe)
    expect(await violations(page)).toEqual([])
    expect(trouble).toEqual([])
    await page.close()
  })
})

/** What axe finds in a page that has loaded it. */
function violations(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: readonly AxeViolation[] }> }
    }
    const { violations } = await axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).slice(0, 3)}`)
  })
}

interface AxeViolation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}
