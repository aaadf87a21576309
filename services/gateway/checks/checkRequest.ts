import { maxAttachments } from '@postrider/contracts/http/content.ts'
import { decodedText } from '@postrider/contracts/http/decodedText.ts'
import { isObject, maxUnknownNames, strictObject } from '@postrider/contracts/http/schema.ts'
import { Fault, invalid, maxProblems, type Problem } from '@postrider/kit/fault.ts'
import { base64Steps } from '@postrider/mail/base64.ts'
import type { Steps } from '@postrider/mail/steps.ts'
import { z } from 'zod'
import type { GatewayConfig } from '../config.ts'
import { loneSurrogates, surrogateSteps } from '../json/parseJson.ts'
import type { Route } from '../route.ts'
import { unknownParameterMessage } from '../suggestions/nameSuggestions.ts'
import { bodySuggestion } from '../suggestions/valueSuggestions.ts'
import { zodProblems } from './zodProblems.ts'

export type CheckedBody = { ok: true; body: unknown } | { ok: false; raw: Record<string, unknown>; problems: Problem[] }

/** The body and the query of a route that has none. */
const noFields = strictObject({})
const noParameters = z.object({})

/**
 * Returns the body as the route's schema reads it, or every problem: those of single fields and those of several
 * fields.
 * @param isLong whether it needs more than one step
 * @throws Fault `validation_failed`: it is not an object
 */
export function* checkBody(
  { body, rules }: Route,
  raw: unknown,
  config: GatewayConfig,
  isLong: boolean,
): Steps<CheckedBody> {
  if (!body && (raw === undefined || raw === null)) return { ok: true, body: undefined }
  if (!isObject(raw)) throw invalid({ path: '', code: 'wrong_type', message: bodySuggestion(raw) })
  const surrogates = isLong ? yield* surrogateSteps(raw) : loneSurrogates(raw)
  const result = (body ?? noFields).safeParse(isLong ? yield* decodeContents(raw) : raw)
  if (isLong) yield
  const ofFields: Problem[] = result.success ? [] : zodProblems(result.error, raw)
  const others = ofFields.filter(({ code }) => code !== 'lone_surrogate')
  const problems = [...surrogates, ...others, ...(rules?.(raw, config) ?? [])]
  return problems.length === 0 ? { ok: true, body: result.data } : { ok: false, raw, problems }
}

/** Returns the refusal that names the problems; its detail is the first one. */
export const bodyFault = (problems: readonly Problem[]): Fault => {
  const [first, ...rest] = problems.slice(0, maxProblems)
  if (!first) throw new Error('a validation failed without a problem')
  return invalid(first, ...rest)
}

/**
 * Returns a query as its schema reads it. Unknown and repeated names are refused: a filter that is silently dropped
 * would show records that were not requested, and a dropped `mode=test` would send live mail.
 * @throws Fault `malformed_request`
 */
export const readQuery = (schema: z.ZodObject | null, text: string): unknown => {
  if (schema === null) return text === '' ? undefined : readQuery(noParameters, text)
  const known = Object.keys(schema.shape)
  const given = new URLSearchParams(text)
  const unknown = [...new Set(given.keys())].filter((name) => !known.includes(name)).slice(0, maxUnknownNames)
  const problems: Problem[] = unknown.map((name) => ({
    path: name.slice(0, 100),
    code: 'unknown_parameter',
    message: unknownParameterMessage(name, known),
  }))
  const values: Record<string, string> = {}
  for (const name of known) {
    const [value, ...more] = given.getAll(name)
    if (more.length > 0) {
      problems.push({ path: name, code: 'repeated_parameter', message: 'This parameter is given twice; send it once.' })
    } else if (value !== undefined) values[name] = value
  }
  const result = schema.safeParse(values)
  const all = [...problems, ...(result.success ? [] : zodProblems(result.error, values))]
  const [first] = all
  if (!first && result.success) return result.data
  throw new Fault('malformed_request', `${first?.path}: ${first?.message}`, { problems: all })
}

/** Maximum length of a content that the schema decodes itself, in one step. */
const decodedBySchema = 65_536

/** Returns a body whose long contents of attachments are decoded. */
function* decodeContents(raw: Record<string, unknown>): Steps<Record<string, unknown>> {
  const given = raw['attachments']
  if (!Array.isArray(given) || given.length > maxAttachments) return raw
  const attachments: unknown[] = []
  for (const attachment of given) attachments.push(yield* decodeContent(attachment))
  return attachments.every((attachment, index) => attachment === given[index]) ? raw : { ...raw, attachments }
}

function* decodeContent(attachment: unknown): Steps<unknown> {
  const text: unknown = isObject(attachment) ? attachment['content'] : null
  if (typeof text !== 'string' || text.length <= decodedBySchema) return attachment
  return { ...(attachment as object), content: decodedText(text, yield* base64Steps(text)) }
}
