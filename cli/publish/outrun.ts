import { Failure } from "../failure.ts"
import type { Published } from "./published.ts"
import type { PublishTarget } from "./target.ts"

/** Nothing is left to complete: somebody else has the target now. */
export class Outrun extends Failure {}

export function outrun({ location }: PublishTarget): Outrun {
  return new Outrun(
    `another publisher was faster at ${location}; see what it has now with --list, and run this again if it is still wanted`,
  )
}

/** A failure after which readers have what they had. One of ours stays what it is. */
export function cutOff(error: Error, { pointer, fulfilled }: Published): Error {
  if (!isOfTheMachine(error)) return error
  const readers = pointer === undefined ? "nothing yet" : `revision ${fulfilled?.revision}`
  return failed(error, `readers have ${readers}; run the same command again to complete it`)
}

/** A failure after which not even the API's paths could be put right. */
export function unsettled(error: Error): Error {
  if (!isOfTheMachine(error)) return error
  return failed(
    error,
    "proxies have one whole revision; the files of the read API may be of several: run the same command again to complete it",
  )
}

function isOfTheMachine(error: Error): boolean {
  return error instanceof Failure || "syscall" in error
}

function failed(cause: Error, standing: string): Failure {
  return new Failure(`${cause.message}\n${standing}`, { cause })
}
