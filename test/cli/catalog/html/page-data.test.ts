import { expect, test } from "vitest"
import { pageData } from "../../../../cli/catalog/html/page-data.ts"
import type { CatalogFlag } from "../../../../cli/catalog/model/catalog.ts"
import { emptyCatalog } from "../vector-pages.ts"

const at = "2026-01-01T00:00:00.000Z"

function flagWith(key: string, id: string): CatalogFlag {
  const configuration = { id, flagId: key, environmentId: "live", enabled: true, rules: [], updatedAt: at }
  return {
    flag: {
      ...{ id: `p/${key}`, projectId: "p", key, name: key, description: "" },
      ...{ type: "boolean", defaultValue: false, createdAt: at, updatedAt: at },
    },
    ...{
      owner: "",
      tags: [],
      expires: "",
      path: `${key}.yaml`,
      isTested: false,
      staleAfter: 1,
      asks: [],
      askedBy: [],
    },
    cells: [
      {
        ...{ environment: "live", configuration, differs: false },
        ...{ state: "off", words: ["off for all"], constant: "false", rules: [] },
        otherwise: { isReached: true, hits: 0, witness: "{}" },
      },
    ],
  }
}

test("cells with the same meaning share one setting, unless an id is not the usual one", () => {
  const flags = [flagWith("a", "p/a@live"), flagWith("b", "own"), flagWith("c", "p/c@live")]
  const data = pageData({ ...emptyCatalog, flags })
  expect(data.flags.map(({ 8: cells }) => cells[0]?.[0])).toEqual([0, 1, 0])
  expect(data.settings.map(([, , , configuration]) => configuration?.[0])).toEqual(["", "own"])
})
