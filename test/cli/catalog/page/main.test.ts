// @module-tag system
// @module-tag slow
import { pathToFileURL } from "node:url"
import type { Page } from "puppeteer-core"
import { describe, expect, test } from "vitest"
import { run } from "../../../../cli/program.ts"
import { chromium } from "../../../browser.ts"
import { createRepository } from "../../../repository.ts"
import { testHost } from "../../../test-host.ts"
import { createCatalogProject, writeCatalog } from "../catalog-project.ts"
import { shownKeys, useBrowser } from "../in-page.ts"

describe.skipIf(chromium === undefined)("the page in Chromium, from file://", () => {
  const { inPage, openTab } = useBrowser()
  const goTo = (page: Page, hash: string) =>
    page.evaluate(
      (to) =>
        new Promise((done) => {
          addEventListener("hashchange", done, { once: true })
          location.hash = to
        }),
      hash,
    )
  const textsOf = (page: Page, selector: string) =>
    page.$$eval(selector, (all) => all.map(({ textContent }) => textContent))
  const hashOf = (page: Page) => page.evaluate(() => decodeURIComponent(location.hash))
  const opened = (page: Page) =>
    page.$$eval("article.open h2", (heads) => heads.map(({ textContent }) => textContent))

  test("the filter reacts to each letter, and the address keeps it", () =>
    inPage("", async (page) => {
      expect(await shownKeys(page)).toEqual(["checkout", "same", "theme"])
      await page.keyboard.press("/")
      await page.keyboard.type("colours")
      expect(await shownKeys(page)).toEqual(["theme"])
      await page.waitForFunction(() => location.hash === "#q=colours") // once the typing pauses
      expect(await page.$eval("#count", ({ textContent }) => textContent)).toBe("1 of 3 flags")
      await page.keyboard.type("x")
      expect(await page.$eval("#nothing", (note) => (note as HTMLElement).hidden)).toBe(false)
      await page.keyboard.press("Backspace")
      await page.click("tbody tr:not([hidden]) a") // also before the typing pauses
      await page.waitForSelector("article.open")
      expect(await hashOf(page)).toBe("#q=colours&flag=theme")
    }))

  test("each address shows its flags, in its order", () =>
    inPage("#owner=team-a", async (page) => {
      expect(await shownKeys(page)).toEqual(["checkout"])
      for (const [hash, keys] of [
        ["#tag=look", ["theme"]],
        ["#environment=production&state=share", ["checkout"]],
        ["#state=none", ["checkout", "same", "theme"]],
        ["#ask=unknown&owner=team-b", ["same"]],
        ["#sort=-flag", ["theme", "same", "checkout"]],
        ["#sort=owner", ["checkout", "same", "theme"]],
        ["#sort=-since", ["same", "theme", "checkout"]],
        ["#sort=expires", ["theme", "checkout", "same"]],
        ["#sort=tags", ["theme", "checkout", "same"]],
        ["#state=on", ["checkout"]],
        ["#state=off", ["same"]],
        ["#environment=staging&state=none", ["same", "theme"]],
        ["#q=TEAM-B", ["same"]],
        ["#q=colours++shop", ["theme"]],
        ["#q=checkout&owner=team-b", []],
      ] as const) {
        await goTo(page, hash)
        expect([hash, await shownKeys(page)]).toEqual([hash, keys])
      }
    }))

  test("a page of several tables sorts, filters and paints all of them", async () => {
    const repository = createRepository()
    repository.write("flags/project.yaml", "project: shop\nenvironments: [live]\n")
    for (let flag = 100; flag < 220; flag++)
      repository.write(`flags/f${flag}.yaml`, `defaultValue: false\nowner: team-${flag % 7}\n`)
    repository.commit(0)
    const { path } = await writeCatalog(repository)
    const { page, trouble } = await openTab()
    await page.goto(`${pathToFileURL(path).href}#sort=-flag`)
    expect((await shownKeys(page)).slice(0, 51)).toEqual(
      Array.from({ length: 51 }, (_, at) => `f${219 - at}`),
    )
    expect(await page.$$("tbody td:last-child small")).toHaveLength(120) // ages
    await page.evaluate(() => {
      location.hash = "q=f101&context={}"
    })
    await page.waitForSelector(".trying")
    expect(await shownKeys(page)).toEqual(["f101"])
    expect(await page.$$eval(".chunk", (all) => all.map((one) => (one as HTMLElement).hidden))).toEqual([
      false,
      true,
      true,
    ])
    expect(await page.$$(".given")).toHaveLength(120)
    await page.evaluate(() => {
      location.hash = ""
    })
    await page.waitForSelector("html:not(.trying)")
    expect(await shownKeys(page)).toHaveLength(120)
    expect(await page.$$(".given")).toHaveLength(0)
    expect(trouble).toEqual([])
    await page.close()
  })

  test("a branch's page begins with its changes, and flags that depend on each other link both ways", async () => {
    const repository = createCatalogProject()
    repository.git("switch", "-q", "-c", "topic")
    repository.write(
      "flags/zebra.yaml",
      "defaultValue: false\nlinks: [{ title: The <b>ticket</b>, url: https://a.example/1 }]\n" +
        "environments:\n  production: { enabled: true, rules: [{ flag: checkout, returnValue: true }] }\n",
    )
    repository.remove("flags/same.yaml")
    repository.commit(3 * 86_400)
    repository.write("README.md", "main has moved on\n")
    const { path } = await writeCatalog(repository, { base: "main" })
    const { page, trouble } = await openTab()
    await page.goto(pathToFileURL(path).href)
    expect(await shownKeys(page)).toEqual(["zebra", "checkout", "theme"])
    expect(await page.$eval("#branch", (branch) => (branch as HTMLElement).innerText)).toBe(
      [
        "Changed by this branch: 2 flags, 1 of them removed\n\nCompared with main.\n",
        "same",
        "flag removed",
        "development: clients in development that ask for it no longer get it",
        "staging: clients in staging that ask for it no longer get it",
        "production: clients in production that ask for it no longer get it",
        "zebra",
        "flag added",
        "production: true for 20 % of users by customerId (seed checkout)",
        "production: false for everyone else",
      ].join("\n"),
    )
    expect(await page.$eval("tbody tr em", ({ textContent }) => textContent)).toBe("new")
    await page.click('#branch a[href="#flag=zebra"]')
    await page.waitForSelector("article.open")
    const text = await page.$eval("article.open", (article) => (article as HTMLElement).innerText)
    expect(text).toMatch(/The <b>ticket<\/b>\n[\s\S]*Depends on checkout\n/)
    await page.evaluate(() => {
      location.hash = "flag=zebra&ask=branch"
    })
    await page.click('article.open p a[href="#flag=checkout"]')
    await page.waitForFunction(() => document.querySelector("article.open h2")?.textContent === "checkout")
    expect(await hashOf(page)).toBe("#flag=checkout&ask=branch")
    expect(await shownKeys(page)).toEqual(["zebra"])
    expect(await page.$eval("article.open", (article) => (article as HTMLElement).innerText)).toMatch(
      /Needed by zebra\n/,
    )
    await page.evaluate(() => {
      location.hash = "sort=flag"
    })
    await page.waitForSelector("article.open", { hidden: true })
    expect(await shownKeys(page)).toEqual(["checkout", "theme", "zebra"])
    expect(trouble).toEqual([])
    await page.close()
  })

  test("an edit of several environments is one entry, with its subject, request, time and author", async () => {
    const repository = createCatalogProject()
    const all = (rules: string) =>
      ["development", "staging", "production"]
        .map((name) => `  ${name}: { enabled: true, rules: [${rules}] }\n`)
        .join("")
    repository.write("flags/same.yaml", `defaultValue: false\nowner: team-b\nenvironments:\n${all("")}`)
    repository.commit(3 * 86_400)
    repository.write(
      "flags/same.yaml",
      `defaultValue: false\nowner: team-b\nenvironments:\n${all("{ operator: always, returnValue: true }")}`,
    )
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", "Show it to <all> (#12)", "--author", "Bea <b@b.example>")
    const { path } = await writeCatalog(repository, { baseUrl: "https://github.com/acme/shop" })
    const { page, trouble } = await openTab()
    await page.goto(`${pathToFileURL(path).href}#flag=same`)
    await page.waitForSelector(".history li")
    const entry = await page.$eval(".history > li", (item) => (item as HTMLElement).innerText)
    expect(entry.replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/, "then").replace(/[0-9a-f]{10}/, "id")).toBe(
      [
        "Show it to <all> (#12)\n",
        "then · Bea · id\n",
        "development, staging, production: rule 1 added: always gives true\n",
        "true instead of false for everyone",
      ].join("\n"),
    )
    expect(await page.$eval(".history b a", (link) => (link as HTMLAnchorElement).href)).toBe(
      "https://github.com/acme/shop/pull/12",
    )
    expect(trouble).toEqual([])
    await page.close()
  })

  test("a flag opens with a key, closes with Esc, and back and forward go through both", () =>
    inPage("#owner=team-a", async (page) => {
      await page.focus("tbody tr:not([hidden]) a")
      await page.keyboard.press("Enter")
      await page.waitForSelector("article.open")
      expect(await opened(page)).toEqual(["checkout"])
      expect(await hashOf(page)).toBe("#owner=team-a&flag=checkout")
      const text = await page.$eval("article.open", (article) => (article as HTMLElement).innerText)
      expect(text).toMatch(/true for 20 % of users by customerId/)
      expect(text).toMatch(/the share of users who get true rises from 10 % to 20 %, by customerId/)
      expect(text).toMatch(/1 spec case/)
      await page.keyboard.press("Escape")
      await page.waitForSelector("article.open", { hidden: true })
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("checkout")
      await page.goBack()
      await page.waitForSelector("article.open")
      await page.goBack()
      await page.waitForSelector("article.open", { hidden: true })
      await page.goForward()
      await page.waitForSelector("article.open")
      expect(await shownKeys(page)).toEqual(["checkout"])
    }))

  test("the filter's fields and the heads show the view", () =>
    inPage("#q=the&tag=look&environment=production&state=rules", async (page) => {
      const fields = () =>
        page.$$eval("#filter input, #filter select", (all) =>
          all.map((field) => `${field.getAttribute("name")}=${(field as HTMLInputElement).value}`),
        )
      const heads = () =>
        page.$$eval("[data-column]:not([aria-sort=none])", (all) =>
          all.map((head) => `${head.getAttribute("data-column")} ${head.ariaSort}`),
        )
      expect(await fields()).toEqual(["q=the", "owner=", "tag=look", "environment=production", "state=rules"])
      expect(await heads()).toEqual(["flag ascending"])
      await goTo(page, "owner=team-a&sort=-owner")
      expect(await fields()).toEqual(["q=", "owner=team-a", "tag=", "environment=", "state="])
      expect(await heads()).toEqual(["owner descending"])
    }))

  test("an open flag has its facts, examples, specs, lines and dates", () =>
    inPage(
      "#flag=theme&q=theme",
      async (page) => {
        const inArticle = (selector: string) => textsOf(page, `article.open ${selector}`)
        const since = "since 2020-01-03 (6 years)"
        expect(await inArticle(".facts li")).toEqual([
          ...["Theme", "string", "no owner", "look, web", since],
          ...["expires 2026-12-01 (in 1 day)", "untested (no spec)"],
        ])
        expect(await inArticle("dl small")).toEqual([
          'for example {"plan":"pro"} · line 12',
          ...["line 13", 'for example {"age":66} · line 14', "", "line 8", ""],
        ])
        expect(await inArticle("dd > p")).toEqual(["Changed 2020-01-03", "Changed 2020-01-03"])
        expect(
          await page.$$eval("article.open pre[aria-label]", (all) => all.map((entry) => entry.ariaLabel)),
        ).toEqual(["Entry in production", "Entry in development", "Entry in staging"])
        expect(
          await page.$$eval("article.open .close", (all) => all.map((link) => link.getAttribute("href"))),
        ).toEqual(["#q=theme"])
        await goTo(page, "flag=checkout")
        expect(await inArticle(".facts li")).toEqual([
          ...["boolean", "team-a", "since 2020-01-01 (6 years)", "specs cover 1 of 4 outcomes"],
        ])
        expect(await inArticle("dl small")).toEqual([
          'for example {"customerId":"2"} · not covered by a spec · line 8',
          ...["not covered by a spec", "not covered by a spec", "1 spec case · line 4"],
        ])
        expect(await inArticle("dd > p")).toEqual(["Changed 2020-01-02", "Changed 2020-01-01"])
        expect(
          (await inArticle(".history > li")).map((text) => text?.replace(/UTC · .* · [0-9a-f]{10}/, "UTC ")),
        ).toEqual([
          "at 864002020-01-02 00:00 UTC production: rule 1 edited: 10 % → 20 % by customerIdthe share of users who get true rises from 10 % to 20 %, by customerId",
          "at 02020-01-01 00:00 UTC flag addedstaging: true for everyoneproduction: true for 10 % of users by customerIdproduction: false for everyone else",
        ])
        expect(await inArticle(".history > li:first-child li code")).toEqual(["true", "customerId"])
        await goTo(page, "flag=same")
        expect(await inArticle("dl li small")).toEqual(["line 4"])
      },
      async (page) => {
        await page.evaluateOnNewDocument((now) => {
          Date.now = () => now
        }, Date.parse("2026-11-30"))
      },
    ))

  test("a context fills the fields, and the open flag says why it gets what it does", () =>
    inPage(
      `#flag=theme&context=${encodeURIComponent('{"plan":"pro","age":3,"email":["a"]}')}`,
      async (page) => {
        await page.waitForSelector(".why")
        expect(await textsOf(page, "article.open .why")).toEqual([
          `With this context: theme is "dark" in production, because of rule 1: plan is pro.`,
          `With this context: theme is "dark" in development, because of rule 1: it matches everyone.`,
          `With this context: theme is "light" in staging: it is not configured there, so everyone gets the default.`,
        ])
        expect(
          await page.$$eval("[data-attribute]", (all) =>
            all.map((field) => (field as HTMLInputElement).value),
          ),
        ).toEqual(["pro", "3", '["a"]', ""])
        expect(
          await page.$$eval("tbody td[class]", (all) =>
            all.map((cell) => `${(cell as HTMLElement).dataset.given} ${(cell as HTMLElement).innerText}`),
          ),
        ).toEqual([
          ...["false false\ndefault", "false false\nunconfigured"],
          ...["true true\nrule 1", "false false\ndisabled"],
          ...["false false\nunconfigured", "false false\nunconfigured"],
          ...['other "dark"\nrule 1', 'other "dark"\nrule 1'],
          'other "light"\nunconfigured',
        ])
        await page.type('[data-attribute="customerId"]', "7")
        for (const blank of ["  ", ""]) {
          await page.$eval(
            '[data-attribute="age"]',
            (field, text) => {
              ;(field as HTMLInputElement).value = text
              field.dispatchEvent(new Event("input", { bubbles: true }))
            },
            blank,
          )
          expect([blank, await page.$eval("textarea", ({ value }) => value)]).toEqual([
            blank,
            '{"plan":"pro","email":["a"],"customerId":"7"}',
          ])
        }
        await page.type('[data-attribute="age"]', "x")
        expect(await page.$eval("textarea", ({ value }) => value)).toBe(
          '{"plan":"pro","email":["a"],"customerId":"7","age":"x"}',
        )
        await goTo(page, "flag=theme")
        await page.waitForSelector("html:not(.trying)")
        expect(await page.$$(".why, [data-given]")).toHaveLength(0)
      },
    ))

  test("the entry is the one that SDKs get", () =>
    inPage("#flag=theme", async (page) => {
      const entry = await page.$$eval("article.open pre", (all) => JSON.parse(all[0]?.textContent ?? ""))
      expect(entry.flag).toEqual({
        ...{
          id: "shop/theme",
          projectId: "shop",
          key: "theme",
          name: "Theme",
          description: "Colours of the shop.",
        },
        ...{ type: "string", defaultValue: "light", createdAt: "2020-01-03T00:00:00.000Z" },
        updatedAt: "2020-01-03T00:00:00.000Z",
      })
      expect(entry.environment).toMatchObject({
        id: "shop/theme@production",
        environmentId: "production",
        enabled: true,
      })
      expect(entry.environment.rules).toHaveLength(3)
    }))

  test("each cell has the line that changes it, which `set` takes", () =>
    inPage("", async (page) => {
      for (const key of ["checkout", "same", "theme"]) await goTo(page, `#flag=${key}`)
      const lines = await page.$$eval("article .change pre", (all) =>
        all.map(({ textContent }) => textContent),
      )
      expect(lines.toSorted()).toEqual([
        "npx flagstone set checkout --in development --everyone true",
        "npx flagstone set checkout --in production --off",
        "npx flagstone set checkout --in staging --off",
        "npx flagstone set same --in development --everyone true",
        "npx flagstone set same --in production --on",
        "npx flagstone set same --in staging --everyone true",
        "npx flagstone set theme --in development --off",
        "npx flagstone set theme --in production --off",
      ])
      expect(await page.$$("article .change")).toHaveLength(lines.length) // none that is empty
      const { folder } = createCatalogProject()
      for (const line of lines) {
        const host = testHost({ cwd: folder })
        const [, , ...args] = (line ?? "").split(" ")
        expect({ line, status: await run([...args, "--dry-run"], host, "0.0.0"), err: host.err() }).toEqual({
          ...{ line, status: 0, err: expect.stringMatching(/would change\n$/) },
        })
      }
    }))

  test("each cell has the form's address, and its line in the forge's editor", async () => {
    const repository = createCatalogProject()
    repository.write(".github/workflows/change-flag.yaml", "on: workflow_dispatch\n")
    const env = { GITHUB_REF_TYPE: "branch", GITHUB_REF_NAME: "main" }
    const { path } = await writeCatalog(repository, { baseUrl: "https://github.com/acme/shop" }, { env })
    const { page, trouble } = await openTab()
    await page.goto(`${pathToFileURL(path).href}#flag=theme`)
    await page.waitForSelector("article.open .change")
    const links = await page.$$eval("article.open .change", (all) =>
      all.map((one) => [...one.querySelectorAll("a")].map(({ textContent, href }) => [textContent, href])),
    )
    const form = ["Fill in the form", "https://github.com/acme/shop/actions/workflows/change-flag.yaml"]
    const file = "https://github.com/acme/shop/edit/main/flags/team/theme.yaml"
    expect(links).toEqual([
      [form, ["Edit the file", `${file}#L12`]],
      [form, ["Edit the file", `${file}#L8`]],
      [form, ["Edit the file", file]],
    ])
    expect(trouble).toEqual([])
    await page.close()
  })

  test("try it: a list can be edited in its field, and a value with backticks keeps them", async () => {
    const repository = createRepository()
    repository.write(
      "flags/project.yaml",
      "project: shop\nenvironments: [production]\nattributes: { roles: { type: list } }\n",
    )
    repository.write("flags/a.yaml", 'type: string\ndefaultValue: "`npm`"\n')
    repository.commit(0)
    const { page, trouble } = await openTab()
    const url = pathToFileURL((await writeCatalog(repository)).path).href
    await page.goto(`${url}#flag=a&context=${encodeURIComponent('{"roles":["admin","staff"]}')}`)
    await page.waitForSelector(".why")
    expect(await textsOf(page, ".why")).toEqual([expect.stringContaining('a is "`npm`" in production: ')])
    await page.type('[data-attribute="roles"]', ", qa")
    expect(await page.$eval("textarea", ({ value }) => value)).toBe('{"roles":["admin","staff","qa"]}')
    expect(trouble).toEqual([])
    await page.close()
  })

  test("a split is one rule, in the numbers of the list and in what a context gets", async () => {
    const repository = createRepository()
    repository.write("flags/project.yaml", "project: shop\nenvironments: [live]\n")
    repository.write(
      "flags/price.yaml",
      "type: string\ndefaultValue: a\nenvironments: { live: { enabled: true, rules: [{ split: { by: id, into: " +
        "[{ share: 50, returnValue: b }, { share: 20, returnValue: c }] } }, { attribute: country, operator: equals, value: DE, returnValue: d }] } }\n",
    )
    repository.commit(0)
    const { path } = await writeCatalog(repository)
    const { page, trouble } = await openTab()
    await page.goto(`${pathToFileURL(path).href}#context={"country":"DE"}&flag=price`)
    await page.waitForSelector(".why")
    expect(await textsOf(page, "td small")).toContain("rule 2")
    expect(await textsOf(page, ".why")).toEqual([expect.stringContaining("because of rule 2: ")])
    expect(
      await page.$$eval("article.open li[value]", (all) =>
        all.map((item) => [(item as HTMLLIElement).value, item.textContent?.slice(0, 3)]),
      ),
    ).toEqual([
      [1, '"c"'],
      [2, '"d"'],
    ])
    expect(trouble).toEqual([])
    await page.close()
  })

  test("try it: fields and JSON set a context, and the matrix shows values with their reasons", () =>
    inPage("", async (page) => {
      const cell = () =>
        page.$eval("tbody tr:nth-of-type(3) td:nth-of-type(1)", (one) => (one as HTMLElement).innerText)
      await page.click("#try summary")
      await page.select('[data-attribute="plan"]', "pro")
      await page.type('[data-attribute="age"]', "70")
      expect(await page.$eval("textarea", ({ value }) => value)).toBe('{"plan":"pro","age":70}')
      await page.click("#try button")
      await page.waitForSelector(".trying .given")
      expect(await cell()).toBe('"dark"\nrule 1')
      expect(
        await page.$eval(
          "tbody tr:nth-of-type(3) td:nth-of-type(1) .given",
          (one) => (one as HTMLElement).title,
        ),
      ).toBe('theme is "dark" in production, because of rule 1: plan is pro')
      await page.$eval("textarea", (area) => {
        area.value = '{"email": "a@shop.example"}'
      })
      await page.click("#try button")
      await page.waitForFunction(() => location.hash.includes("email"))
      await page.waitForFunction(
        () =>
          document.querySelector("tbody tr:nth-of-type(3) td:nth-of-type(1) small")?.textContent === "rule 2",
      )
      await page.goBack()
      await page.waitForFunction(
        () =>
          document.querySelector("tbody tr:nth-of-type(3) td:nth-of-type(1) small")?.textContent === "rule 1",
      )
      await page.click('#try button[type="reset"]')
      await page.waitForSelector("html:not(.trying)")
      expect(await cell()).toMatch(/^by plan, email, age: 3 values/)
    }))

  test("an invalid context is reported, and nothing is evaluated", () =>
    inPage("#context=[1", async (page) => {
      for (const context of ["[1", "3", "null", "[1]"]) {
        await page.evaluate((text) => {
          location.hash = `context=${text}`
        }, context)
        await page.waitForFunction((text) => document.documentElement.dataset.context === text, {}, context)
        expect(await textsOf(page, "#fault")).toEqual(['Write a JSON object, such as {"plan": "pro"}.'])
        expect(await page.$$(".trying")).toHaveLength(0)
      }
    }))
})
