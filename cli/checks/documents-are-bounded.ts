import { maxDocumentLength } from "../../proxy/contract/manifest.ts"
import type { Report } from "../diagnostics/diagnostic.ts"
import { sentConfiguration, sentFlag } from "../flag/sent-flag.ts"
import type { Flag } from "../language/flag.ts"
import type { Project } from "../reading/project.ts"

/**
 * No environment's document is larger than what proxies read from an address. Reports the first that is, at the flag that
 * takes up most of it. The flags must have no mistakes. Stops at the limit: what lies beyond could fill the memory.
 */
export function documentsAreBounded(flags: readonly Flag[], project: Project, report: Report): void {
  if (flags.reduce((sum, flag) => sum + boundOf(flag), 0) <= maxDocumentLength) return
  const sizes = new Map(project.environments.map(({ name }) => [name, 0]))
  for (const [at, flag] of flags.entries()) {
    for (const [environment, before] of sizes) {
      const size = before + sizeIn(flag, environment)
      if (size > maxDocumentLength) {
        reportLargest(flags.slice(0, at + 1), environment, report)
        return
      }
      sizes.set(environment, size)
    }
  }
}

/** At least what the flag takes up in any environment: a UTF-16 unit has at most three bytes. */
function boundOf(flag: Flag): number {
  const configurations = [...flag.configurations.values()].map(sentConfiguration)
  return 3 * JSON.stringify([sentFlag(flag), ...configurations]).length
}

/** In bytes, without the times, which every flag has. */
function sizeIn(flag: Flag, environment: string): number {
  const configuration = flag.configurations.get(environment)
  return Buffer.byteLength(
    JSON.stringify([sentFlag(flag), configuration ? sentConfiguration(configuration) : null]),
  )
}

function reportLargest(flags: readonly Flag[], environment: string, report: Report): void {
  const [largest, ...others] = flags
    .map((flag) => ({ flag, size: sizeIn(flag, environment) }))
    .sort((a, b) => b.size - a.size)
    .slice(0, mostNamed)
    .map(({ flag: { key, source }, size }) => ({
      message: `\`${key}\` takes up ${size} bytes`,
      location: { source, span: { start: 0, end: 0 } },
    }))
  if (largest === undefined) return
  report.add({
    code: "document-too-large",
    message: `The document of \`${environment}\` has more than ${maxDocumentLength / 2 ** 20} MiB, which proxies do not read from a URL. ${largest.message}. Shorten lists, or compare an attribute that has fewer values.`,
    source: largest.location.source,
    span: largest.location.span,
    related: others,
  })
}

const mostNamed = 3
