import { expect, test } from "vitest"
import { createFlagData } from "../../../../cli/catalog/flags/flag-data.ts"
import { createPageLists } from "../../../../cli/catalog/flags/page-lists.ts"
import type { CatalogFlag, CellMeaning } from "../../../../cli/catalog/model/catalog-flag.ts"

const at = "2026-01-01T00:00:00.000Z"
const meaning: CellMeaning = {
  ...{ isShared: true, environment: "live", defaultValue: false, content: { enabled: true, rules: [] } },
  ...{ state: "off", words: ["off for all"], constant: "false", rules: [] },
  otherwise: { isReached: true, hits: 0, witness: "{}" },
}

function flagWith(key: string, id: string): CatalogFlag {
  return {
    flag: {
      ...{ id: `shop/${key}`, projectId: "shop", key, name: key, description: "" },
      ...{ type: "boolean", defaultValue: false, createdAt: at, updatedAt: at },
    },
    ...{ owner: "", tags: [], expires: "", path: `${key}.yaml`, isTested: false },
    cells: [{ meaning, differs: false, configured: { id, updatedAt: at } }],
  }
}

test("cells that mean the same have one setting, unless an id is not the usual one", () => {
  const lists = createPageLists()
  const flagData = createFlagData({ project: "shop", environments: ["live"] }, lists)
  const settings = [flagWith("a", "shop/a@live"), flagWith("b", "own"), flagWith("c", "shop/c@live")].map(
    (flag) => flagData(flag)[0][8][0]?.[0],
  )
  expect(settings).toEqual([0, 1, 0])
  expect(lists.settings.all.map(([, , , configuration]) => configuration?.[0])).toEqual(["", "own"])
})
