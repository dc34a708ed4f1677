import { Lexer } from "yaml"

interface Comment {
  readonly text: string
  /** Its line, from 0. */
  readonly line: number
  /** Its column if it is alone on the line. */
  readonly indent: number | undefined
}

/** The comments of a YAML text in their order, one per line. */
export function commentsOf(text: string): string {
  return findComments(text)
    .map((comment) => comment.text)
    .join("\n")
}

/**
 * Gives comments in a formatted text the indentation of the line below them, unless they were indented deeper before:
 * the YAML library gives them the indentation of the previous comment.
 */
export function levelComments(laidOut: string, original: string): string {
  if (!original.includes("#")) return laidOut
  const before = findComments(original)
  const after = findComments(laidOut)
  if (before.length !== after.length) return laidOut
  const lines = laidOut.split("\n")
  const belowBefore = indentsBelow(original.split("\n"), before)
  const belowAfter = indentsBelow(lines, after)
  for (const [at, { line, indent, text }] of after.entries()) {
    const was = before[at]
    if (indent === undefined || was?.indent === undefined) continue
    const [levelBefore, level] = [belowBefore[was.line] ?? 0, belowAfter[line] ?? 0]
    if (level >= 0 && was.indent <= levelBefore) lines[line] = " ".repeat(level) + text
  }
  return lines.join("\n")
}

/**
 * For each line, the indentation of the next line that is neither empty nor a comment; 0 at the end of the text, and -1
 * above a closing bracket, which comments do not describe.
 */
function indentsBelow(lines: readonly string[], comments: readonly Comment[]): readonly number[] {
  const alone = new Set(comments.filter(({ indent }) => indent !== undefined).map(({ line }) => line))
  const below: number[] = []
  let indent = 0
  for (let line = lines.length - 1; line >= 0; line--) {
    below[line] = indent
    const text = lines[line] ?? ""
    if (text.trim() === "" || alone.has(line)) continue
    indent = /^\s*[\]}]/.test(text) ? -1 : text.search(/\S/)
  }
  return below
}

function findComments(text: string): readonly Comment[] {
  const comments: Comment[] = []
  let inScalar = false
  let line = 0
  let before = ""
  for (const lexeme of new Lexer().lex(text)) {
    if (marks.has(lexeme)) {
      inScalar = lexeme === scalarFollows
      continue
    }
    if (lexeme.startsWith("#") && !inScalar) {
      const indent = before.trim() === "" ? before.length : undefined
      comments.push({ text: lexeme.trimEnd(), line, indent })
    }
    inScalar = false
    const [first = "", ...others] = lexeme.split("\n")
    line += others.length
    before = others.at(-1) ?? before + first
  }
  return comments
}

/** The lexer's mark before a scalar, which may begin with `#`. */
const scalarFollows = "\u001f"
/** Lexemes that are not text: the start of a document, an error in a flow collection, and the mark before a scalar. */
const marks = new Set(["\u0002", "\u0018", scalarFollows])
