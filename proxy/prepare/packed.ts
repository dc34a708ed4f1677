/** Many byte strings in one piece of memory, which passes from thread to thread without a look at each of them. */
export interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each one ends, and the next begins. */
  readonly ends: Uint32Array<ArrayBuffer>
}

/** `undefined` is packed as nothing at all, which comes back as `undefined`. */
export function pack(items: readonly (Uint8Array | undefined)[]): Packed {
  const ends = new Uint32Array(items.length)
  let length = 0
  for (const [index, item] of items.entries()) {
    length += item?.length ?? 0
    ends[index] = length
  }
  const bytes = new Uint8Array(length)
  for (const [index, item] of items.entries()) if (item !== undefined) bytes.set(item, ends[index - 1] ?? 0)
  return { bytes, ends }
}

/** The item at an index, in the same memory. */
export function unpack({ bytes, ends }: Packed, index: number): Uint8Array | undefined {
  const start = ends[index - 1] ?? 0
  const end = ends[index] ?? start
  return end > start ? bytes.subarray(start, end) : undefined
}
