import fc from "fast-check"
import type { Condition } from "../../../sdk/evaluation/condition.ts"

// One attribute that is compared in several ways at once, and many values that these comparisons distinguish.

const compared = (operators: readonly string[], operands: readonly string[]): fc.Arbitrary<Condition> =>
  fc.record({
    attribute: fc.constant("x"),
    operator: fc.constantFrom(...operators),
    value: fc.constantFrom(...operands),
  })

const orders = ["greaterThan", "greaterThanOrEquals", "lessThan", "lessThanOrEquals"]
const precedences = [
  "Equals",
  "NotEquals",
  "GreaterThan",
  "GreaterThanOrEquals",
  "LessThan",
  "LessThanOrEquals",
]
const parts = [
  ...[
    "",
    "0",
    "1",
    "5",
    "9",
    "00",
    "10",
    "15",
    "1.",
    ".5",
    "0.",
    ".",
    "-",
    "+",
    "e",
    "E",
    "e-",
    "e5",
    "1e",
    "E+1",
  ],
  ...[
    "v",
    "v1",
    "a",
    "-a",
    "rc",
    "1.2",
    ".0",
    "+b",
    "T",
    "t",
    "Z",
    "z",
    ":",
    "00:",
    "-01",
    "2026",
    "2026-01-01",
  ],
  ...["01-01", "12-31", "T00:00", "+05:30", ":59", "-00:00", "29", "02-29", "999", "20260", "I", "178"],
]

/** Comparisons of one scalar: all except expressions, which cannot be known, and shares. */
export const mixed: fc.Arbitrary<Condition> = fc.oneof(
  {
    weight: 4,
    arbitrary: compared(
      ["contains", "notContains", "startsWith", "endsWith", "contains", "startsWith", "endsWith"],
      parts,
    ),
  },
  {
    weight: 3,
    arbitrary: compared(orders, [
      ...[
        "0",
        "1",
        "5",
        "9",
        "1.5",
        "15",
        "-3",
        "0.1",
        "100",
        "1e21",
        "1e-7",
        "9007199254740993",
        "1767225600000",
      ],
      ...["1.7976931348623157e308", "5e-324", "-1e300", "1.0000000000000002", "20260101"],
    ]),
  },
  {
    weight: 3,
    arbitrary: compared(
      precedences.map((name) => `semver${name}`),
      [
        "1",
        "1.2",
        "1.2.0-a",
        "1.2-a.0",
        "1.*",
        "2",
        "0-0",
        "1.2.*",
        "5.0.1",
        "2026-01-01",
        "1-rc.1",
        "2026",
        "1-1a",
      ],
    ),
  },
  {
    weight: 2,
    arbitrary: compared(
      ["before", "after"],
      [
        ...["2026-01-01", "2026-01-01T00:00:00.001Z", "2027-01-01", "0000-01-01", "1970-01-01", "2024-02-29"],
        ...["2026-01-01T12:30:00.5-05:30", "9999-12-31T23:59:59.999Z", "1970-01-01T00:00:00.007Z"],
      ],
    ),
  },
  {
    weight: 1,
    arbitrary: compared(
      ["equals", "notEquals"],
      ["1", "5", "1.2", "2026-01-01", "15", "v1", "Infinity", "1e21"],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        operator: fc.constantFrom("in", "notIn"),
        items: fc.subarray(["1", "5", "15", "1.5", "2026", "v1.2"]),
      })
      .map(({ operator, items }) => ({ attribute: "x", operator, value: JSON.stringify(items) })),
  },
)

const numerals = [
  "0",
  "1",
  "5",
  "6",
  "9",
  "15",
  "10",
  "100",
  "178",
  "2026",
  "20260",
  "1767225600000",
  "1767225600001",
]
const fractions = ["", ".0", ".5", ".05", ".15", ".1", ".10", ".999", ".0000001"]
const powers = [
  "",
  "e0",
  "e1",
  "E1",
  "e-1",
  "e5",
  "E+1",
  "e-5",
  "e21",
  "e308",
  "e400",
  "e-400",
  "e05",
  "e-10",
]
const numberTexts = ["", "-", "0", "00", "-0"].flatMap((sign) =>
  numerals.flatMap((whole) =>
    fractions.flatMap((fraction) => powers.map((power) => sign + whole + fraction + power)),
  ),
)
const versionTexts = ["", "v", "0", "v0"].flatMap((sign) =>
  [
    "0",
    "1",
    "1.2",
    "1.2.0",
    "1.2.1",
    "1.10",
    "1.02",
    "2",
    "2.0",
    "2026",
    "5.0.1",
    "5.0.2",
    "15",
    "9",
    "1.5",
  ].flatMap((numbers) =>
    [
      "",
      "-a",
      "-0",
      "-a.0",
      "-rc",
      "-rc.1",
      "-rc.1.1",
      "-01-01",
      "-1",
      "-1a",
      "-e",
      "-z",
      "--",
      "-T",
      "-01-01a",
    ].flatMap((pre) =>
      ["", "+b", "+1", "+00", "+e-5.15", "+a-a", "+Z", "+2026-01-01"].map(
        (build) => sign + numbers + pre + build,
      ),
    ),
  ),
)
const dates = [
  "2026-01-01",
  "2025-12-31",
  "2026-01-02",
  "2024-02-29",
  "2023-02-29",
  "0000-01-01",
  "9999-12-31",
  "1970-01-01",
]
const momentTexts = dates.flatMap((date) => [
  date,
  ...[
    "T00:00:00",
    "t00:00:00",
    "T23:59:59",
    "T12:30:00",
    "T00:00:00.001",
    "T00:00:00.0009",
    "T23:59:59.999",
    "T18:00:00.5",
  ].flatMap((time) =>
    ["Z", "z", "+00:00", "-00:00", "+05:30", "-05:30", "+23:59", "-23:59", "+24:00"].map(
      (zone) => date + time + zone,
    ),
  ),
])
const numberValues = [
  ...[
    0, 1, 5, 6, 9, 10, 15, 100, 1.5, 0.1, 0.15, -1, -3, -0.5, 0.5, 7, 5.5, 1e21, 1.5e21, 1e-7, 1.5e-7, 5e-324,
    1e300,
  ],
  ...[
    1767225600000, 1767225600000.5, 1798761600000, 1767225600001, 20260101, 2026, 20265, 1782000000000,
    1790e9, 178e10,
  ],
  ...[
    -1767225600000,
    -62167219200001,
    253402300800000,
    9007199254740992,
    9007199254740994,
    1.0000000000000002,
    Infinity,
  ],
  ...[
    -Infinity,
    NaN,
    999e9,
    9990000000000,
    1.7976931348623157e308,
    1.2,
    5.05,
    1e5,
    1e15,
    1.55e12,
    5e20,
    15e20,
    1515151515151.5,
  ],
]
const dateValues = [-8.64e15, 8.64e15, -62167219200001, 253402300800000, -7e13, 4e14, 0, 1767225600000].map(
  (moment) => new Date(moment),
)

/** Scalars of many kinds, in many spellings. */
export const spellings: readonly unknown[] = [
  ...new Set<unknown>([
    ...[
      "",
      " ",
      "a",
      "true",
      "Infinity",
      "-Infinity",
      "NaN",
      "+1",
      ".5",
      "5.",
      "1 ",
      "0x1",
      "1_0",
      "v",
      "-",
      "1.*",
      "1e",
      "e5",
      "--1",
    ],
    ...[
      "1..2",
      "v1.2.",
      "1-",
      "1+",
      "1.2-a..b",
      "V1",
      "1-a+b+c",
      "1e400",
      "-1e400",
      "0e9",
      "2026-1-1",
      "2026-13-01",
    ],
    ...numberTexts,
    ...versionTexts,
    ...momentTexts,
    ...numberValues,
    ...dateValues,
    true,
    false,
  ]),
]

const characters = [..."015.e-v+a"]
const part = fc.string({ unit: fc.constantFrom(..."0155.e-v+1a"), minLength: 1, maxLength: 3 })

/** Comparisons that short strings of few characters distinguish. */
export const short: fc.Arbitrary<Condition> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      attribute: fc.constant("x"),
      operator: fc.constantFrom("contains", "notContains", "notContains", "startsWith", "endsWith"),
      value: part,
    }),
  },
  {
    weight: 3,
    arbitrary: compared(orders, ["0", "1", "5", "0.5", "1.05", "-1", "10", "15", "100", "0.001", "5e-5"]),
  },
  {
    weight: 3,
    arbitrary: compared(
      precedences.map((name) => `semver${name}`),
      ["1", "0.1", "1-a", "1-1", "0-0", "1.*", "5", "1.0.5", "15", "0.5-e.1", "1-ae"],
    ),
  },
  {
    weight: 1,
    arbitrary: compared(
      ["before", "after"],
      ["1970-01-01", "1970-01-01T00:00:00.001Z", "1970-01-01T00:00:00.015Z", "1969-12-31T23:59:59.999Z"],
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .subarray(["1", "5", "15", "0.5", "01", "1.0", "0", "10", "1e1", "v1", "1-a"])
      .map((items) => ({ attribute: "x", operator: "notIn", value: JSON.stringify(items) })),
  },
)

/** All strings of up to four of these characters, and all numbers that these spell. */
export const shortSpellings: readonly unknown[] = [0, 1, 2]
  .reduce<readonly string[]>(
    (texts) => ["", ...characters.flatMap((character) => texts.map((text) => text + character))],
    ["", ...characters],
  )
  .flatMap((text) => (String(Number(text)) === text ? [text, Number(text)] : [text]))
