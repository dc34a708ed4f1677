import { expect, test } from "vitest"
import { readContextLines } from "../../../cli/evaluate/read-contexts.ts"

/** The contexts of a stream with these chunks, each with its line; at the end what is wrong. */
async function read(...chunks: readonly (string | Buffer)[]): Promise<readonly unknown[]> {
  async function* stream() {
    for (const chunk of chunks) yield Buffer.from(chunk)
  }
  const found: unknown[] = []
  try {
    for await (const { context, line } of readContextLines(stream(), "stdin")) found.push([line, context])
  } catch (error) {
    found.push((error as Error).message)
  }
  return found
}

const euro = Buffer.from('{"a":"€"}\n')

test.each<readonly [string, readonly (string | Buffer)[], readonly unknown[]]>([
  ["nothing", [], []],
  [
    "blank lines",
    ['\n  \n{"a":1}\n\t\n', '{"a":2}\n'],
    [
      [3, { a: 1 }],
      [5, { a: 2 }],
    ],
  ],
  [
    "no line end at the end",
    ['{"a":1}\n{"a":2}'],
    [
      [1, { a: 1 }],
      [2, { a: 2 }],
    ],
  ],
  ["a character in two chunks", [euro.subarray(0, 7), euro.subarray(7)], [[1, { a: "€" }]]],
  ["half a character at the end", [euro.subarray(0, 7)], ["stdin, line 1: the text is not UTF-8"]],
  [
    "a byte that is not UTF-8 in the third line",
    ['{"a":1}\n', Buffer.from('{"b":2}\n\xff\n', "latin1")],
    [[1, { a: 1 }], [2, { b: 2 }], "stdin, line 3: the text is not UTF-8"],
  ],
  [
    "a list",
    ["{}\n[]\n{}\n"],
    [[1, {}], 'stdin, line 2: a context must be a JSON object, such as {"plan":"pro"}'],
  ],
  ["null", ["null"], ['stdin, line 1: a context must be a JSON object, such as {"plan":"pro"}']],
  [
    "a value that is missing",
    ['{}\n{"a": }'],
    [[1, {}], `stdin, line 2: not JSON: Unexpected token '}', "{"a": }" is not valid JSON`],
  ],
  [
    "a name and a value",
    ["plan=pro"],
    [`stdin, line 1: not JSON: Unexpected token 'p', "plan=pro" is not valid JSON; write {"plan":"pro"}`],
  ],
])("lines of contexts with %s", async (_, chunks, expected) =>
  expect(await read(...chunks)).toEqual(expected),
)

test("a line may have 16 MiB, however many lines a chunk has", async () => {
  const most = 16 * 1024 * 1024
  const long = `{"a":"${"x".repeat(most - 8)}"}`
  expect(await read("{}\n{}\n", long)).toHaveLength(3)
  expect(await read("{}\n{}\n", `${long} `)).toEqual([
    ...[
      [1, {}],
      [2, {}],
    ],
    "stdin, line 3: a context may have at most 16777216 bytes",
  ])
})
