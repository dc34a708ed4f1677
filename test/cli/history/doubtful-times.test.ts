import { expect, test } from "vitest"
import { createReport } from "../../../cli/diagnostics/diagnostic.ts"
import { reportUncommitted } from "../../../cli/history/doubtful-times.ts"
import type { Project } from "../../../cli/reading/project.ts"

const source = { path: "/flags/project.yaml", text: "" }
const project = { folder: "/flags", source } as Project
const options = { requireClean: false, allowShallow: false, sourceDateEpoch: undefined }

test.each([
  [1, "1 file"],
  [5, "5 files"],
  [6, "6 files (the first 5 are listed)"],
])("of %i uncommitted files, at most five are named", (count, words) => {
  const report = createReport()
  const paths = Array.from({ length: count }, (_, at) => `${at}.yaml`)
  reportUncommitted(paths, { project, report, options, modifiedAt: new Map() })
  const [diagnostic] = report.diagnostics
  expect(diagnostic?.severity).toBe("warning")
  expect(diagnostic?.message).toBe(
    `Uncommitted changes in ${words}. Until you commit them, they have the newest commit's time.`,
  )
  expect(diagnostic?.related.map(({ location }) => location.source.path)).toEqual(
    paths.slice(0, 5).map((path) => `/flags/${path}`),
  )
})
