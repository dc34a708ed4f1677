/** MurmurHash3 for x86, 32 bits, with the seed 0 (Appleby, public domain), as Unleash and flagd use it. */
export function murmur3(text: string): number {
  const bytes = Buffer.from(text)
  const mix = (word: number) => Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593)
  let hash = 0
  const whole = bytes.length - (bytes.length % 4)
  for (let at = 0; at < whole; at += 4)
    hash = (Math.imul(rotate(hash ^ mix(bytes.readInt32LE(at)), 13), 5) + 0xe6546b64) | 0
  let rest = 0
  for (let at = bytes.length - 1; at >= whole; at--) rest = (rest << 8) | (bytes[at] ?? 0)
  hash ^= mix(rest) ^ bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

function rotate(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}

/** FNV-1a, 32 bits, as GO Feature Flag uses it. */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}
