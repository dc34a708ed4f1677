/**
 * The offsets that texts may have. `utc`: a date alone, or `Z`. `date`: as a Date is written. Any other: those whose text
 * begins so, `+`, `-0` or `+05:30`; where that is not all of it, what depends on the rest is not known.
 */
export type Zone = string

/** Whether an offset can begin so. */
export function isZone(text: string, zone: Zone): boolean {
  if (zone === "utc") return /^[Zz]$/.test(text)
  if (zone === "date" || zone === "Z") return text === "Z"
  return /^[+-](?:[01]\d?|2[0-3]?)?$|^[+-](?:[01]\d|2[0-3]):(?:[0-5]\d?)?$/.test(text) && begins(text, zone)
}

function begins(text: string, zone: Zone): boolean {
  return text.length < zone.length ? zone.startsWith(text) : text.startsWith(zone)
}

/** An offset after which the same may follow. */
export function alikeZone(text: string, zone: Zone): string {
  const isOpen = text.length > zone.length && !(text.length === 2 && text.endsWith("2"))
  return isOpen ? zone + "+00:00".slice(zone.length, text.length) : text
}

/** The least and the greatest offset, in milliseconds, whose text begins so. */
export function offsetsOf(zone: Zone): readonly [number, number] {
  if (zone === "utc" || zone === "date") return [0, 0]
  const fill = (digit: string) => {
    const [hours, minutes] = [zone.slice(1, 3).padEnd(2, digit), zone.slice(4, 6).padEnd(2, digit)]
    return Math.min(Number(hours), 23) * 60 + Math.min(Number(minutes), 59)
  }
  const [low, high] = [fill("0") * 60_000, fill("9") * 60_000]
  return zone.startsWith("-") ? [-high, -low] : [low, high]
}

/** The offsets that begin so, with one more character; none where nothing is missing. */
export function narrowerZones(zone: Zone): readonly Zone[] {
  return [..."0123456789:"].map((character) => zone + character).filter((one) => isZone(one, zone))
}
