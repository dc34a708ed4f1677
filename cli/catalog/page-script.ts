import { fileURLToPath } from "node:url"
import type { Rule } from "../../proxy/contract/snapshot.ts"
import { hasExpression, parseCondition } from "../../sdk/evaluation/condition.ts"
import { readPackageFile } from "../package-files.ts"

/** The script of a catalogue's page: with the engine for regular expressions where a rule has one. */
export async function pageScript(rules: readonly Rule[]): Promise<string> {
  const expressions = rules.some((rule) => hasExpression(parseCondition(rule)))
  if (!import.meta.url.endsWith(".ts")) return readPackageFile(`build/bin/${scriptFile(expressions)}`)
  // In the repository, where nothing is built, the script is joined as the package joins it.
  const { bundlePage } = await import(new URL("bundle-page.js", import.meta.url).href)
  return bundlePage(fileURLToPath(new URL("page/main.ts", import.meta.url)), expressions)
}

/** The package's file with the joined script. */
function scriptFile(expressions: boolean): string {
  return expressions ? "catalog-page-expressions.js" : "catalog-page.js"
}
