import { flagOf, rule } from "../proxy/ofrep/evaluated-flags.ts"
import { blocksOf, readPage } from "./pages.ts"

/** The flag that the programs of docs/openfeature.md read, as `flags/shipping/delivery-slots.yaml` has it in production. */
export const deliverySlots = flagOf("delivery-slots", "boolean", false, [
  rule("semverLessThan", "appVersion", "4.12.0", false),
  rule("startsWith", "postcode", "10", true),
])

/** A program of a page, with another address for the proxy. Those of docs/openfeature.md print `true`. */
export function readProgram(
  language: string,
  info: string,
  url: string,
  page = "docs/openfeature.md",
): string {
  const blocks = blocksOf(readPage(page).text)
  const block = blocks.find((block) => block.language === language && block.info === info)
  if (block === undefined) throw new Error(`${page} has no program in ${language} ${info}`)
  return block.text.replace("http://127.0.0.1:8080", url)
}
