import { replaceHarmful } from "../diagnostics/printable.ts"

/**
 * A description as one line that ends no comment and no docstring of any language, and hides nothing: generators write it
 * there as it is, and Java even reads `\u002a` in comments as a star.
 */
export function commentText(description: string): string {
  return replaceHarmful(description, () => " ")
    .replace(/\s+/g, " ")
    .replaceAll("\\", "/")
    .replaceAll("*/", "* /")
    .replaceAll('"""', "'''")
    .trim()
}
