import { readdirSync } from "node:fs"
import { expect, test } from "vitest"
import { withLockedFile } from "../../../cli/keys/locked-file.ts"
import { keyFolder, written } from "./key-folder.ts"

const { path, read, write } = keyFolder()

test("a lock that nobody gives back is named, with the fix, and not removed", async () => {
  write(written)
  write("", "keys.yaml.lock")
  const change = withLockedFile(path("keys.yaml"), (replace) => replace("keys: []"), {
    attempts: 2,
    pause: 1,
  })
  await expect(change).rejects.toThrow(
    /keys\.yaml\.lock is in the way: .* when none is running, remove that file and try again$/,
  )
  expect(readdirSync(path())).toEqual(["keys.yaml", "keys.yaml.lock"])
  expect(read()).toBe(written)
})
