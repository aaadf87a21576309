/** A function of several lines; `line` is its first one, from 1. */
export type FoundFunction = { line: number; lines: number }

const indentOf = (line: string): number => line.length - line.trimStart().length

/** Ends of lines that open the body of a function, and the line that closes it at the same indentation. */
const bodies = [
  { opens: /=> \{$|^\s*(?:async )?function\b.*\{$/, closes: /^\s*\}/ },
  { opens: /=> \($/, closes: /^\s*\)/ },
  { opens: /=> \(\{$/, closes: /^\s*\}\)/ },
  { opens: /=> \[$/, closes: /^\s*\]/ },
]

/**
 * Returns the functions of a source that have several lines. It is no parser: it relies on the indentation that the formatter
 * sets, and does not find a body that is an expression without parentheses.
 */
export const functionsIn = (source: string): FoundFunction[] => {
  const lines = source.split('\n')
  return lines.flatMap((line, opened) => {
    const body = bodies.find(({ opens }) => opens.test(line))
    if (!body) return []
    const isAtIndent = (other: string): boolean => other !== '' && indentOf(other) === indentOf(line)
    const closed = lines.findIndex((other, at) => at > opened && isAtIndent(other) && body.closes.test(other))
    // The parameters may begin some lines before: `export const f = ({`, then `}: {`, then `}) => {`.
    const first = lines.findLastIndex((other, at) => at <= opened && isAtIndent(other) && !/^\s*[)}\]]/.test(other))
    return closed === -1 ? [] : [{ line: first + 1, lines: closed - first + 1 }]
  })
}
