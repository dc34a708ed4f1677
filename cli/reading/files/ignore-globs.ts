import { loadEngine } from "../../language/expression-engine.ts"

/** Whether a file below the flags folder is ignored. The path is relative to that folder, with `/`. */
export type Ignores = (path: string) => boolean

export const ignoresNothing: Ignores = () => false

/**
 * Compiles the globs of a project file: `*` and `?` match within one folder, `**` across folders, `{a,b}` either of its
 * parts, and everything else itself. RE2 matches them in linear time, because a pull request can contain any glob.
 */
export function createIgnores(globs: readonly string[]): Ignores {
  if (globs.length === 0) return ignoresNothing
  const { RE2JS } = loadEngine()
  const any = RE2JS.compile(globs.map(expressionOf).join("|"), RE2JS.DOTALL)
  return (path) => any.matches(path)
}

function expressionOf(glob: string): string {
  const { RE2JS } = loadEngine()
  return glob.replace(parts, (part) => {
    if (part.endsWith("}") && part.startsWith("{"))
      return `(?:${part.slice(1, -1).split(",").map(expressionOf).join("|")})`
    return wildcards[part] ?? RE2JS.quote(part)
  })
}

const parts = /\*\*\/|\*\*|[*?]|\{[^{}]*\}|[^*?{]+|\{/g

const wildcards: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
}
