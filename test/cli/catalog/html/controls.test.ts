import { expect, test } from "vitest"
import { emptyCatalog, pageOf } from "../vector-pages.ts"

const at = "2026-01-01T00:00:00.000Z"

test.each(["constructor", "__proto__", "toString", "none"])(
  "an owner, a tag and an environment may be named %s",
  (name) => {
    const flag = {
      flag: {
        ...{ id: "p/a", projectId: "p", key: "a", name: "a", description: "" },
        ...{ type: "boolean" as const, defaultValue: false, createdAt: at, updatedAt: at },
      },
      ...{
        owner: name,
        tags: [name],
        expires: "",
        path: "a.yaml",
        isTested: false,
        cells: [],
        staleAfter: 1,
        asks: [],
        askedBy: [],
      },
    }
    const page = pageOf({ ...emptyCatalog, environments: [{ name, id: "e" }], flags: [flag] }, "")
    expect(page.split(`<option value="${name}">${name}</option>`)).toHaveLength(4)
  },
)
