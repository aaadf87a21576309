import { unknownNames } from '@postrider/contracts/http/didYouMean.ts'
import { Fault, type Problem } from '@postrider/kit/fault.ts'
import type { z } from 'zod'
import { zodProblems } from './zodProblems.ts'

/**
 * A query as its schema reads it. Names nobody knows, and names given twice, are refused: a filter that is silently
 * dropped shows mail that wasn't asked for.
 * @throws Fault `malformed_request`
 */
export const readQuery = (schema: z.ZodObject, text: string): unknown => {
  const known = Object.keys(schema.shape)
  const given = new URLSearchParams(text)
  const problems: Problem[] = unknownNames(new Set(given.keys()), known).map(({ name, message }) => ({
    path: name.slice(0, 100),
    code: 'unknown_parameter',
    message,
  }))
  const values: Record<string, string> = {}
  for (const name of known) {
    const [value, ...more] = given.getAll(name)
    if (more.length > 0) {
      problems.push({ path: name, code: 'repeated_parameter', message: 'This parameter stands here twice.' })
    } else if (value !== undefined) values[name] = value
  }
  const result = schema.safeParse(values)
  const all = [...problems, ...(result.success ? [] : zodProblems(result.error, values))]
  const [first] = all
  if (!first && result.success) return result.data
  throw new Fault('malformed_request', `${first?.path}: ${first?.message}`, { problems: all })
}
