import { wholeFile } from "../diagnostics/diagnostic.ts"
import { quoted } from "../diagnostics/suggest.ts"
import { patternWords, segmentNamePattern } from "../language/names.ts"
import type { SegmentsCheck } from "./check.ts"

/** A file's name without `.segment.yaml` is a valid segment name. */
export const segmentNamesMatchPattern: SegmentsCheck = (segments, report) => {
  for (const { name, source } of segments) {
    if (segmentNamePattern.test(name)) continue
    const form = patternWords.get(segmentNamePattern.source)
    const message =
      name === ""
        ? "The segment has no name. Write one before `.segment.yaml`."
        : `${quoted(name)} is not a valid segment name: a name is ${form}. Rename the file.`
    report.add({ code: "bad-name", message, source, span: wholeFile })
  }
}
