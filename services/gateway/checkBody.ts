import { isObject } from '@postrider/contracts/http/closed.ts'
import { invalid, type Problem } from '@postrider/kit/fault.ts'
import { loneSurrogates } from './json/loneSurrogates.ts'
import type { GatewayRoute } from './route.ts'
import { zodProblems } from './zodProblems.ts'

/** How many problems an answer names: a caller mends those first. */
export const mostProblems = 100

/**
 * The body as the route's schema reads it.
 * @throws Fault `validation_failed` with every problem: those of single fields, and of several together
 */
export const checkBody = ({ body, rules, momentary }: GatewayRoute, raw: unknown, at: number): unknown => {
  if (!body) return undefined
  if (!isObject(raw)) throw invalid({ path: '', code: 'wrong_type', message: 'The body must be a JSON object.' })
  const result = body.safeParse(raw)
  const ofFields: Problem[] = result.success ? [] : zodProblems(result.error, raw)
  const others = ofFields.filter(({ code }) => code !== 'lone_surrogate')
  const found = [...loneSurrogates(raw), ...others, ...(rules?.(raw) ?? [])]
  if (found.length === 0) return result.data
  const [first, ...rest] = [...found, ...(momentary?.(raw, at) ?? [])].slice(0, mostProblems)
  if (first) throw invalid(first, ...rest)
}
