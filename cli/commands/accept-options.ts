import { InvalidArgumentError, Option } from "commander"
import { didYouMean, quoted } from "../diagnostics/suggest.ts"
import { diffCodes } from "../diff/warnings/warnings.ts"
import { addToList } from "./options.ts"

/** `--accept`, with the codes of warnings. */
export const acceptOption = () =>
  new Option(
    "--accept <code>",
    "do not count warnings with these codes, separated by commas; may be repeated",
  ).argParser(parseAccepted)

/** `--accept-labels`, with the labels of a pull or merge request. */
export const acceptLabelsOption = () =>
  new Option(
    "--accept-labels <labels>",
    "do the same for each label flagstone:accept-<code>; separated by commas, or a JSON array",
  ).argParser(parseLabels)

/** The codes of a request's labels, as GitLab's variable (commas) and GitHub's `toJSON` (an array, or null) list them. */
function parseLabels(text: string): readonly string[] {
  const labels = /^\s*(\[|null\s*$)/.test(text) ? readLabels(text) : text.split(",")
  return labels.flatMap((label) => {
    const [, code] = /^flagstone:accept-(.*)$/.exec(label.trim()) ?? []
    return code === undefined ? [] : parseAccepted(code, undefined)
  })
}

function readLabels(text: string): readonly string[] {
  try {
    const labels: unknown = JSON.parse(text)
    return Array.isArray(labels) ? labels.filter((label) => typeof label === "string") : []
  } catch {
    throw new InvalidArgumentError("Write labels separated by commas, or a JSON array of them.")
  }
}

function parseAccepted(text: string, earlier: unknown): readonly string[] {
  const codes = addToList(text, earlier)
  const unknown = codes.find((code) => !diffCodes.some((known) => known === code))
  if (unknown !== undefined)
    throw new InvalidArgumentError(`diff has no warning ${quoted(unknown)}${didYouMean(unknown, diffCodes)}`)
  return codes
}
