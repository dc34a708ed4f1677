/** A construct that authors write because other dialects have it, or by mistake. */
export interface Construct {
  /** What it looks like at the place where RE2 gives up. */
  readonly pattern: RegExp
  /** What is wrong with it, after "`…` at character 5". */
  readonly fault: string
  /** What to write instead: a sentence without its full stop. */
  readonly advice: string
}

const onlyFound = "all that counts is whether there is a match"
const neverBack = "RE2 never backtracks"
const quantifier = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})`

const unknown = (pattern: RegExp, name: string, advice: string): Construct => ({
  pattern,
  fault: `is ${name}, which RE2 does not support`,
  advice,
})

const wrong = (pattern: RegExp, fault: string, advice: string): Construct => ({ pattern, fault, advice })

/** Constructs that RE2 does not know. The first that matches counts. */
export const constructs: readonly Construct[] = [
  unknown(
    /^\(\?=/,
    "a lookahead",
    `Write \`(?:\` at the end, because ${onlyFound}; elsewhere, use two conditions under \`all:\``,
  ),
  unknown(
    /^\(\?!/,
    "a negative lookahead",
    "Use a separate condition to exclude what must not follow, such as `notMatches` next to this one under `all:`",
  ),
  unknown(/^\(\?<=/, "a lookbehind", `Write \`(?:\`, because ${onlyFound}`),
  unknown(
    /^\(\?<!/,
    "a negative lookbehind",
    "Write `(?:^|[^a])` for one character that must not come before it, or use a separate condition to exclude more, such as `notMatches` next to this one under `all:`",
  ),
  unknown(/^\(\?>/, "an atomic group", `Write \`(?:\`: ${neverBack}`),
  unknown(new RegExp(`^${quantifier}\\+`), "a possessive quantifier", `Remove the last \`+\`: ${neverBack}`),
  wrong(
    new RegExp(`^${quantifier}{2}`),
    "repeats a repetition",
    "Remove one of the two, or put the first in a group, such as `(?:a*)*`",
  ),
  unknown(
    /^(?:\\[1-9]\d*|\\k(?:<\w*>|\{\w*\}|'\w*')?|\\g(?:\d+|\{-?\w*\})|\(\?P=\w*\)?)/,
    "a backreference",
    "Write out what the group can match, such as `aa|bb` for `(a|b)\\1`",
  ),
  wrong(
    /^\(\?P?<[^>]*>?/,
    "has no name that RE2 accepts",
    "A name is unique, consists of ASCII letters, digits and `_`, and is followed by `>`",
  ),
  wrong(
    /^\(\?[^:)]*[:)]?/,
    "does not start a group that RE2 supports",
    "Use `(?:`, `(?P<name>` or the flags `i`, `m`, `s` and `U`, such as `(?i)` to ignore case",
  ),
  wrong(/^\\Z/, "is not an escape that RE2 supports", "Write `\\z` for the end of the text"),
  wrong(/^\\K/, "is not an escape that RE2 supports", `Remove it: ${onlyFound}`),
  wrong(/^\\h/, "is not an escape that RE2 supports", "Write `[ \\t]` for a blank"),
  wrong(
    /^\\(?:[uox]\{?|[Uc])[0-9A-Za-z]*\}?/,
    "is not a character escape that RE2 accepts",
    "Write the character's hexadecimal code in braces, such as `\\x{e9}` for é",
  ),
  wrong(
    /^\\[pP](?:\{[^}]*\}?|.)?/,
    "is not a class that every SDK reads",
    "Write a range, such as `[\\x{1f600}-\\x{1f64f}]`, or a class such as `\\pL` or `\\p{Greek}`",
  ),
  wrong(
    /^\[:[^\]]*\]?/,
    "is not a character class that RE2 supports",
    "Write an ASCII class, such as `[[:alpha:]]`, or `\\pL` for letters",
  ),
  wrong(/^\\$/, "escapes nothing", "Write `\\\\` for the character"),
  wrong(
    /^\\[\s\S]/,
    "is not an escape that RE2 supports here",
    "Remove the backslash, or double it for a literal one",
  ),
  wrong(
    /^\[\^?\]/,
    "is not closed, because a `]` in first position is part of the class",
    "Add the `]`, or write `[\\s\\S]` for any character",
  ),
  wrong(/^\[/, "is not closed", "Add the `]`, or write `\\[` for the character"),
  wrong(/^\(/, "is not closed", "Add the `)`, or write `\\(` for the character"),
  wrong(/^\)/, "closes nothing", "Remove it, or write `\\)` for the character"),
]

/** Constructs that RE2 supports, but not in that place or of that size, by its error message. */
export const misplaced: ReadonlyMap<string, Construct> = new Map([
  [
    "missing argument to repetition operator",
    wrong(
      new RegExp(`^${quantifier}`),
      "has nothing to repeat",
      "Put a backslash before it to match the character itself",
    ),
  ],
  [
    "invalid repeat count",
    wrong(
      new RegExp(`^${quantifier}`),
      "is not a valid repeat count",
      "Write the smaller number first, and none above 1,000; the counts of nested repetitions are multiplied",
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
