import { publicDocs } from "../docs-address.ts"
import { readPackageFile } from "../package-files.ts"
import { type Code, codes } from "./codes.ts"

/** The section about a code in docs/diagnostics.md. */
export interface CodeExplanation {
  /** The prose, as plain text. */
  readonly text: string
  /** The whole section, with its examples. */
  readonly markdown: string
  /** The section's address; `undefined` if package.json names no repository. */
  readonly uri: string | undefined
}

const page = "docs/diagnostics.md"

/** The explanation of each code, from the package's own page. `repository`: the one that package.json names. */
export function readExplanations(repository?: string): ReadonlyMap<Code, CodeExplanation> {
  const linkTo = publicDocs(page, repository)
  const sections = readPackageFile(page).split(/^(?=##+ )/m)
  return new Map(
    sections.flatMap((section) => {
      const [, code = "", body = ""] = /^### `(.+)`\n([\s\S]*)$/.exec(section) ?? []
      if (!isCode(code)) return []
      const markdown = body.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim() // their targets are relative to the page
      return [[code, { text: proseOf(markdown), markdown, uri: linkTo?.(code) }] as const]
    }),
  )
}

function isCode(text: string): text is Code {
  return Object.hasOwn(codes, text)
}

/** The paragraphs without the blocks, each on one line. */
function proseOf(markdown: string): string {
  return markdown
    .replace(/^```[\s\S]*?^```$/gm, "")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replaceAll("\n", " ").trim())
    .filter((paragraph) => paragraph !== "")
    .join("\n\n")
}
