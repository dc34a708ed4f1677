import { isKeyId, type KeyRecord } from "../../proxy/contract/key-record.ts"
import { Failure } from "../failure.ts"

/** What a new key is called. */
interface WantedId {
  /** `undefined`: `base`, a dash and the first free number from `first` on. */
  readonly id: string | undefined
  readonly base: string
  readonly first: number
  /** The key file's name, for messages. */
  readonly file: string
}

/** Throws `Failure` for an `--id` that no key can have. */
export function refuseBadId(id: string | undefined): void {
  if (id === undefined || isKeyId(id)) return
  throw new Failure(
    "--id: write a letter or digit, then up to 127 letters, digits, dots, dashes or underscores",
  )
}

/** The id of a new key among those of its file. Throws `Failure` if it is taken, or would be too long. */
export function chooseId(keys: readonly KeyRecord[], { id, base, first, file }: WantedId): string {
  const taken = new Set(keys.map((key) => key.id))
  if (id !== undefined && taken.has(id))
    throw new Failure(`${file} already has a key ${id}; choose a different --id`)
  if (id !== undefined) return id
  let number = first
  while (taken.has(`${base}-${number}`)) number++
  const free = `${base}-${number}`
  if (!isKeyId(free)) throw new Failure(`${free} is too long for an id; choose one with --id`)
  return free
}
