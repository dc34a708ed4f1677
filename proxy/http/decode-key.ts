/**
 * Decodes a key, once; `undefined` if it cannot be decoded. The key is the whole rest of a path, so `a%2Fb` and `a/b`
 * are the same.
 */
export function decodeKey(encoded: string): string | undefined {
  if (!encoded.includes("%")) return encoded
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
