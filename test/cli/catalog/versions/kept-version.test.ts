import { expect, test } from "vitest"
import { keepVersion, restoreVersion } from "../../../../cli/catalog/versions/kept-version.ts"
import { readOldFlag } from "../../../../cli/compile/history/old-version.ts"
import { writeFlag } from "../../../../cli/compile/meaning/compiled-flag.ts"
import type { ResolvedFlag } from "../../../../cli/compile/meaning/resolve.ts"
import { flagDifferences } from "../../../../cli/diff/differences/differences.ts"
import { sideOf } from "../../diff/sides.ts"

const written = {
  ...{ type: "json", defaultValue: { b: [1, null], a: "é\n" }, description: 'a "text"' },
  environments: {
    production: {
      enabled: true,
      rules: [{ attribute: "plan", operator: "in", value: ["pro", "5"], returnValue: { z: 1 } }],
    },
  },
}

/** As old versions are read: whatever is wrong with them. */
function flagOf(more: object): ResolvedFlag {
  const { project } = sideOf({})
  const bytes = Buffer.from(JSON.stringify({ ...written, ...more }))
  const flag = project && readOldFlag(bytes, "checkout.yaml", project)
  if (flag === undefined) throw new Error("the flag can be read")
  return flag
}

test.each<readonly [string, object]>([
  ["nobody", {}],
  ["an owner, tags and an expiry", { owner: "team-a", tags: ["x", "y"], expires: "2027-01-01" }],
  ["an owner that is no text", { owner: { name: ["a", { b: null }] }, tags: 5 }],
])("a version that is kept says what it said: %s", (_, more) => {
  const flag = flagOf(more)
  const restored = restoreVersion(keepVersion(flag, writeFlag(flag)))
  expect(restored.flag).toEqual(flag.flag)
  expect(restored.configurations).toEqual(flag.configurations)
  expect(flagDifferences({ kind: "kept", before: restored, after: flag })).toEqual([])
  const other = flagDifferences({ kind: "kept", before: restored, after: flagOf({ owner: "else" }) })
  expect(other).toEqual(flagDifferences({ kind: "kept", before: flag, after: flagOf({ owner: "else" }) }))
})
