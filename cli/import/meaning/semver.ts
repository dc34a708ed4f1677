import { compareVersion, parseVersionOperand } from "../../../sdk/evaluation/version.ts"

const grammar =
  /^(0|[1-9]\d*)(?:\.(0|[1-9]\d*))?(?:\.(0|[1-9]\d*))?(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

/** Compares two versions of SemVer 2.0; `undefined` if one is not a version, or has fewer numbers than `least`. */
export function compareSemver(a: string, b: string, least = 3): number | undefined {
  const operand = parseVersionOperand(b)
  const isStrict = [a, b].every((text) => grammar.exec(text)?.[least] !== undefined)
  return isStrict && operand !== undefined ? compareVersion(a, operand) : undefined
}
