/** The rest of a path is the key, slashes and all, so `a%2Fb` and `a/b` are one; decoded once, or `undefined`. */
export function decodeKey(encoded: string): string | undefined {
  if (!encoded.includes("%")) return encoded
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
