import type { Terminal } from './terminal.ts'

/** Control and direction characters, which would change what a terminal shows. */
const unsafe = /[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** Returns a text of the server as one line for a terminal. */
export const shown = (value: unknown): string =>
  (value === null || value === undefined ? '–' : String(value)).replaceAll(unsafe, ' ')

/** Returns JSON as one line for a terminal: what would change the terminal becomes an escape, which means the same. */
export const shownJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(unsafe, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )

const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, width - 1)}…`)

const widestColumn = 60

/** Returns rows below their headings, in columns. */
export const table = (headings: readonly string[], rows: readonly (readonly unknown[])[]): string => {
  const cells = [
    headings.map((name) => name.toUpperCase()),
    ...rows.map((row) => row.map((value) => cut(shown(value), widestColumn))),
  ]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/** Returns names and values, one pair a line. */
export const pairs = (values: Readonly<Record<string, unknown>>): string => {
  const entries = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}\n`).join('')
}

export type Output = {
  /** Whether results are JSON. */
  isJson: boolean
  /** Writes a result: JSON, or the text for a terminal. */
  show(result: unknown, text: () => string): void
  /** Writes a message that is not part of the result. */
  note(text: string): void
}

export const openOutput = ({ out, err, isTerminal }: Terminal, { json = false }: { json?: boolean }): Output => {
  const isJson = json || !isTerminal
  return {
    isJson,
    show: (result, text) => out(isJson ? `${shownJson(result)}\n` : text()),
    note: (text) => err(`${shown(text)}\n`),
  }
}
