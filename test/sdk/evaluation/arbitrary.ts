import * as fc from "fast-check"
import type { Json } from "../../../sdk/contract/snapshot.ts"
import { anyText } from "../../any-text.ts"
import { classNames } from "./class-names.ts"

// Random conditions and contexts over few attributes and small pools of strings, so that they often have to do with each
// other; and occasionally anything at all.

const words = [
  ...'|a|A|ab|aB|AB|b|É|İ|ı|I|K|k|ſ|abc|é|e\u0301|😀|\ud83d|😁|true|null|[object Object]|user-1|user-2|user-3|Ωmega|Жǅ|語|א١|§₽|["a"]'.split(
    "|",
  ),
]
const numbers = [
  ..."0|1|-1|5|5.0|05|-0|1e2|1E+2|100|1e-7|1e999|9007199254740993|0x10|+5|.5|5.| 5|Infinity|NaN".split("|"),
]
const versions = [
  ..."1|v1|1.0|1.0.0|01|1.2|1.10|v1.10+b|2|02.0|1.x|1..2|V1|1.0-|1.0+|9007199254740993.0|9007199254740992".split(
    "|",
  ),
  ..."1-1|1-01|1-2|1-10|1-a|1-b|1-A|1-a.1|1-a.2|1-a.b|1.10.0-rc.1|1.10.0-rc.2|1.10-rc|1.10-rc.10|1-a..b".split(
    "|",
  ),
]
const moments = [
  ..."2024-01-01|2024-01-01T00:00:00Z|2024-01-01t01:00:00.0009+01:00|2023-12-31T23:59:59.999Z|2024-02-30".split(
    "|",
  ),
  ..."2023-12-31T20:30:00-03:30|2024-01-01T00:00:00.5Z|2024-01-01T00:00:00.05+00:01|2016-12-31T23:59:60Z".split(
    "|",
  ),
  ..."2016-12-31|2017-01-01|0099-12-31|0100-01-01|0000-02-29|0000-03-01|1900-02-29|2024-01-01T24:00:00Z".split(
    "|",
  ),
  ..."2024-01-01 00:00:00Z|1969-12-31T23:59:59.9999Z|1970-01-01|2024-01-01T00:00:00+24:00|9999-12-31".split(
    "|",
  ),
]
const texts = [...words, ...numbers, ...versions, ...moments]
const text = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...texts) },
  { weight: 1, arbitrary: anyText() },
)

const lists = fc.array(text, { maxLength: 4 }).map((list) => JSON.stringify(list))
const ranges = fc.constantFrom("1.*", "v1.10.*", "0.*", "01.*", "1.10.0.*", "*", "1.*-rc", "1.*.1")
const percentages = fc.constantFrom("0", "1", "25", "33.3", "50.0", "75", "100", "100.5", "-1", "1e1", "050")
const shares = fc.constantFrom(
  ...[
    '{"seed":"s","from":0,"to":50}',
    '{"seed":"s","from":50,"to":100}',
    '{"to":30.5,"from":10,"seed":"one"}',
  ],
  ...['{"seed":"","from":0,"to":100}', '{"seed":"s","from":5,"to":5}', '{"seed":"s","from":50,"to":10}'],
  ...[
    '{"seed":"s","from":-1,"to":10}',
    '{"seed":"s","from":0,"to":101}',
    '{"seed":1,"from":0,"to":10}',
    "50",
  ],
  ...['{"seed":"s","from":"0","to":10}', '{"seed":"s","to":10}', "null", '["s",0,10]', "{"],
)
/** A class, whose name may be in no list, with what may be around it. */
const classExpression = fc
  .record({
    name: fc.constantFrom(
      ...[...classNames, ..."C ^L Cn LC Emoji Javanese Old_Italic Letter latin ^^L ^".split(" "), ""],
    ),
    written: fc.constantFrom(
      ..."\\p{N} ^\\P{N} (?i)\\p{N}$ [\\p{N}b] [^\\P{N}a] (?i)[é\\p{N}] [a-\\p{N}] []-\\p{N}] \\p{N \\pN [\\PN] \\\\p{N} \\Q\\p{N}\\E".split(
        " ",
      ),
    ),
  })
  .map(({ name, written }) => written.replace("N", name))
const expressions = fc.oneof(
  fc.constantFrom(
    ..."a|^a|b$|^.$|(?i)A|^(a+)+$|\\d|\\pL|^$||(|(?=a)|(a)\\1|\\u00e9|[^a]|\\x{1F600}|^v?1|(?s).b|user-[12]".split(
      "|",
    ),
  ),
  classExpression,
)
const operand = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 1, arbitrary: lists },
  { weight: 1, arbitrary: ranges },
  { weight: 1, arbitrary: percentages },
  { weight: 1, arbitrary: expressions },
)

/** Operands that an operator can usually read. */
export function fitting(operator: string): fc.Arbitrary<string> {
  if (operator.startsWith("semver")) return fc.oneof(fc.constantFrom(...versions), ranges)
  if (/Than/.test(operator)) return fc.constantFrom(...numbers)
  if (/^(before|after)/.test(operator)) return fc.constantFrom(...moments)
  if (/^(in|notIn)(IgnoreCase)?$/.test(operator)) return lists
  if (operator === "share") return shares
  if (operator === "matches" || operator === "notMatches") return expressions
  return operator === "percentage" ? percentages : operand
}

const operators = [
  ..."equals notEquals contains notContains startsWith endsWith in notIn"
    .split(" ")
    .map((operator) => `${operator}IgnoreCase`),
  ..."share share beforeOrEquals afterOrEquals matchesIgnoreCase".split(" "),
  ..."equals notEquals contains notContains startsWith endsWith matches notMatches in notIn".split(" "),
  ..."greaterThan greaterThanOrEquals lessThan lessThanOrEquals before after exists notExists percentage".split(
    " ",
  ),
  ..."Equals NotEquals GreaterThan GreaterThanOrEquals LessThan LessThanOrEquals"
    .split(" ")
    .map((end) => `semver${end}`),
  ..."always isNear constructor percentage percentage percentage".split(" "),
]
const attributes = ["x", "y", "", "__proto__", "constructor", "a.b"]
const attribute = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom("x", "y") },
  fc.constantFrom(...attributes),
)

interface Condition {
  readonly attribute: string
  readonly operator: string
  readonly value: string
}

const comparison: fc.Arbitrary<Condition> = fc.constantFrom(...operators).chain((operator) =>
  fc.record({
    attribute,
    operator: fc.constant(operator),
    value: fc.oneof({ weight: 9, arbitrary: fitting(operator) }, operand),
  }),
)

/** A comparison or a group; some cannot be read. */
export const condition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition; group: Condition }>(
  (tie) => ({
    condition: fc.oneof({ depthSize: "small", withCrossShrink: true }, comparison, tie("group")),
    group: fc.record({
      attribute: fc.constant(""),
      operator: fc.constantFrom("all", "any", "none"),
      value: fc.oneof(
        {
          weight: 19,
          arbitrary: fc.array(tie("condition"), { maxLength: 3 }).map((parts) => JSON.stringify(parts)),
        },
        fc.constantFrom("[]", "{}", "[{}]", '["a"]', ""),
      ),
    }),
  }),
).condition

const throws = (): never => {
  throw new Error("hostile")
}
/** Values that JSON can express. */
const plainValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: text },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      0,
      -0,
      1,
      5,
      100,
      1.1,
      1.5,
      1e21,
      1e-7,
      1704067200000,
      1704067200000.5,
      -0.5,
      -1,
    ),
  },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(true, false, null) },
)
/** Values that only a caller in the same process can pass. */
const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.date({ noInvalidDate: false }),
  fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSparseArray: true,
    withBoxedValues: true,
  }),
  fc.constantFrom<unknown>(
    undefined,
    Symbol("a"),
    () => "a",
    5n,
    new String("a"),
    { toString: throws, valueOf: throws },
    Object.create(Date.prototype),
    new Proxy({}, { get: throws, getPrototypeOf: throws }),
    new Proxy([], { get: throws }),
    { [Symbol.toStringTag]: "Date" },
  ),
)
const value = fc.oneof(
  { weight: 8, arbitrary: plainValue },
  {
    weight: 2,
    arbitrary: fc.array(fc.oneof({ weight: 5, arbitrary: plainValue }, hostileValue), { maxLength: 3 }),
  },
  { weight: 2, arbitrary: hostileValue },
)

/** A context as it comes over HTTP. */
export const plainContext: fc.Arbitrary<Readonly<Record<string, Json>>> = fc
  .dictionary(
    fc.constantFrom("x", "y", "a.b"),
    fc.oneof(
      { weight: 4, arbitrary: plainValue },
      fc.array(plainValue, { maxLength: 3 }),
      fc.constant({ x: "a" }),
    ),
    { maxKeys: 3 },
  )
  .map((context) => JSON.parse(JSON.stringify(context)))

/** A context: mostly of few attributes, some of them accessors, and some inherited. */
export const context: fc.Arbitrary<object> = fc
  .record({
    usual: fc.record({ x: value, y: value }, { requiredKeys: [] }),
    others: fc.dictionary(attribute, value, { maxKeys: 3 }),
    inherited: fc.dictionary(attribute, value, { maxKeys: 1 }),
    hasThrowingY: fc.constantFrom(false, false, false, true),
  })
  .map(({ usual, others, inherited, hasThrowingY }) => {
    const made: object = Object.create(inherited, {
      ...Object.getOwnPropertyDescriptors(others),
      ...Object.getOwnPropertyDescriptors(usual),
    })
    return hasThrowingY ? Object.defineProperty(made, "y", { get: throws, configurable: true }) : made
  })

/** A flag's configuration. */
export const environment = fc.option(
  fc.record({
    enabled: fc.constantFrom(true, true, true, true, false),
    rules: fc.array(
      fc
        .tuple(condition, fc.constantFrom<Json>("one", "two", 0, false, null))
        .map(([rule, returnValue]) => ({ ...rule, returnValue })),
      { maxLength: 5 },
    ),
  }),
  { freq: 20, nil: null },
)
