import type { Precondition, PublishedFile, PublishTarget, StoredFile } from "./target.ts"

/**
 * Writes a file if the condition holds. The file that is there afterwards tells whether it did: when an answer is lost,
 * the second try of the same write fails its own condition. Stores that do not know conditions need the read before.
 */
export async function writeIf(
  target: PublishTarget,
  file: PublishedFile,
  condition: Precondition,
): Promise<void> {
  const found = await target.read(file.path)
  if (isSame(found, condition.replaces)) await target.write(file, condition)
}

/** The same, and returns whether the target has the file afterwards. */
export async function sendIf(
  target: PublishTarget,
  file: PublishedFile,
  condition: Precondition,
): Promise<boolean> {
  await writeIf(target, file, condition)
  return holds(target, file)
}

/** Whether the target has these very bytes. */
export async function holds(
  target: PublishTarget,
  { path, bytes }: Pick<PublishedFile, "path" | "bytes">,
): Promise<boolean> {
  return (await target.read(path))?.bytes.equals(bytes) === true
}

/** Whether two reads found the same. */
export function isSame(one: StoredFile | undefined, other: StoredFile | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.bytes.equals(other.bytes)
}
