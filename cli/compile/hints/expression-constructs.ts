/** What authors write in expressions because other dialects have it, or by mistake. */
export interface Construct {
  /** What it looks like at the place where RE2 gives up. */
  readonly pattern: RegExp
  /** What is wrong with it, after "`…` at character 5". */
  readonly says: string
  /** What to write instead: a sentence without its full stop. */
  readonly advice: string
}

const onlyFound = "only whether the expression is found counts"
const neverBack = "RE2 never goes back, so it needs none to be fast"
const quantifier = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})`

const unknown = (pattern: RegExp, name: string, advice: string): Construct => ({
  pattern,
  says: `is ${name}, which RE2 does not have`,
  advice,
})

const wrong = (pattern: RegExp, says: string, advice: string): Construct => ({ pattern, says, advice })

/** Constructs at places where RE2 knows no meaning. The first that fits counts. */
export const constructs: readonly Construct[] = [
  unknown(
    /^\(\?=/,
    "a lookahead",
    `Write \`(?:\` at the end, since ${onlyFound}; elsewhere, two conditions below \`all:\``,
  ),
  unknown(
    /^\(\?!/,
    "a negative lookahead",
    "Exclude what must not follow with a condition of its own, such as `notMatches` beside this one below `all:`",
  ),
  unknown(/^\(\?<=/, "a lookbehind", `Write \`(?:\`, since ${onlyFound}`),
  unknown(
    /^\(\?<!/,
    "a negative lookbehind",
    "Write `(?:^|[^a])` for one character that must not come before, or exclude more with a condition of its own, such as `notMatches` beside this one below `all:`",
  ),
  unknown(/^\(\?>/, "an atomic group", `Write \`(?:\`: ${neverBack}`),
  unknown(new RegExp(`^${quantifier}\\+`), "a possessive quantifier", `Remove the last \`+\`: ${neverBack}`),
  wrong(
    new RegExp(`^${quantifier}{2}`),
    "repeats a repetition",
    "Remove one of the two, or put the first into a group, such as `(?:a*)*`",
  ),
  unknown(
    /^(?:\\[1-9]\d*|\\k(?:<\w*>|\{\w*\}|'\w*')?|\\g(?:\d+|\{-?\w*\})|\(\?P=\w*\)?)/,
    "a back reference",
    "Write out what the group can be, such as `aa|bb` for `(a|b)\\1`",
  ),
  wrong(
    /^\(\?P?<[^>]*>?/,
    "has no name that RE2 takes",
    "A name has ASCII letters, digits and `_`, ends with `>`, and is there once",
  ),
  wrong(
    /^\(\?[^:)]*[:)]?/,
    "does not begin a group that RE2 knows",
    "Its groups are `(?:` and `(?P<name>`, its flags `i`, `m`, `s` and `U`, such as `(?i)` to ignore case",
  ),
  unknown(/^\\Z/, "an escape", "Write `\\z` for the end of the text"),
  unknown(/^\\K/, "an escape", `Remove it: ${onlyFound}`),
  unknown(/^\\h/, "an escape", "Write `[ \\t]` for a blank"),
  unknown(
    /^\\(?:[uox]\{?|[Uc])[0-9A-Za-z]*\}?/,
    "a form of a character",
    "Write its hexadecimal number in braces, such as `\\x{e9}` for é",
  ),
  unknown(
    /^(?:\\[pP](?:\{[^}]*\}?|.)?|\[:[^\]]*\]?)/,
    "a class of characters",
    "Write a category or script of Unicode, such as `\\pL` or `\\p{Greek}`, or one of ASCII, such as `[[:alpha:]]`",
  ),
  wrong(/^\\$/, "escapes nothing", "Write `\\\\` for the character"),
  wrong(
    /^\\[\s\S]/,
    "is not an escape that RE2 knows there",
    "Remove the backslash, or double it for the character",
  ),
  wrong(
    /^\[\^?\]/,
    "is not closed, since a `]` in first place is a character of the class",
    "Add the `]`, or write `[\\s\\S]` for any character",
  ),
  wrong(/^\[/, "is not closed", "Add the `]`, or write `\\[` for the character"),
  wrong(/^\(/, "is not closed", "Add the `)`, or write `\\(` for the character"),
  wrong(/^\)/, "closes nothing", "Remove it, or write `\\)` for the character"),
]

/** Constructs that RE2 knows, but not at that place or not that large, by its own words for them. */
export const misplaced: ReadonlyMap<string, Construct> = new Map([
  [
    "missing argument to repetition operator",
    wrong(
      new RegExp(`^${quantifier}`),
      "has nothing to repeat",
      "Write a backslash before it for the character",
    ),
  ],
  [
    "invalid repeat count",
    wrong(
      new RegExp(`^${quantifier}`),
      "is no count that RE2 repeats",
      "Write the smaller number first, and no more than 1,000, those of repetitions in each other multiplied",
    ),
  ],
  [
    "invalid character class range",
    wrong(
      /^[^[\\][\s\S]*?-(?:\\.|[\s\S])/u,
      "is a range that ends before it begins",
      "Swap its ends, or write the hyphen as the last character of the class",
    ),
  ],
])
