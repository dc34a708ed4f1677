import { expect, test } from "vitest"
import { environmentsOf } from "../../../cli/import/environments.ts"
import { flagd } from "../../../cli/import/flagd.ts"
import { readDocuments } from "../../../cli/import/form/read-file.ts"
import type { Tool } from "../../../cli/import/form/tool.ts"
import { importedProject } from "../../../cli/init/imported-project.ts"
import { importInto } from "./import-text.ts"

/** The verdict and what else is found, for a project that may declare the attribute `plan`. */
async function tried(tool: Tool, content: object, type?: "list" | "text") {
  const file = { path: "a.json", text: JSON.stringify(content), environment: undefined }
  const read = tool.read(readDocuments(file), {
    strategies: new Map(),
    knownValues: new Map(),
  })
  const plan = { name: "plan", type, description: "", values: undefined }
  const project = {
    ...importedProject("/flags", environmentsOf(read), "shop"),
    ...(type && { attributes: new Map([["plan", plan]]) }),
  }
  const { results, remarks, tally } = await importInto(project, read, tool)
  return {
    verdicts: results.map(({ verdict }) => verdict),
    losses: results.flatMap(({ losses }) => losses.map(({ code }) => code)),
    remarks: remarks.map(({ message }) => message),
    differing: tally.differing,
  }
}

const flagdFile = (condition: object) => ({
  flags: {
    a: {
      ...{ state: "ENABLED", variants: { on: true, off: false }, defaultVariant: "off" },
      targeting: { if: [condition, "on"] },
    },
  },
})

test("a list is a difference where the source may look into one", async () => {
  expect(await tried(flagd, flagdFile({ in: ["pro", { var: "plan" }] }))).toMatchObject({
    ...{ verdicts: ["differs"], losses: ["import-context-mistyped"], remarks: [] },
  })
})
