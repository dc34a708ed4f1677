/**
 * The text of a package.json with a script for each command, in npm's layout. Existing scripts stay as they are.
 * `undefined`: there is nothing to add, or the text is not a package.json.
 */
export function addScripts(text: string, flagsOption: string): string | undefined {
  const manifest = parseObject(text)
  const scripts = manifest?.scripts ?? {}
  if (manifest === undefined || !isObject(scripts)) return undefined
  const missing = ["dev", "lint", "fmt", "test", "build"].filter(
    (command) => !(`flags:${command}` in scripts),
  )
  if (missing.length === 0) return undefined
  const added = missing.map((command) => [`flags:${command}`, `flagstone ${command}${flagsOption}`])
  const indent = /^[\t ]+/m.exec(text)?.[0] ?? 2
  const end = /\r?\n$/.exec(text)?.[0] ?? ""
  const written = JSON.stringify(
    { ...manifest, scripts: { ...scripts, ...Object.fromEntries(added) } },
    null,
    indent,
  )
  return `${text.includes("\r\n") ? written.replaceAll("\n", "\r\n") : written}${end}`
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
