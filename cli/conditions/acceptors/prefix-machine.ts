import type { Machine } from "./acceptor.ts"

/** How much of the text was read while it may still begin with something unwanted; `undefined`: it no longer may. */
interface Beginning {
  readonly length: number
  /** The first unwanted beginning that goes on as the text does. */
  readonly like: number
}

/** Accepts the texts that begin with `prefix` and with none of `unwanted`. */
export function prefixMachine(prefix: string, unwanted: readonly string[]): Machine<Beginning> {
  // A beginning that the prefix excludes cannot come.
  const open = unwanted.filter((text) => text.startsWith(prefix))
  return {
    price: 8,
    start: { length: 0, like: 0 },
    step({ length, like }, character) {
      if (length < prefix.length)
        return prefix[length] === character ? { length: length + 1, like: 0 } : undefined
      if (like === open.length) return { length, like }
      const known = open[like]?.slice(0, length) ?? ""
      const next = open.findIndex((text) => text[length] === character && text.startsWith(known))
      if (next === -1) return { length: prefix.length, like: open.length }
      const isUnwanted = open.some((text) => text.length === length + 1 && text === known + character)
      return isUnwanted ? undefined : { length: length + 1, like: next }
    },
    accepts: ({ length }) => length >= prefix.length,
    nameOf: ({ length, like }) => `${length} ${like}`,
  }
}
