import { readFileSync } from "node:fs"
import { join } from "node:path"
import { flagOf, rule } from "../proxy/ofrep/evaluated-flags.ts"
import { blocksOf, readPage, root } from "./pages.ts"

const address = "http://127.0.0.1:8080"

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
  return block.text.replace(address, url)
}

/** The program over HTTP to which docs/openfeature.md links, with another address for the proxy. */
export function readProgramOverHttp(language: string, url: string): string {
  const path = {
    Python: "python/shop.py",
    Go: "go/shop/main.go",
    Java: "java/Shop.java",
    PHP: "php/shop.php",
  }[language]
  if (path === undefined) throw new Error(`no program in ${language}`)
  return readFileSync(join(root, "test/clients", path), "utf8").replace(address, url)
}
