import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

// A page of golden cases, such as test/golden/syntax.md, has a section for each file: its path, its text, what is printed
// about it, and the text that a command makes of it. In a page, `<U+00A0>` is a character that nobody would see, and
// `<end>` means that no newline ends the text.

/** The folder of golden cases. */
export const golden = join(import.meta.dirname, "golden")

const block = /^(?:## (\S+)\n\n)?```yaml(?: after)?\n([\s\S]*?)^```$/gm
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}| (?= *$)|^`(?=``)/gmu

/** The texts on a page before a command changes them, by the path in their heading. */
export function filesOn(page: string): ReadonlyMap<string, string> {
  return new Map(
    blocksOn(page).flatMap(({ path, text }) => (path === undefined ? [] : ([[path, text]] as const))),
  )
}

/** All texts on a page: those of the files, and those that a command makes of them. */
export function textsOn(page: string): readonly string[] {
  return blocksOn(page).map(({ text }) => text)
}

function blocksOn(page: string): readonly { readonly path: string | undefined; readonly text: string }[] {
  return [...readFileSync(page, "utf8").matchAll(block)].map(([, path, text = ""]) => ({
    path,
    text: text
      .replace(/<end>\n$/, "")
      .replaceAll(/<U\+([0-9A-F]{4})>/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 16))),
  }))
}

/** A file's section on a page. `printed` is empty if nothing is printed about it; `after` is `text` if nothing changes it. */
export function sectionOf(path: string, text: string, printed: string, after: string): string {
  const parts = [`## ${path}\n`, fenced("yaml", text)]
  if (printed !== "") parts.push(fenced("text", printed))
  if (after !== text) parts.push(fenced("yaml after", after))
  return parts.join("\n")
}

/** A fenced block with a text in which every character can be seen. */
export function fenced(info: string, text: string): string {
  const seen = text.replaceAll(unseen, (character) => (character === "\n" ? character : escaped(character)))
  return `\`\`\`${info}\n${seen}${text.endsWith("\n") ? "" : "<end>\n"}\`\`\`\n`
}

function escaped(character: string): string {
  return `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`
}

/**
 * Copies the flags of a golden case into `folder`. The case is a folder, such as `bad-operand`, or a project on a page:
 * `syntax/indentation` has the files `indentation/flags/…` on syntax.md.
 */
export function copyFlags(name: string, folder: string): void {
  if (existsSync(join(golden, name, "flags"))) {
    cpSync(join(golden, name, "flags"), join(folder, "flags"), { recursive: true })
    return
  }
  const [page = "", ...rest] = name.split("/")
  const start = join(...rest, "flags/")
  for (const [path, text] of filesOn(join(golden, `${page}.md`))) {
    if (!path.startsWith(start)) continue
    const file = join(folder, "flags", path.slice(start.length))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}
