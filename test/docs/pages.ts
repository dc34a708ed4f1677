import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"

/** The repository's folder. */
export const root = resolve(import.meta.dirname, "../..")

/** A page that readers read, by its path in the repository. */
export interface Page {
  readonly path: string
  readonly text: string
}

/** A fenced block: its language, the words after it, and the lines between the fences. */
export interface Block {
  readonly language: string
  readonly info: string
  readonly text: string
}

const fence = /^```(\w*)(?: (.+))?\n([\s\S]*?)^```$/gm

/** Every page: README, CONTRIBUTING, all of docs/, and the skill for coding agents. */
export const pages: readonly Page[] = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "skills/flagstone/SKILL.md",
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
].map(readPage)

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(root, path), "utf8") }
}

export function blocksOf(text: string): readonly Block[] {
  return [...text.matchAll(fence)].map(([, language = "", info = "", content = ""]) => ({
    language,
    info,
    text: content,
  }))
}

/** The text with the content of its blocks replaced, one after the other. */
export async function replaceBlocks(
  text: string,
  replace: (block: Block) => Promise<string>,
): Promise<string> {
  let result = ""
  let end = 0
  for (const match of text.matchAll(fence)) {
    const [whole, language = "", info = "", content = ""] = match
    const replaced = await replace({ language, info, text: content })
    result += text.slice(end, match.index) + whole.slice(0, whole.indexOf("\n") + 1) + replaced
    result += "```"
    end = match.index + whole.length
  }
  return result + text.slice(end)
}

/** A page without its blocks and its inline code: what is left is prose with links. */
export function proseOf(text: string): string {
  return text.replace(fence, "").replace(/`[^`\n]*`/g, (code) => "x".repeat(code.length))
}

/** The anchors that GitHub gives the headings of a page. */
export function anchorsOf(text: string): readonly string[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "")
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  )
}
