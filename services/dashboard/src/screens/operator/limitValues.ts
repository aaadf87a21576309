import type { Controls, Limit } from '../../api/operator.ts'
import { type LimitName, limits } from './controlsLabels.ts'

/** Kind of a limit: as the plan has it, without limit, or as a number. */
export type LimitKind = 'plan' | 'none' | 'number'
export type LimitValue = { kind: LimitKind; number: string }
export type LimitValues = Record<LimitName, LimitValue>

export const valuesOf = ({ limits: current }: Controls): LimitValues =>
  Object.fromEntries(limits.map(({ name }) => [name, fieldValue(current[name])])) as LimitValues

const fieldValue = (limit: Limit): LimitValue => {
  if (limit === 'plan') return { kind: 'plan', number: '' }
  return limit === null ? { kind: 'none', number: '' } : { kind: 'number', number: String(limit) }
}

/** Returns a limit of the API; a text that is not a number as it is, which the API's schema refuses. */
const limitOf = ({ kind, number }: LimitValue): Limit => {
  if (kind !== 'number') return kind === 'plan' ? 'plan' : null
  return number.trim() === '' || Number.isNaN(Number(number)) ? Number.NaN : Number(number)
}

/** Returns the limits that differ from those of the workspace. */
export const changedLimits = ({ limits: current }: Controls, values: LimitValues): Partial<Record<LimitName, Limit>> =>
  Object.fromEntries(
    limits.flatMap(({ name }) => {
      const limit = limitOf(values[name])
      return Object.is(limit, current[name]) ? [] : [[name, limit]]
    }),
  )
