import { parseSync } from 'vite'

/** A function of several lines; `line` is its first one, from 1. */
export type FoundFunction = { line: number; lines: number }

type Node = { type: string; start: number; end: number }

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Calls `visit` with a node and everything below it, in the order of the source. */
const visitNodes = (node: Node, visit: (node: Node) => void): void => {
  visit(node)
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) visitNodes(one, visit)
    } else if (isNode(value)) visitNodes(value, visit)
  }
}

/** Returns a function that returns the line, from 1, of an offset. It searches by halves: sources have thousands. */
const linesOf = (source: string): ((offset: number) => number) => {
  const ends: number[] = []
  for (let end = source.indexOf('\n'); end >= 0; end = source.indexOf('\n', end + 1)) ends.push(end)
  return (offset) => {
    let [from, to] = [0, ends.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if ((ends[middle] ?? 0) < offset) from = middle + 1
      else to = middle
    }
    return from + 1
  }
}

/**
 * Returns the functions of a source that have several lines.
 * @param file its name; TypeScript with markup ends with `.tsx`
 */
export const functionsIn = (source: string, file = 'source.tsx'): FoundFunction[] => {
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error) throw new Error(`${file}: ${error.message}`)
  const lineOf = linesOf(source)
  const found: FoundFunction[] = []
  visitNodes(program, ({ type, start, end }) => {
    if (!functionTypes.has(type)) return
    const line = lineOf(start)
    const lines = lineOf(end) - line + 1
    if (lines > 1) found.push({ line, lines })
  })
  return found
}
