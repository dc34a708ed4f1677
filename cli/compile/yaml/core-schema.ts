import type { ScalarNode } from "./tree.ts"

const number = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$/

/** The value of a text without quotes: YAML 1.2.2, section 10.3.2. */
export function resolvePlain(text: string): ScalarNode["value"] {
  if (!/^[-+.0-9~tTfFnN]/.test(text)) return text === "" ? null : text
  if (/^(?:~|null|Null|NULL)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (number.test(text)) return Number(text)
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith("-") ? -Infinity : Infinity
  return /^\.(?:nan|NaN|NAN)$/.test(text) ? Number.NaN : text
}
