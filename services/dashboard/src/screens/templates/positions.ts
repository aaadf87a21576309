import type { ShownProblem } from '../../api/problem.ts'
import type { Part } from '../../api/templates.ts'

/** A problem of a template. `line` and `column` count from 1; null: it is about the whole part. */
export type Finding = { part: Part | null; line: number | null; column: number | null; message: string }

const positionPattern = /^Line (\d+), column (\d+): (.*)$/s

/** Returns the problems of a response with their positions, which the API states in its messages. */
export const findingsOf = ({ errors, detail }: Pick<ShownProblem, 'errors' | 'detail'>): Finding[] => {
  const found = errors.map(({ path, message }): Finding => {
    const part = (['subject', 'html_body', 'text_body'] as const).find((name) => name === path) ?? null
    const [, line, column, text] = positionPattern.exec(message) ?? []
    if (part === null || text === undefined) {
      return { part, line: null, column: null, message: part === null ? `${path}: ${message}` : message }
    }
    const sentence = text.charAt(0).toUpperCase() + text.slice(1)
    return { part, line: Number(line), column: Number(column), message: sentence }
  })
  return found.length === 0 ? [{ part: null, line: null, column: null, message: detail }] : found
}

/** Returns the names of the placeholders that have no value. */
export const missingOf = ({ errors }: Pick<ShownProblem, 'errors'>): string[] =>
  errors.flatMap(({ path, code }) => (code === 'missing_variable' ? [path.replace(/^template_vars\.?/, '')] : []))

/** Returns the index of a position in a text, at most its end. Columns count UTF-16 units, as the editor does. */
export const indexOf = (text: string, line: number, column: number): number => {
  let start = 0
  for (let number = 1; number < line; number++) {
    const end = text.indexOf('\n', start)
    if (end === -1) return text.length
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return Math.min(start + column - 1, end === -1 ? text.length : end)
}
