import { expect, test } from "vitest"
import { createKeyring, describeKeyChanges } from "../../../proxy/keys/keyring.ts"
import { describeChanges } from "../../../proxy/snapshots/describe-changes.ts"
import { buildFiles, defaultBucket, flagEntry, loadFiles, mintKey } from "../fixtures.ts"

const [a, b, c, b2] = [flagEntry("a"), flagEntry("b"), flagEntry("c"), flagEntry("b", 2)]

test("added, removed and changed flags are counted and named if the document differs", async () => {
  const before = await loadFiles(buildFiles({ production: [a, b], staging: [a], gone: [a, b] }))
  const after = await loadFiles(buildFiles({ production: [b2, c], staging: [a], fresh: [a] }))
  expect(describeChanges(after, before)).toEqual({
    project: "shop",
    revisions: { production: null, staging: null, fresh: null },
    flags: {
      production: { added: 1, removed: 1, changed: 1, names: ["b", "c", "a"] },
      fresh: { added: 1, removed: 0, changed: 0, names: ["a"] },
      gone: { added: 0, removed: 2, changed: 0, names: ["a", "b"] },
    },
  })
  expect(describeChanges(before, before).flags).toEqual({})
})

test("added, removed and changed keys are counted, and twenty of them named", () => {
  const [kept, gone, revoked, fresh] = ["kept", "gone", "revoked", "fresh"].map(
    (id) => mintKey({ id }).record,
  )
  if (!kept || !gone || !revoked || !fresh) throw new Error("no keys")
  const before = createKeyring([kept, gone, revoked], defaultBucket)
  const after = createKeyring([{ ...kept }, { ...revoked, revokedAt: 1 }, fresh], defaultBucket)
  expect(describeKeyChanges(after, before)).toEqual({
    keys: 3,
    changes: { added: 1, removed: 1, changed: 1, names: ["revoked", "fresh", "gone"] },
  })
  const many = Array.from({ length: 30 }, (_, at) => mintKey({ id: `key-${at}` }).record)
  expect(describeKeyChanges(createKeyring(many, defaultBucket), before)).toMatchObject({
    changes: { added: 30, removed: 3, names: many.slice(0, 20).map(({ id }) => id) },
  })
})
