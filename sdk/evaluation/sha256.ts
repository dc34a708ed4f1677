/**
 * The first four bytes, big-endian, of SHA-256 over the UTF-8 of `prefix` and `text`. Web Crypto is asynchronous, and
 * `node:crypto` is not in browsers. Half a surrogate pair is encoded as U+FFFD, as `TextEncoder` does.
 */
export function sha256Head(prefix: string, text: string): number {
  state.set(initial)
  length = 0
  absorb(prefix)
  absorb(text)
  finish()
  return (state[0] ?? 0) >>> 0
}

// The one computation that runs at a time: nothing in it calls out.
const state = new Int32Array(8)
/** The block that is being filled, followed by its expansion while it is compressed. */
const schedule = new Int32Array(64)
const block = schedule.subarray(0, 16)
/** Bytes so far. */
let length = 0

function absorb(text: string): void {
  // Not `codePointAt`: V8's Maglev (Node 24) reads behind the end of a slice that ends in half a pair.
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) {
      push(unit)
    } else if (unit < 0x800) {
      push(0xc0 | (unit >> 6))
      push(0x80 | (unit & 63))
    } else {
      const next = (unit & 0xfc00) === 0xd800 ? text.charCodeAt(index + 1) : 0
      if ((next & 0xfc00) === 0xdc00) {
        index++
        const point = ((unit & 0x3ff) << 10) + (next & 0x3ff) + 0x10000
        push(0xf0 | (point >> 18))
        push(0x80 | ((point >> 12) & 63))
        push(0x80 | ((point >> 6) & 63))
        push(0x80 | (point & 63))
      } else {
        const whole = (unit & 0xf800) === 0xd800 ? 0xfffd : unit
        push(0xe0 | (whole >> 12))
        push(0x80 | ((whole >> 6) & 63))
        push(0x80 | (whole & 63))
      }
    }
  }
}

function push(byte: number): void {
  const at = (length >> 2) & 15
  schedule[at] = (schedule[at] ?? 0) | (byte << (24 - (length & 3) * 8))
  length++
  if ((length & 63) === 0) compress()
}

function finish(): void {
  const bytes = length
  push(0x80)
  if ((length & 63) > 56) compress()
  schedule[14] = Math.floor(bytes / 2 ** 29)
  schedule[15] = bytes << 3
  compress()
}

function compress(): void {
  const w = schedule
  for (let index = 16; index < 64; index++) {
    const a = w[index - 15] ?? 0
    const b = w[index - 2] ?? 0
    const low = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3)
    const high = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10)
    w[index] = ((w[index - 16] ?? 0) + low + (w[index - 7] ?? 0) + high) | 0
  }
  let a = state[0] ?? 0
  let b = state[1] ?? 0
  let c = state[2] ?? 0
  let d = state[3] ?? 0
  let e = state[4] ?? 0
  let f = state[5] ?? 0
  let g = state[6] ?? 0
  let h = state[7] ?? 0
  for (let index = 0; index < 64; index++) {
    const mixE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const first = (h + mixE + (g ^ (e & (f ^ g))) + (constants[index] ?? 0) + (w[index] ?? 0)) | 0
    const mixA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const second = (mixA + ((a & b) | (c & (a | b)))) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  add(0, a)
  add(1, b)
  add(2, c)
  add(3, d)
  add(4, e)
  add(5, f)
  add(6, g)
  add(7, h)
  block.fill(0)
}

function add(index: number, word: number): void {
  state[index] = ((state[index] ?? 0) + word) | 0
}

/** FIPS 180-4, 5.3.3. */
const initial = new Int32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
])
/** FIPS 180-4, 4.2.2. */
const constants = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
])
