import { join } from "node:path"
import { expect, test } from "vitest"
import { formatJson } from "../../../../cli/diff/format/format-json.ts"
import { after, before, compared } from "./compared.ts"

test("a document", async () => {
  const json = formatJson(compared(before, after))
  await expect(json).toMatchFileSnapshot(join(import.meta.dirname, "expected.json.txt"))
})
