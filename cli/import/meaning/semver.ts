/** A version as SemVer 2.0 orders it. */
interface Version {
  readonly numbers: readonly bigint[]
  readonly pre: readonly string[]
}

const grammar =
  /^(0|[1-9]\d*)(?:\.(0|[1-9]\d*))?(?:\.(0|[1-9]\d*))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/

/** Compares two versions; `undefined` where one has no such grammar or fewer numbers than `least`. */
export function compareSemver(a: string, b: string, least = 3): number | undefined {
  const [one, other] = [parse(a, least), parse(b, least)]
  return one && other && (compareLists(one.numbers, other.numbers) || comparePre(one.pre, other.pre))
}

function parse(text: string, least: number): Version | undefined {
  const [, major, minor, patch, pre] = grammar.exec(text) ?? []
  if (major === undefined || [major, minor, patch][least - 1] === undefined) return undefined
  return { numbers: [major, minor ?? "0", patch ?? "0"].map(BigInt), pre: pre?.split(".") ?? [] }
}

function compareLists(a: readonly bigint[], b: readonly bigint[]): number {
  const at = a.findIndex((number, index) => number !== b[index])
  return at === -1 ? 0 : (a[at] ?? 0n) < (b[at] ?? 0n) ? -1 : 1
}

/** A version without a pre-release comes after all of its own; numbers come before texts. */
function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length)
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [one, other] = [a[at], b[at]]
    if (one === undefined || other === undefined) return one === undefined ? -1 : 1
    if (one === other) continue
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
    if (isNumber && isOtherNumber) return BigInt(one) < BigInt(other) ? -1 : 1
    return isNumber !== isOtherNumber ? (isNumber ? -1 : 1) : one < other ? -1 : 1
  }
  return 0
}
