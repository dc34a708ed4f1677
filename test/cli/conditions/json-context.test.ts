import { expect, test } from "vitest"
import { jsonContext } from "../../../cli/conditions/json-context.ts"

test.each<readonly [string, unknown, unknown]>([["a list", ["a", 1, null], ["a", 1, null]]])(
  "JSON says %s",
  (_, x, said) => expect(jsonContext({ x })).toEqual({ x: said }),
)
