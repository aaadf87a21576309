import { Fault } from '@postrider/kit/fault.ts'
import type { Step } from '../context.ts'

const otherVersion = /^\/api\/(?!v1(?:\/|$))[^/]+/

type Matched = { matched?: { path: unknown; methods: string[] }[] }

/** Ids have a type before an underscore, which no word in a path of ours has. */
const wordForId = /\/:id$/
const endsInWord = /\/[a-z-]+$/

/**
 * Refuses what no route took: a wrong method by naming the right ones, all else as not found. A word where an id belongs,
 * `/emails/batch`, is a path of its own that isn't there.
 */
export const unknownPath: Step = (context) => {
  const matched = (context as typeof context & Matched).matched ?? []
  const named = matched.filter(({ path }) => !(wordForId.test(String(path)) && endsInWord.test(context.path)))
  const methods = [...new Set(named.flatMap((layer) => layer.methods))].sort()
  if (methods.length > 0) {
    const allow = methods.join(', ')
    throw new Fault('method_not_allowed', `This path takes ${allow}.`, { headers: { Allow: allow } })
  }
  if (otherVersion.test(context.path)) {
    throw new Fault('not_found', 'There is no such version of the API; the supported one is under /api/v1.')
  }
  throw new Fault('not_found', 'There is nothing at this path; /api/v1/openapi.json lists what there is.')
}
