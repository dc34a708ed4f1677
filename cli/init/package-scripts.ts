/** A package.json with the scripts that it lacked. */
export interface AddedScripts {
  /** In npm's layout; as before if it lacked none. */
  readonly text: string
  readonly names: readonly string[]
  /** Whether npm writes the schemas for editors after an install. */
  readonly hasSchemas: boolean
}

/**
 * Adds a script for each command, and one that npm runs after an install. Existing scripts stay as they are. `undefined`:
 * the text is not a package.json.
 */
export function addScripts(text: string, flagsOption: string): AddedScripts | undefined {
  const manifest = parseObject(text)
  const scripts = manifest?.scripts ?? {}
  if (manifest === undefined || !isObject(scripts)) return undefined
  const commands = ["dev", "lint", "fmt", "test", "build"]
  const all = [
    ...commands.map((command) => [`flags:${command}`, `flagstone ${command}${flagsOption}`] as const),
    ["prepare", schemaScript(flagsOption)] as const,
  ]
  const added = all.filter(([name]) => !(name in scripts))
  const names = added.map(([name]) => name)
  const hasSchemas = names.includes("prepare") || String(scripts.prepare).includes("flagstone lint")
  if (added.length === 0) return { text, names, hasSchemas }
  const indent = /^[\t ]+/m.exec(text)?.[0] ?? 2
  const end = /\r?\n$/.exec(text)?.[0] ?? ""
  const written = JSON.stringify(
    { ...manifest, scripts: { ...scripts, ...Object.fromEntries(added) } },
    null,
    indent,
  )
  return {
    text: `${text.includes("\r\n") ? written.replaceAll("\n", "\r\n") : written}${end}`,
    names,
    hasSchemas,
  }
}

/**
 * Writes the schemas for editors, which git ignores. An install must fail neither for a mistake in a flag nor without
 * development dependencies; the shells of Windows and others both know `exit 0`.
 */
export function schemaScript(flagsOption: string): string {
  return `flagstone lint${flagsOption} || exit 0`
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
