import { hash } from "node:crypto"
import type { PublishTarget, StoredFile } from "../../cli/publish/target.ts"

/** A store in memory; with `isConditional` false it silently ignores conditions. */
export function createMemoryTarget(files = new Map<string, Buffer>(), isConditional = true): PublishTarget {
  const stored = (path: string): StoredFile | undefined => {
    const bytes = files.get(path)
    return bytes && { bytes, version: `"${hash("sha256", bytes)}"` }
  }
  return {
    location: "memory",
    address: "https://flags.example.com",
    read: async (path) => stored(path),
    async write({ path, bytes }, condition) {
      const isLost = condition !== undefined && stored(path)?.version !== condition.replaces?.version
      if (isConditional && isLost) return "lost"
      files.set(path, Buffer.from(bytes))
      return "written"
    },
    async remove(path) {
      files.delete(path)
    },
    async close() {},
  }
}
