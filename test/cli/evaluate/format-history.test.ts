import { expect, test } from "vitest"
import type { FlagAnswer } from "../../../cli/evaluate/answer.ts"
import { formatHistory, formatHistoryJson } from "../../../cli/evaluate/format-history.ts"
import type { Moment, ValueChange } from "../../../cli/evaluate/value-history.ts"

const moment = (rest: Partial<Moment> = {}): Moment => ({
  ...{ since: "2020-01-01T00:00:00.000Z", revision: "0123456789abcdef", author: "Ann" },
  ...{ subject: "Begin", ...rest },
})
const answer: FlagAnswer = {
  ...{ context: undefined, key: "f", environment: "live", revision: undefined },
  ...{ value: true, cause: "default", rule: null, sentence: "`f` is on" },
}
const none = (cause: "broken" | "unknownFlag") => {
  return { key: "f", environment: "live", revision: "1", cause, rule: null, sentence: `\`f\` is ${cause}` }
}
const changes: readonly ValueChange[] = [
  { moment: moment(), answer },
  { moment: moment({ request: "https://a.example/1" }), answer: none("broken") },
  { moment: moment({ rollback: {} }), answer: none("unknownFlag") },
  { moment: moment({ rollback: { by: "Bea", reason: "It is slow" } }), answer },
  { moment: moment({ author: undefined, subject: undefined }), answer },
  { moment: { since: undefined, revision: undefined, author: undefined, subject: undefined }, answer },
]

test("a history is listed from its newest change to its first", () => {
  const since = "2020-01-01T00:00:00.000Z"
  expect(formatHistory(changes, undefined).split("\n")).toEqual([
    "not committed yet  `f` is on",
    `${since}  \`f\` is on  0123456789`,
    `${since}  \`f\` is on  rolled back to 0123456789 by Bea: It is slow`,
    `${since}  \`f\` is unknownFlag  rolled back to 0123456789`,
    `${since}  \`f\` is broken  0123456789 Ann: Begin https://a.example/1`,
    `${since}  \`f\` is on  0123456789 Ann: Begin`,
    "nothing else changed it since the flag was created",
    "",
  ])
  expect(formatHistory([], "the clone is shallow")).toBe("the clone is shallow\n")
})

test("in JSON, the first change says so, unless the beginning is missing", () => {
  const members = (cut: string | undefined) =>
    formatHistoryJson(changes, cut)
      .trim()
      .split("\n")
      .map((line) => {
        const { isFirst, cause, rule, key, sentence } = JSON.parse(line)
        return [isFirst, cause, rule, key, sentence.slice(0, 6)]
      })
  const rest = [
    ...Array.from({ length: 3 }, () => [undefined, "default", null, "f", "`f` is"]),
    [undefined, "unknownFlag", null, "f", "`f` is"],
    [undefined, "broken", null, "f", "`f` is"],
  ]
  expect(members(undefined)).toEqual([...rest, [true, "default", null, "f", "`f` is"]])
  expect(members("the clone is shallow")).toEqual([...rest, [undefined, "default", null, "f", "`f` is"]])
})
