// @module-tag property
import { join } from "node:path"
import fc from "fast-check"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { describe, expect, test } from "vitest"
import { anyText } from "../../../any-text.ts"
import { runs } from "../../../runs.ts"
import { shop, sideOf } from "../sides.ts"
import { after, before, compared, everyone, hostile, printed, sideWith } from "./compared.ts"

/** The workflows of docs/ci use it to find the comment to replace. */
const marker = "<!-- flagstone-diff shop -->"

/** The most that GitHub takes, in characters, which are never more than bytes. */
const maxBytes = 65_000

test("a change links to its file", () => {
  const addressOf = ({ file }: { file: string }) => `https://git.example/a/blob/1${file}?a&b`
  expect(printed.markdown(compared(before, after, { addressOf }))).toContain(
    "- **[`checkout`](<https://git.example/a/blob/1/flags/checkout.yaml?a&b>)** (`team-a`, `flags/checkout.yaml`): rule 1 added",
  )
})

test("flags with the same edit are listed once, by owner, and so are their warnings", () => {
  const side = (enabled: boolean) =>
    sideOf(
      Object.fromEntries(
        Array.from({ length: 25 }, (_, at) => [
          `f${at}`,
          {
            defaultValue: false,
            ...(at % 2 === 0 ? { owner: "team-a" } : {}),
            environments: {
              staging: { enabled: true, rules: [everyone] },
              production: { enabled, rules: [everyone] },
            },
          },
        ]),
      ),
    )
  const comment = printed.markdown(compared(side(true), side(false)))
  const warnings = comment.indexOf("### Warnings")
  const changes = comment.slice(comment.indexOf("### `production`"))
  expect(warnings).toBeGreaterThan(0)
  expect(comment.indexOf("###")).toBe(warnings)
  expect(comment.match(/`everyone-changes`/g)).toHaveLength(1)
  expect(changes).toMatch(
    /^- \*\*25 flags\*\*: switched off\n {2}- `false` instead of `true` for everyone\n/m,
  )
  expect(changes).toMatch(/^ {2}- `team-a`: `f0` \(`flags\/f0.yaml`\), `f10` /m)
  expect(changes).toMatch(/^ {2}- `f1` \(`flags\/f1.yaml`\), /m)
  for (let at = 0; at < 25; at++) {
    expect(changes.split(`\`f${at}\``)).toHaveLength(2)
    expect(comment.split(`\`flags/f${at}.yaml:1\``)).toHaveLength(2)
  }
})

test("a comment", async () => {
  const comment = printed.markdown(compared(before, after))
  await expect(comment).toMatchFileSnapshot(join(import.meta.dirname, "expected.md"))
})

/** What GitHub makes of a comment before it looks for mentions, references and links outside code. */
function rendered(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
}

/** What a page shows outside `<code>`; throws if a tag is not one of ours. */
function shownAsText(html: string): string {
  const ours = /^<\/?(p|strong|h3|ul|li|table|thead|tbody|tr|th|td|code)>$|^<a href="https:[^"<>]*">$|^<\/a>$/
  const withoutMarker = html.replace(marker, "")
  const strange = [...withoutMarker.matchAll(/<[^>]*>/g)].map(([tag]) => tag).filter((tag) => !ours.test(tag))
  expect(strange).toEqual([])
  return withoutMarker.replace(/<code>[^<]*<\/code>/g, "").replace(/<[^>]*>/g, "\n")
}

describe("hostile strings in Markdown", () => {
  const plain = sideOf({ f: { type: "string", defaultValue: "", description: "" } })

  function check(text: string): void {
    for (const pair of [
      [plain, sideWith(text)],
      [sideWith(text), plain],
      [sideWith("other"), sideWith(text)],
    ] as const) {
      const markdown = printed.markdown(compared(...pair))
      const html = rendered(markdown)
      expect(markdown.split(marker)).toHaveLength(2)
      expect(markdown.startsWith(`${marker}\n`)).toBe(true)
      expect(shownAsText(html)).toMatch(/^[\sA-Za-z0-9 :;.,?%→()]*$/)
    }
  }

  test.each(hostile.map((text) => [text]))("%j", (text) => check(text))

  test.each(hostile.map((text) => [text]))("%j in a warning", (text) => {
    const side = (to: number) => {
      const share = { attribute: text, operator: "percentage", value: `${to}` }
      const condition = { attribute: "plan", operator: "equals", value: text }
      const rules = [{ all: [condition, share], returnValue: true }]
      return sideOf({ f: { defaultValue: false, environments: { production: { enabled: true, rules } } } })
    }
    const markdown = printed.markdown(compared(side(60), side(5)))
    expect(markdown).toContain("`many-change`")
    expect(shownAsText(rendered(markdown))).toMatch(/^[\sA-Za-z0-9 :;.,?%→()-]*$/)
  })

  test("any text", () => {
    const part = fc.oneof(fc.constantFrom(...hostile), anyText(), fc.constantFrom("`", "|", "<", "@a", "\n"))
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) =>
        check(parts.join("").replace(/\p{Surrogate}/gu, "?")),
      ),
      { numRuns: runs(10) },
    )
  })
})

describe("many changes in Markdown", () => {
  const many = (count: number, text: string) =>
    sideOf(
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `flag-${at}`,
          {
            defaultValue: false,
            description: text,
            environments: { production: { enabled: true, rules: [everyone] } },
          },
        ]),
      ),
    )

  test("are cut to GitHub's limit, and the rest is counted", () => {
    const markdown = printed.markdown(compared(sideOf({}), many(2_000, "x")))
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(maxBytes)
    expect(Buffer.byteLength(markdown)).toBeGreaterThan(maxBytes * 0.9)
    const [, more] = /^and (\d+) more$/m.exec(markdown) ?? []
    expect(markdown.match(/`flag-\d+` \(/g)?.length).toBe(2_000 - Number(more))
    expect(shownAsText(rendered(markdown))).toContain("2000 flags change what users get")
  })

  test("of any number and size stay below it, with every code span closed", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.string({ unit: "grapheme", maxLength: 200 }),
        (count, text) => {
          const markdown = printed.markdown(compared(many(count, "y"), many(count + 1, text)))
          expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(maxBytes)
          shownAsText(rendered(markdown))
        },
      ),
      { numRuns: runs(5) },
    )
  })

  // A row is longer than a section's frame here: where one section ends, there may be room only for the next one's frame.
  test.each(Array.from({ length: 20 }, (_, at) => 60 + 3 * at))(
    "with keys of %d characters stay below it, also where not one row of a section fits",
    (length) => {
      const project = "project: shop\nenvironments: [first, second]\n"
      const on = { enabled: true, rules: [everyone] }
      const flag = { defaultValue: false, environments: { first: on, second: on } }
      const keys = Array.from({ length: 400 }, (_, at) => `${at}-`.padEnd(length, "k"))
      const side = sideOf(Object.fromEntries(keys.map((key) => [key, flag])), project)
      const markdown = printed.markdown(compared(sideOf({}, project), side))
      expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(maxBytes)
    },
  )

  test("in hundreds of environments", () => {
    const names = Array.from({ length: 400 }, (_, at) => `environment-${at}-${"x".repeat(40)}`)
    const project = `project: shop\nenvironments: [${names.join(", ")}]\n`
    const flag = (value: boolean) => sideOf({ f: { defaultValue: value } }, project)
    expect(Buffer.byteLength(printed.markdown(compared(flag(true), flag(false))))).toBeLessThanOrEqual(
      maxBytes,
    )
  })
})

test("an empty diff is a comment, too: it replaces the previous one", () => {
  const same = sideOf({}, shop)
  const markdown = printed.markdown(compared(same, same))
  expect(markdown).toContain("No change in behaviour.")
  expect(markdown).not.toContain("label")
})

test("a comment links to the given catalogue, before all changes", () => {
  const address = "https://pages.example/(a)/catalog.html?x=*b*#f"
  const comment = printed.markdown(compared(before, after, { catalogUrl: address }))
  const html = rendered(comment)
  expect(html).toContain(
    '<a href="https://pages.example/(a)/catalog.html?x=*b*#f">The catalogue of this branch</a>',
  )
  expect(html.indexOf("<a ")).toBeLessThan(html.indexOf("<h3>"))
  expect(printed.markdown(compared(before, after))).not.toContain("catalogue")
})
