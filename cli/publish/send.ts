import type { Precondition, PublishedFile, PublishTarget, StoredFile } from "./target.ts"

/**
 * Writes a file where the condition holds. Whether it did is seen by what lies there: an answer that was lost on its way
 * makes a second try of the same write fail its own condition. The look before is for stores that know no conditions.
 */
export async function writeIf(
  target: PublishTarget,
  file: PublishedFile,
  condition: Precondition,
): Promise<void> {
  const found = await target.read(file.path)
  if (isSame(found, condition.replaces)) await target.write(file, condition)
}

/** The same, and says whether the target has the file then. */
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

/** Whether two looks found the same. */
export function isSame(one: StoredFile | undefined, other: StoredFile | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.bytes.equals(other.bytes)
}
