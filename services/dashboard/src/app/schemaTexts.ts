import { type $ZodErrorMap, config } from 'zod/v4/core'

/** Returns the text of a problem for which the schema has no text. */
const text: $ZodErrorMap = (issue) => {
  if (issue.code === 'too_small')
    return Number(issue.minimum) === 1 ? 'Must not be empty.' : `At least ${issue.minimum} are needed.`
  if (issue.code === 'too_big' && issue.origin === 'string') return `Must be at most ${issue.maximum} characters.`
  if (issue.code === 'too_big') return `At most ${issue.maximum} are allowed.`
  return issue.code === 'custom' ? undefined : 'This value is not valid.'
}

/**
 * Sets how the schemas of the API work in the browser: with texts for people, and without `new Function`, which the
 * Content-Security-Policy refuses.
 */
export const configureSchemas = (): void => {
  config({ jitless: true, customError: text })
}
