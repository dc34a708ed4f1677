/** A line of text as a Markdown code span. Its fence is longer than any in the text, so nothing ends it. */
export function codeSpan(text: string): string {
  if (text.trim() === "") return `\`"${text}"\``
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = "`".repeat(longest + 1)
  return /^[` ]|[` ]$/.test(text) ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}
