import { wholeFile } from "../../diagnostics/diagnostic.ts"
import { quoted } from "../../diagnostics/suggest.ts"
import { patternWords, segmentNamePattern } from "../definition/names.ts"
import type { SegmentsCheck } from "./check.ts"

/** A file's name without `.segment.yaml` is a valid name of a segment. */
export const segmentNamesMatchPattern: SegmentsCheck = (segments, report) => {
  for (const { name, source } of segments) {
    if (segmentNamePattern.test(name)) continue
    const message = `${quoted(name)} cannot be the name of a segment: a name is ${patternWords.get(segmentNamePattern.source)}. Rename the file.`
    report.add({ code: "bad-name", message, source, span: wholeFile })
  }
}
