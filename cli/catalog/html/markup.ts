import { type Phrase, visible } from "../../diagnostics/phrase.ts"

/** HTML that is safe to send. Only `html` and `trusted` make it. */
export interface Markup {
  readonly markup: string
}

/** An HTML template: inserted values are escaped as text unless they are markup. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | number | Markup | readonly Markup[])[]
): Markup {
  let markup = parts[0] ?? ""
  for (let at = 0; at < values.length; at++) markup += markupOf(values[at] ?? "") + parts[at + 1]
  return { markup }
}

/** Our own HTML, unescaped: a script or a style, which HTML parses differently from text. */
export function trusted(markup: string): Markup {
  return { markup }
}

/** A sentence with untrusted text in code marks, shortened to one line. */
export function sentence(phrase: Phrase): Markup {
  let markup = ""
  for (const part of phrase)
    markup +=
      typeof part === "string" ? escapeHtml(part) : `<code>${escapeHtml(visible(part.foreign))}</code>`
  return trusted(markup)
}

/** A flag's key, which narrow columns may break after a separator. */
export function brokenKey(key: string): Markup {
  return trusted(escapeHtml(key).replace(/[/_.-]/g, "$&<wbr>"))
}

/** JSON for a data block: none of it can end the block or begin a comment (HTML, 4.12.1.3). */
export function jsonBlock(value: unknown): Markup {
  return trusted(
    JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
    }),
  )
}

function markupOf(value: string | number | Markup | readonly Markup[]): string {
  if (typeof value === "string") return escapeHtml(value)
  if (typeof value === "number") return String(value)
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("")
}

/** Text for elements and for attributes in quotes. */
function escapeHtml(text: string): string {
  if (!special.test(text)) return text
  return text.replace(/[&<>"'`\r\0]/g, (character) => {
    return character === "\0" ? "\ufffd" : `&#${character.charCodeAt(0)};`
  })
}

const special = /[&<>"'`\r\0]/
