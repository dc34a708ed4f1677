import { isObject } from "../../sdk/contract/parsed.ts"

/** A package.json with the scripts that it lacked. */
export interface AddedScripts {
  /** In npm's layout. */
  readonly text: string
  readonly names: readonly string[]
}

/**
 * Adds a script for each command, and one that npm runs after an install. Existing scripts stay as they are. `undefined`:
 * the text is not a package.json, or lacks none.
 */
export function addScripts(text: string, flagsOption: string): AddedScripts | undefined {
  const manifest = parseObject(text)
  const scripts = manifest?.scripts ?? {}
  if (manifest === undefined || !isObject(scripts)) return undefined
  const commands = ["dev", "lint", "fmt", "test", "build"]
  const all = [
    ...commands.map((command) => [`flags:${command}`, `flagstone ${command}${flagsOption}`] as const),
    // Writes the schemas for editors, which git ignores. An install must fail neither for a mistake in a flag nor without
    // development dependencies; the shells of Windows and others both know `exit 0`.
    ["prepare", `flagstone lint${flagsOption} || exit 0`] as const,
  ]
  const added = all.filter(([name]) => !(name in scripts))
  if (added.length === 0) return undefined
  const indent = /^[\t ]+/m.exec(text)?.[0] ?? 2
  const end = /\r?\n$/.exec(text)?.[0] ?? ""
  const written = JSON.stringify(
    { ...manifest, scripts: { ...scripts, ...Object.fromEntries(added) } },
    null,
    indent,
  )
  return {
    text: `${text.includes("\r\n") ? written.replaceAll("\n", "\r\n") : written}${end}`,
    names: added.map(([name]) => name),
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
