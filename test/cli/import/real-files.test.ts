import { describe, expect, test } from "vitest"
import { tools } from "../../../cli/import/tools.ts"
import { countVerdicts, hasRealFiles, importTexts, readRealFile, realFiles, untidy } from "./import-text.ts"

const folders = ["launchdarkly", "unleash", "flagd", "goff", "flipt"] as const

/** Every file of every tool; losses with only one possible answer are accepted. */
const cases = hasRealFiles
  ? folders.flatMap((tool) => realFiles(tool).map((name) => [tool, name] as const))
  : []

describe.runIf(hasRealFiles)("real files", () => {
  test.each(cases)("%s: %s", async (tool, name) => {
    const found = await importTexts(await tools[tool](), [readRealFile(name)])
    expect(untidy(found)).toEqual([])
    expect(
      found.results.flatMap(({ losses }) => losses.filter(({ code }) => code === "import-disproved")),
    ).toEqual([])
    expect(countVerdicts(found)).toMatchSnapshot()
  })

  test.each(cases)("%s: %s, with all that may be accepted", async (tool, name) => {
    const accept = ["import-caller-default", "import-custom-strategy", "import-variants", "import-clock"]
    const found = await importTexts(await tools[tool](), [readRealFile(name)], { accept })
    expect(untidy(found)).toEqual([])
    expect(
      found.results.flatMap(({ losses }) => losses.filter(({ code }) => code === "import-disproved")),
    ).toEqual([])
  })
})
