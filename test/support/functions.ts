import { parseSync } from 'vite'

/** A function of several lines; `line` is its first one, from 1. */
export type FoundFunction = { line: number; lines: number }

type Node = { type: string; start: number; end: number }

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** Returns a node and everything below it, in the order of the source. */
function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node)) {
    const below: unknown[] = Array.isArray(value) ? value : [value]
    for (const one of below) if (isNode(one)) yield* nodesIn(one)
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
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length
  return nodesIn(program)
    .filter(({ type }) => functionTypes.has(type))
    .map(({ start, end }) => ({ line: lineOf(start), lines: lineOf(end) - lineOf(start) + 1 }))
    .filter(({ lines }) => lines > 1)
    .toArray()
}
