import { compareVersion, parseVersionOperand, type VersionOperand } from "../../sdk/evaluation/version.ts"
import { after, before, compareCuts, type Interval } from "./intervals.ts"

/** A version, as it is written and as it is read. It is never a range. */
export interface Version {
  readonly text: string
  readonly parsed: VersionOperand
}

export function compareVersions(a: Version, b: Version): number {
  return compareVersion(a.text, b.parsed) ?? 0
}

/**
 * Where an operand begins and ends. A range `130.*` goes from the first version that begins with its numbers, `130-0`, up
 * to before `131-0`.
 */
export function endsOfVersion({ numbers, prerelease, isRange }: VersionOperand) {
  const digits = numbers.map((number) => number || "0")
  if (!isRange) {
    const version = versionOf(
      digits,
      prerelease.map(({ text }) => text || "0"),
    )
    return [before(version), after(version)] as const
  }
  const next = [...digits.slice(0, -1), String(BigInt(digits.at(-1) ?? "0") + 1n)]
  return [before(versionOf(digits, ["0"])), before(versionOf(next, ["0"]))] as const
}

function versionOf(numbers: readonly string[], prerelease: readonly string[]): Version {
  const text = numbers.join(".") + (prerelease.length > 0 ? `-${prerelease.join(".")}` : "")
  return { text, parsed: parseVersionOperand(text) ?? { numbers, prerelease: [], isRange: false } }
}

/** Some versions of an interval: the ones that authors would write come first. None if the interval has none. */
export function* someVersions(interval: Interval<Version>): Generator<Version> {
  const { from, to } = interval
  for (const version of candidatesAfter(from?.value, to?.value)) {
    const isBehind = from === undefined || compareCuts(from, before(version), compareVersions) <= 0
    if (isBehind && (to === undefined || compareCuts(after(version), to, compareVersions) <= 0)) yield version
  }
}

/**
 * The order has a first version, `0-0`, and gaps: nothing is between `1-a` and `1-a.0`. After a release there is always
 * room: `1.0.0.1-0` comes after `1` and before all versions whose first numbers are greater.
 */
function* candidatesAfter(from: Version | undefined, to: Version | undefined): Generator<Version> {
  const numbers = from === undefined ? ["0"] : from.parsed.numbers.map((number) => number || "0")
  const prerelease = from?.parsed.prerelease.map(({ text }) => text || "0") ?? ["0"]
  const bump = (at: number) =>
    versionOf(
      numbers.slice(0, at + 1).map((number, index) => (index === at ? String(BigInt(number) + 1n) : number)),
      [],
    )
  if (from !== undefined) yield from
  yield versionOf(numbers, [])
  for (let at = Math.min(numbers.length, 4) - 1; at >= 0; at--) yield bump(at)
  yield versionOf([...numbers, "1"], [])
  if (from === undefined) {
    yield versionOf(numbers, prerelease)
    yield versionOf(["0", "0", "1"], [])
  }
  if (prerelease.length > 0) yield versionOf(numbers, [...prerelease, "0"])
  else {
    const zeros = Math.max(0, (to?.parsed.numbers.length ?? 0) - numbers.length) + 1
    yield versionOf([...numbers, ...Array.from({ length: zeros }, () => "0"), "1"], ["0"])
  }
}

/** Ways to write a version, all distinct. */
export function* spellVersion({ text }: Version, count: number): Generator<string> {
  yield text
  yield `v${text}`
  yield `0${text}`
  yield `v0${text}`
  if (!text.includes("-")) yield `${text}.0`
  for (let index = 0; index < count; index++) yield `${index % 2 === 0 ? "" : "v"}${text}+${index}`
}
