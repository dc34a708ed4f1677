import { fileURLToPath } from "node:url"
import { readPackageFile } from "../package-files.ts"

/** The script of a catalogue's page, with the engine for regular expressions if a rule has one. */
export async function pageScript(hasExpressions: boolean): Promise<string> {
  const file = hasExpressions ? "catalog-page-expressions.js" : "catalog-page.js"
  if (!import.meta.url.endsWith(".ts")) return readPackageFile(`build/bin/${file}`)
  // In the repository nothing is built, so the script is bundled here, in the same way as for the package.
  const { bundlePage } = await import(new URL("bundle-page.js", import.meta.url).href)
  return bundlePage(fileURLToPath(new URL("page/main.ts", import.meta.url)), hasExpressions)
}
