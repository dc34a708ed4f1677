import type { ComparedRevisions } from "../../../../cli/diff/format/overview.ts"
import { diffReport } from "../../../../cli/diff/format/report.ts"
import type { Side } from "../../../../cli/diff/sides/side.ts"
import { reportJson } from "../../../../cli/report/report-json.ts"
import { reportMarkdown } from "../../../../cli/report/report-markdown.ts"
import { reportText } from "../../../../cli/report/report-text.ts"
import { diffOf, sideOf } from "../sides.ts"

const beforeEndpoint = {
  kind: "commit",
  name: "origin/main",
  revision: "0123456789abcdef0123456789abcdef01234567",
} as const
const afterEndpoint = { kind: "work-tree", name: "the work tree" } as const

/** The input of a format for two sides. */
export function compared(
  before: Side,
  after: Side,
  options: Partial<ComparedRevisions> = {},
): ComparedRevisions {
  return {
    before: beforeEndpoint,
    after: afterEndpoint,
    diff: diffOf(before, after),
    replay: undefined,
    cwd: "/",
    addressOf: () => undefined,
    ...options,
  }
}

/** The report on two sides, in each format. */
export const printed = {
  text: (shown: ComparedRevisions, colour = false) =>
    reportText(diffReport(shown, "shop"), { folder: "/", colour }),
  markdown: (shown: ComparedRevisions) => reportMarkdown(diffReport(shown, "shop"), { folder: "/" }),
  json: (shown: ComparedRevisions) => reportJson(diffReport(shown, "shop")),
}

const staff = { attribute: "email", operator: "endsWith", value: "@example.com", returnValue: true }
const share = (value: string) => ({ attribute: "id", operator: "percentage", value, returnValue: true })
export const everyone = { operator: "always", returnValue: true }
export const before = sideOf({
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
export const after = sideOf({
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

/** Strings that try to escape from their place in Markdown, HTML or a terminal. */
export const hostile = [
  "</code><script>alert(1)</script>",
  "<!-- flagstone-diff shop -->",
  "-->",
  "@torvalds @org/team",
  "#1 GH-1 org/repo#1 0123456789abcdef0123456789abcdef01234567",
  "https://evil.example www.evil.example a@evil.example",
  "[link](https://evil.example) ![image](https://evil.example/x.png)",
  "a | b | c \\| d",
  "``` `` ` ~~~",
  "x` @octocat see https://evil.example/pay and #1 `y",
  "\n\n# heading\n\n| a |\n| - |\n\n<details>\n\n",
  "\r\n\r\n&lt;b&gt; &#64;",
  ":tada: *bold* _em_ ~~gone~~ $x$",
  "\u202egnp.exe \u001b[31mred",
  "</details></table>\n\n@torvalds",
]

/** A side with the string wherever an author can write one. */
export function sideWith(text: string): Side {
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
