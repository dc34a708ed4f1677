import fc from "fast-check"
import { cellOf } from "../../../cli/catalog/model/cell.ts"
import { pageScript } from "../../../cli/catalog/page-script.ts"
import { phrase } from "../../../cli/diagnostics/phrase.ts"
import type { Flag, Rule } from "../../../sdk/contract/snapshot.ts"
import { anyText } from "../../any-text.ts"
import { emptyCatalog, pageOf } from "./vector-pages.ts"

/** Strings that break out of pages made by concatenation. */
export const attacks: readonly string[] = [
  "</script><script>attacked=1</script>",
  "<img src=x onerror=attacked=1>",
  '"><svg onload=attacked=1>',
  "' onfocus=attacked=1 autofocus '",
  "<!--<script>",
  "--></title></style></textarea></code><iframe srcdoc='<script>parent.attacked=1</script>'>",
  "]]>&lt;script&gt;\u2028\u2029\0\r\n",
  "javascript:attacked=1",
  "</option></select><base href=//evil.example>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: an attack
  "`${attacked=1}`\u202e\u{e0041}",
]

/** Attacks, parts of them, and any text in between. */
export const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...attacks),
      fc.constantFrom("<", ">", '"', "'", "&", "</", "<!--", "]]>"),
      anyText(),
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((parts) => `x${parts.join("")}`)

const script = await pageScript(false)

/** A page with six author strings, wherever an author's text can appear. */
export function hostilePage([a = "", b = "", c = "", d = "", e = "", f = ""]: readonly string[]): string {
  const rule: Rule = { id: a, attribute: b, operator: "equals", value: c, returnValue: [d, { [e]: f }] }
  const reached = { isReached: true, hits: 1, witness: JSON.stringify({ [a]: b }) }
  const time = "2026-01-01T00:00:00.000Z"
  const flag: Flag = {
    ...{ id: a, projectId: b, key: "hostile", name: c, description: d },
    ...{ type: "json", defaultValue: [e, f], createdAt: time, updatedAt: time },
  }
  const environment = { id: c, flagId: a, environmentId: c, enabled: true, rules: [rule], updatedAt: time }
  const cell = cellOf(
    "live",
    { flag, environment },
    {
      rules: [
        {
          condition: { kind: "comparison", attribute: b, operator: "equals", operand: c },
          gives: rule.returnValue,
          line: 1,
          rule: { number: 1 },
        },
      ],
      given: { only: undefined, isShared: false },
      reachedBy: () => reached,
    },
  )
  return pageOf(
    {
      ...emptyCatalog,
      ...{
        project: a,
        projectId: b,
        environments: [{ name: "live", id: c }],
        attributes: [{ name: d, type: undefined, description: e, values: [f] }],
      },
      flags: [
        {
          flag,
          ...{
            owner: a,
            tags: [b, c],
            expires: d,
            path: `flags/${e.replaceAll("\0", "").toWellFormed()}.yaml`,
            isTested: true,
            links: [{ title: f, url: `https://a.example/${encodeURIComponent(e.toWellFormed())}` }],
            staleAfter: 1,
            asks: [a],
            askedBy: [b],
          },
          cells: [{ ...cell, words: phrase`${a} for all`, differs: true }],
        },
      ],
      branch: {
        base: e,
        changes: [
          {
            kind: "changed",
            flag: d,
            environment: a,
            what: phrase`edited ${b}`,
            who: [{ sentence: phrase`${c}` }],
          },
        ],
      },
      history: [
        {
          ...{ id: "0".repeat(40), at: Date.parse(time), author: f, subject: c },
          changes: [
            {
              ...{ kind: "added", flag: "hostile", what: phrase`added ${a}` },
              who: [{ environment: "live", sentence: phrase`${b} get ${c}` }],
            },
          ],
        },
      ],
    },
    script,
  )
}
