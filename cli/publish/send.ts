import type { Precondition, PublishedFile, PublishTarget, StoredFile } from "./target.ts"

/**
 * Writes a file if the condition is true. Only reading the file afterwards shows whether it was written: if an answer
 * is lost, the repeated write fails its own condition. Stores without conditional writes need the read beforehand.
 */
export async function writeIf(
  target: PublishTarget,
  file: PublishedFile,
  condition: Precondition,
): Promise<void> {
  const found = await target.read(file.path)
  if (isSame(found, condition.replaces)) await target.write(file, condition)
}

/** Does the same, and returns whether the target has the file afterwards. */
export async function sendIf(
  target: PublishTarget,
  file: PublishedFile,
  condition: Precondition,
): Promise<boolean> {
  await writeIf(target, file, condition)
  return holds(target, file)
}

/** Whether the target has exactly these bytes. */
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
