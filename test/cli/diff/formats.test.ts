import { join } from "node:path"
import fc from "fast-check"
import { micromark } from "micromark"
import { gfm, gfmHtml } from "micromark-extension-gfm"
import { describe, expect, test } from "vitest"
import { diffSides } from "../../../cli/diff/diff.ts"
import { formatJson } from "../../../cli/diff/format-json.ts"
import { formatMarkdown, marker, maxBytes } from "../../../cli/diff/format-markdown.ts"
import { formatText } from "../../../cli/diff/format-text.ts"
import type { Side } from "../../../cli/diff/pair-flags.ts"
import { shop, sideOf } from "./sides.ts"

const beforeEndpoint = {
  kind: "commit",
  name: "origin/main",
  revision: "0123456789abcdef0123456789abcdef01234567",
} as const
const afterEndpoint = { kind: "work-tree", name: "the work tree" } as const

function compared(before: Side, after: Side) {
  return { before: beforeEndpoint, after: afterEndpoint, diff: diffSides(before, after), cwd: "/" }
}

const staff = { attribute: "email", operator: "endsWith", value: "@example.com", returnValue: true }
const share = (value: string) => ({ attribute: "id", operator: "percentage", value, returnValue: true })
const everyone = { operator: "always", returnValue: true }
const before = sideOf({
  checkout: {
    defaultValue: false,
    environments: {
      staging: { enabled: true, rules: [everyone] },
      production: { enabled: true, rules: [share("50")] },
    },
  },
  banner: { type: "string", defaultValue: "none", description: "A banner." },
  old: { defaultValue: true, environments: { production: { enabled: true } } },
})
const after = sideOf({
  checkout: {
    defaultValue: false,
    owner: "team-a",
    environments: {
      staging: { enabled: true, rules: [everyone] },
      production: { enabled: true, rules: [staff, share("20")] },
    },
  },
  banner: {
    type: "string",
    defaultValue: "none",
    description: "The banner.",
    environments: { development: { enabled: false } },
  },
  fresh: { defaultValue: false, environments: { production: { enabled: true, rules: [staff] } } },
})

test.each([
  ["text", "expected.txt", formatText],
  ["markdown", "expected.md", formatMarkdown],
  ["json", "expected.json.txt", formatJson],
])("%s", async (_, file, format) => {
  await expect(format(compared(before, after))).toMatchFileSnapshot(join(import.meta.dirname, file))
})

/** What GitHub makes of a comment before it looks for mentions, references and links in what is no code. */
function rendered(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] })
}

/** What a page shows outside `<code>`; throws where a tag is not one of ours. */
function shownAsText(html: string): string {
  const ours = /^<\/?(p|b|h3|table|tr|th|td|br|details|summary|code)>$|^<td colspan="3">$/
  const withoutMarker = html.replace(marker, "")
  const strange = [...withoutMarker.matchAll(/<[^>]*>/g)].map(([tag]) => tag).filter((tag) => !ours.test(tag))
  expect(strange).toEqual([])
  return withoutMarker.replace(/<code>[^<]*<\/code>/g, "").replace(/<[^>]*>/g, "\n")
}

const hostile = [
  "</code><script>alert(1)</script>",
  "<!-- flagstone-diff -->",
  "-->",
  "@torvalds @org/team",
  "#1 GH-1 org/repo#1 0123456789abcdef0123456789abcdef01234567",
  "https://evil.example www.evil.example a@evil.example",
  "[link](https://evil.example) ![image](https://evil.example/x.png)",
  "a | b | c \\| d",
  "``` `` ` ~~~",
  "\n\n# heading\n\n| a |\n| - |\n\n<details>\n\n",
  "\r\n\r\n&lt;b&gt; &#64;",
  ":tada: *bold* _em_ ~~gone~~ $x$",
  "\u202egnp.exe \u001b[31mred",
  "</details></table>\n\n@torvalds",
]

function sideWith(text: string): Side {
  return sideOf({
    f: {
      type: "string",
      name: text === "" ? "x" : text,
      description: text,
      defaultValue: text,
      owner: text,
      tags: [text],
      environments: {
        production: {
          enabled: true,
          rules: [
            { attribute: text === "" ? "x" : text, operator: "equals", value: text, returnValue: text },
            {
              id: `i${text}`.slice(0, 200),
              attribute: `${text}2`,
              operator: "in",
              value: [text, "b"],
              returnValue: `${text}3`,
            },
          ],
        },
      },
    },
  })
}

describe("hostile texts in markdown", () => {
  const plain = sideOf({ f: { type: "string", defaultValue: "", description: "" } })

  function check(text: string): void {
    for (const pair of [
      [plain, sideWith(text)],
      [sideWith(text), plain],
      [sideWith("other"), sideWith(text)],
    ] as const) {
      const markdown = formatMarkdown(compared(...pair))
      const html = rendered(markdown)
      // Markdown finds nothing to do: the comment is the HTML that we wrote.
      expect(html.trim()).toBe(markdown.trim())
      expect(markdown.split(marker)).toHaveLength(2)
      expect(markdown.startsWith(`${marker}\n`)).toBe(true)
      expect(shownAsText(html)).toMatch(/^[\sA-Za-z0-9 :;.,%→()]*$/)
    }
  }

  test.each(hostile.map((text) => [text]))("%j", (text) => check(text))

  test("any text", () => {
    const part = fc.oneof(
      fc.constantFrom(...hostile),
      fc.string({ unit: "binary" }),
      fc.constantFrom("`", "|", "<", "@a", "\n"),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) =>
        check(parts.join("").replace(/\p{Surrogate}/gu, "?")),
      ),
      {
        numRuns: 200,
      },
    )
  })

  test("in the terminal, they drive nothing", () => {
    for (const text of hostile) {
      const shown = formatText(compared(sideWith(text), plain))
      expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u)
    }
  })
})

describe("many changes in markdown", () => {
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

  test("are cut to what GitHub takes, and the rest is counted", () => {
    const markdown = formatMarkdown(compared(sideOf({}), many(2_000, "x")))
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(maxBytes)
    expect(Buffer.byteLength(markdown)).toBeGreaterThan(maxBytes * 0.9)
    const [, more] = /<td colspan="3">and (\d+) more</.exec(markdown) ?? []
    expect(markdown.match(/flag added/g)?.length).toBe(2_000 - Number(more))
    expect(markdown).toContain("<p>and 2000 more, for which there is no room here</p>")
    expect(rendered(markdown).trim()).toBe(markdown.trim())
    expect(shownAsText(markdown)).toContain("2000 flags give other values")
  })

  test("of any number and size stay below it, every tag closed", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.string({ unit: "grapheme", maxLength: 200 }),
        (count, text) => {
          const markdown = formatMarkdown(compared(many(count, "y"), many(count + 1, text)))
          expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(maxBytes)
          for (const tag of ["table", "details", "tr", "td", "code", "p"]) {
            const opened = markdown.match(new RegExp(`<${tag}[ >]`, "g"))?.length ?? 0
            expect(markdown.match(new RegExp(`</${tag}>`, "g"))?.length ?? 0).toBe(opened)
          }
        },
      ),
      { numRuns: 20 },
    )
  })

  test("in hundreds of environments", () => {
    const names = Array.from({ length: 400 }, (_, at) => `environment-${at}-${"x".repeat(40)}`)
    const project = `project: shop\nenvironments: [${names.join(", ")}]\n`
    const flag = (value: boolean) => sideOf({ f: { defaultValue: value } }, project)
    expect(Buffer.byteLength(formatMarkdown(compared(flag(true), flag(false))))).toBeLessThanOrEqual(maxBytes)
  })
})

test("an empty diff is a comment, too: it replaces what stood there", () => {
  const same = sideOf({}, shop)
  expect(formatMarkdown(compared(same, same))).toContain("Nothing changes in meaning.")
})
