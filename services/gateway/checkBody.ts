import { isObject } from '@postrider/contracts/http/closed.ts'
import { Fault, invalid, type Problem } from '@postrider/kit/fault.ts'
import { loneSurrogates } from './json/loneSurrogates.ts'
import type { GatewayRoute } from './route.ts'
import { zodProblems } from './zodProblems.ts'

/** How many problems an answer names: a caller mends those first. */
export const mostProblems = 100

export type CheckedBody = { ok: true; body: unknown } | { ok: false; raw: Record<string, unknown>; problems: Problem[] }

/**
 * The body as the route's schema reads it, or every problem: those of single fields, and of several together.
 * @throws Fault `validation_failed`: it is no object at all
 */
export const checkBody = ({ body, rules }: GatewayRoute, raw: unknown): CheckedBody => {
  if (!body) return { ok: true, body: undefined }
  if (!isObject(raw)) throw invalid({ path: '', code: 'wrong_type', message: 'The body must be a JSON object.' })
  const result = body.safeParse(raw)
  const ofFields: Problem[] = result.success ? [] : zodProblems(result.error, raw)
  const others = ofFields.filter(({ code }) => code !== 'lone_surrogate')
  const problems = [...loneSurrogates(raw), ...others, ...(rules?.(raw) ?? [])]
  return problems.length === 0 ? { ok: true, body: result.data } : { ok: false, raw, problems }
}

/** The refusal that names the problems, the first of them also in its detail. */
export const refusalOf = (problems: readonly Problem[]): Fault => {
  const [first, ...rest] = problems.slice(0, mostProblems)
  return first ? invalid(first, ...rest) : new Fault('internal', 'A body was refused for nothing.')
}
