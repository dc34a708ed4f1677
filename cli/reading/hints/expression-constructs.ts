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
  unknown(
    /^(?:\\[1-9]\d*|\\k(?:<\w*>|\{\w*\}|'\w*')?|\\g(?:\d+|\{-?\w*\})|\(\?P=\w*\)?)/,
    "a backreference",
    "Write out what the group can match, such as `aa|bb` for `(a|b)\\1`",
  ),
  wrong(
    /^\(\?[^:)]*[:)]?/,
    "does not start a group that RE2 supports",
    "Use `(?:`, `(?P<name>` or the flags `i`, `m`, `s` and `U`, such as `(?i)` to ignore case",
  ),
  wrong(/^\\Z/, "is not an escape that RE2 supports", "Write `\\z` for the end of the text"),
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
    /^\\[\s\S]/,
    "is not an escape that RE2 supports here",
    "Write what it stands for, such as `[ \\t]` for `\\h`, remove it, or double the backslash for a literal one",
  ),
  wrong(/^\[(?!:)/, "is not closed", "Add the `]`, or write `\\[` for the character"),
  wrong(/^\(/, "is not closed", "Add the `)`, or write `\\(` for the character"),
  wrong(/^\)/, "closes nothing", "Remove it, or write `\\)` for the character"),
]

/** What RE2 supports, but not without something before it. */
export const nothingToRepeat = wrong(
  /^(?:[*+?]|\{\d+(?:,\d*)?\})/,
  "has nothing to repeat",
  "Put a backslash before it to match the character itself",
)
