import { StatementSync } from 'node:sqlite'

/**
 * Makes each statement of SQLite in this process throw if a parameter of it gets no value: SQLite takes it as NULL, so
 * a statement with a renamed parameter would find or change nothing. Names that a statement does not have are refused
 * by node:sqlite.
 */
export const checkBoundParameters = (): void => {
  const parameters = new WeakMap<StatementSync, Parameters>()
  for (const method of ['run', 'get', 'all', 'iterate'] as const) {
    const original = StatementSync.prototype[method] as (this: StatementSync, ...values: unknown[]) => unknown
    const checked = function (this: StatementSync, ...values: unknown[]): unknown {
      let expected = parameters.get(this)
      if (expected === undefined) {
        expected = parametersOf(this.sourceSQL)
        parameters.set(this, expected)
      }
      const missing = missingIn(expected, values)
      if (missing.length > 0) throw new Error(`no value for ${missing.join(', ')} in: ${this.sourceSQL}`)
      return original.apply(this, values)
    }
    Object.assign(StatementSync.prototype, { [method]: checked })
  }
}

type Parameters = { names: readonly string[]; count: number }

/** Returns the named parameters of a statement, and the number of those without a name. A plan needs no values. */
const parametersOf = (sql: string): Parameters => {
  if (/^\s*EXPLAIN\b/.test(sql)) return { names: [], count: 0 }
  const code = sql.replaceAll(/'(?:[^']|'')*'|"[^"]*"|--.*$/gm, "''")
  const names = new Set([...code.matchAll(/[:@$]([A-Za-z_]\w*)/g)].map(([, name = '']) => name))
  let count = 0
  for (const [, number] of code.matchAll(/\?(\d*)/g)) count = number ? Math.max(count, Number(number)) : count + 1
  return { names: [...names], count }
}

const none: readonly string[] = []

const missingIn = ({ names, count }: Parameters, values: readonly unknown[]): readonly string[] => {
  const [first] = values
  const isNamed = typeof first === 'object' && first !== null && !ArrayBuffer.isView(first)
  const given = isNamed ? (first as Record<string, unknown>) : {}
  const unnamed = values.length - (isNamed ? 1 : 0)
  if (unnamed >= count && names.every((name) => given[name] !== undefined)) return none
  return [
    ...names.filter((name) => given[name] === undefined),
    ...(unnamed < count ? [`${count - unnamed} of "?"`] : []),
  ]
}
