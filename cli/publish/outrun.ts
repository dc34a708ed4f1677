import { Failure } from "../failure.ts"
import type { Publication } from "./publication.ts"
import type { Published } from "./published.ts"
import type { PublishTarget } from "./target.ts"

/** Another publisher has won, so there is nothing left to complete. */
class Outrun extends Failure {}

export function outrun({ location }: PublishTarget): Outrun {
  return new Outrun(
    `another publisher updated ${location}, or the store does not yet show what was just written; check with --list, and run this again if it is still needed`,
  )
}

/** Adds to a failure that readers still have what they had before. An `Outrun` and our own bugs stay as they are. */
export function cutOff(error: Error, { pointer, current }: Published): Error {
  if (error instanceof Outrun || !isOfTheMachine(error)) return error
  const had = current === undefined ? "what they had" : `revision ${current.revision}`
  const readers = pointer === undefined ? "nothing yet" : had
  return failed(error, `readers have ${readers}; publish again to complete it`)
}

/** Adds to a failure that the pointer has moved. Our own bugs stay as they are. */
export function unfinished(error: Error, { revision }: Publication): Error {
  if (!isOfTheMachine(error)) return error
  return failed(
    error,
    `proxies have revision ${revision}, but files of the read API may still be those of another: publish again to complete it`,
  )
}

/** Whether a failure is not a bug of ours. */
export function isOfTheMachine(error: unknown): error is Error {
  return error instanceof Failure || (error instanceof Error && "syscall" in error)
}

function failed(cause: Error, standing: string): Failure {
  return new Failure(`${cause.message}\n${standing}`, { cause })
}
