// Bundles the script of the catalogue's page, for `cli/bundle.js` and, in the repository, for each run.
import { rolldown } from "rolldown"

/** The script of a page. `expressions`: with the engine for regular expressions, which makes it ten times as large. */
export async function bundlePage(input, expressions) {
  const bundle = await rolldown({
    input,
    platform: "browser",
    tsconfig: false,
    treeshake: { moduleSideEffects: (id) => /\/page\/main\.[jt]s$/.test(id) },
    plugins: expressions ? [] : [withoutExpressions],
    external: /^node:/,
  })
  const { output } = await bundle.generate({ format: "iife", minify: true, codeSplitting: false })
  await bundle.close()
  return output[0].code
}

/** No flag on such a page needs the engine. */
const withoutExpressions = {
  name: "without-expressions",
  resolveId: (id) => (id === "re2js" ? "\0re2js" : undefined),
  load: (id) => (id === "\0re2js" ? "export const RE2JS = undefined" : undefined),
}
