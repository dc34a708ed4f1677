import { readFileSync } from "node:fs"

const page = readFileSync(new URL("../../../docs/evaluation.md", import.meta.url), "utf8")

/** The names in `\p{…}` that the page lists. */
export const classNames: readonly string[] = [
  ...(/\n- `Any`;[\s\S]*?\n\n/.exec(page)?.[0] ?? "").matchAll(/`(\w+)`/g),
].map(([, name = ""]) => name)
