import { Failure } from "../failure.ts"
import type { Condition, PublishedFile, PublishTarget } from "./target.ts"

/** Writes a file and reads it back. Throws `Failure` where the target then holds something else. */
export async function send(target: PublishTarget, file: PublishedFile): Promise<void> {
  await target.write(file)
  if (!(await holds(target, file)))
    throw new Failure(
      `${target.location}: ${file.path} reads back as something else than was sent; publish to the origin, with no cache between`,
    )
}

/**
 * Like `send`, where the condition holds; else false. An answer that was lost on its way makes a second try of the
 * same write fail its own condition, so what lies there decides.
 */
export async function sendIf(
  target: PublishTarget,
  file: PublishedFile,
  condition: Condition,
): Promise<boolean> {
  await target.write(file, condition)
  return holds(target, file)
}

/** Whether the target has these very bytes. */
export async function holds(
  target: PublishTarget,
  { path, bytes }: Pick<PublishedFile, "path" | "bytes">,
): Promise<boolean> {
  return (await target.read(path))?.bytes.equals(bytes) === true
}
