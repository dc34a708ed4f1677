const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Milliseconds of a whole number and one unit: `250ms`, `30s`, `5m`, `12h`, `90d`. `undefined` for any other string. */
export function parseDuration(text: string): number | undefined {
  const { count, unit } = /^(?<count>\d{1,12})(?<unit>ms|s|m|h|d)$/.exec(text)?.groups ?? {}
  if (count === undefined || unit === undefined) return undefined
  const milliseconds = Number(count) * units[unit as keyof typeof units]
  return Number.isSafeInteger(milliseconds) ? milliseconds : undefined
}
