import type { HttpResponse } from '../support/http.ts'
import type { Document, Operation, Response } from './document.ts'
import type { FuzzRequest } from './request.ts'

/* What a response must fulfill. Each check returns what is wrong. */

type Given = { document: Document; request: FuzzRequest; response: HttpResponse<unknown> }
type Problem = {
  type: string
  status: number
  code: string
  request_id: string
  errors: { path: string; code: string }[]
}

/** Problems of the form of a request, which the document describes. */
const ofForm: ReadonlySet<string> = new Set([
  ...['wrong_type', 'unknown_field', 'unknown_parameter', 'repeated_parameter', 'missing', 'empty'],
  ...['too_long', 'too_short', 'too_many', 'too_few', 'too_small', 'too_large', 'invalid_value', 'invalid_limit'],
])

/**
 * Rules over several fields, or of the text of a field, which no schema of the document can express. By operation and
 * path.
 */
const beyondSchemas: readonly [operation: RegExp, problem: RegExp][] = [
  // A message has a subject and a part, or a template with its variables.
  [/^(sendEmail|sendBatch|validateEmail)$/, /(^|\.)(subject|html|text|template_id|template_vars) missing$/],
  [/^(createTemplate|updateTemplate|previewDraft)$/, /^html_body missing$/],
  // Amounts of money and of sends, and a reason with the field that it explains.
  [/^(updateWorkspace|createAdjustment|setWorkspaceControls|updateUser|updateInvoice)$/, / invalid_value$/],
  // The installation sets the most days.
  [/./, /(^|\.)retention invalid_value$/],
  // Text of spaces alone is empty.
  [/./, /(^|\.)(name|workspace_name|postal_address|sender_name|reason|note|domains\[\d+\]) empty$/],
]

const isBeyondSchemas = ({ id }: Operation, { path, code }: { path: string; code: string }): boolean =>
  beyondSchemas.some(([operation, problem]) => operation.test(id) && problem.test(`${path} ${code}`))

const headerOf = ({ headers }: HttpResponse<unknown>, name: string): string | undefined => {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value.join(', ') : value
}

const mediaType = (response: HttpResponse<unknown>): string => headerOf(response, 'content-type') ?? ''
const bareType = (response: HttpResponse<unknown>): string => mediaType(response).split(';')[0] ?? ''

/** 5xx: a 503 is repeated before, see `send`; so one that arrives here has not ended. */
const serverErrors = ({ response }: Given): string[] => (response.status >= 500 ? [`returned ${response.status}`] : [])

const requestIds = ({ request, response }: Given): string[] => {
  const given = request.headers['x-request-id']
  const got = headerOf(response, 'x-request-id') ?? ''
  const isRight =
    given !== undefined && /^[A-Za-z0-9_.:~-]{1,128}$/.test(given) ? got === given : /^req_[0-9a-z]{26}$/.test(got)
  return isRight ? [] : [`X-Request-Id is ${JSON.stringify(got)}`]
}

const problems = ({ document, request, response }: Given): string[] => {
  if (response.status < 400 || request.method === 'HEAD') return []
  const wanted = request.headers['accept']?.includes('application/problem+json')
  const type = wanted ? 'application/problem+json' : 'application/json'
  if (bareType(response) !== type) return [`Content-Type of the error is ${mediaType(response)}`]
  const wrong = document.problemsOf(['components', 'schemas', 'Problem'], response.body)
  if (wrong !== null) return [`not an error of the documented shape: ${wrong}`]
  const { type: page, status, code, request_id: id, errors } = response.body as Problem
  return [
    ...(status === response.status ? [] : [`status in the body is ${status}`]),
    ...(page === `/problems/${code.replaceAll('_', '-')}` ? [] : [`type is ${page}`]),
    ...(id === headerOf(response, 'x-request-id') ? [] : [`request_id is ${id}`]),
    ...(code === 'validation_failed' && errors.length === 0 ? ['errors is empty'] : []),
  ]
}

/** Headers that only some of the responses with a status have. */
const isOptional = (name: string, { request, response }: Given): boolean => {
  const code = (response.body as Partial<Problem> | undefined)?.code
  // These refusals come before the request is counted.
  if (name.startsWith('RateLimit'))
    return (
      ['csrf', 'workspace_changed', 'unavailable'].includes(code ?? '') ||
      request.operation?.schemes.includes('operatorToken') === true
    )
  if (name === 'Retry-After') return response.status === 409 && code !== 'idempotency_in_flight'
  return name.startsWith('Quota-') || name === 'Idempotent-Replayed'
}

const headers = (given: Given, documented: Response): string[] =>
  Object.entries(documented.headers ?? {}).flatMap(([name, { schema }]) => {
    const value = headerOf(given.response, name)
    if (value === undefined) return isOptional(name, given) ? [] : [`the header ${name} is missing`]
    if (schema.type !== 'integer') return value === '' ? [`${name} is empty`] : []
    const isRight = /^\d+$/.test(value) && Number(value) >= (schema.minimum ?? 0)
    return isRight ? [] : [`${name} is ${value}`]
  })

const body = ({ document, request, response }: Given, operation: Operation, documented: Response): string[] => {
  if (request.method === 'HEAD') return []
  const types = Object.keys(documented.content ?? {})
  if (types.length === 0) {
    const isEmpty = response.text === '' && mediaType(response) === ''
    return isEmpty ? [] : [`a body of ${mediaType(response)} where the document has none`]
  }
  const type = bareType(response)
  const media = documented.content?.[type]
  if (!media) return [`Content-Type is ${mediaType(response)}, documented are ${types.join(', ')}`]
  const codes = Object.keys(media.examples ?? {})
  const code = (response.body as Partial<Problem> | undefined)?.code ?? ''
  if (response.status >= 400 && codes.length > 0 && !codes.includes(code)) return [`the code ${code} is not documented`]
  if (!type.endsWith('json')) return []
  const pointer = [
    'paths',
    operation.path,
    operation.method.toLowerCase(),
    'responses',
    String(response.status),
    'content',
    type,
    'schema',
  ]
  const wrong = document.problemsOf(pointer, response.body)
  return wrong === null ? [] : [`the body is not as documented: ${wrong}`]
}

const conformance = (given: Given): string[] => {
  const { operation } = given.request
  if (operation === null) return []
  const documented = operation.responses[given.response.status]
  if (!documented) return [`the status ${given.response.status} is not documented`]
  return [...headers(given, documented), ...body(given, operation, documented)]
}

const expectation = ({ request, response }: Given): string[] => {
  const { expected, operation } = request
  const { status } = response
  const { code = '', errors = [] } = (response.body ?? {}) as Partial<Problem>
  if (expected.kind === 'done') return status < 300 ? [] : ['a request that must succeed was refused']
  if (expected.kind === 'documented') return []
  // Limits that no setting raises, such as those of emails, come before the other checks.
  if (status === 429) return []
  if (expected.kind === 'hidden') {
    const isHidden = status === 404 ? code === 'not_found' : status === 422 && code === 'validation_failed'
    return isHidden ? [] : ['expected 404 not_found, or 422 validation_failed for the body']
  }
  if (expected.kind === 'reported') {
    const { data = [] } = (response.body ?? {}) as { data?: { status: number }[] }
    const isReport = status === 202 && data.length > 0 && data.every((result) => result.status === 422)
    // The key of the request may be that of an earlier one.
    return isReport || code === 'idempotency_mismatch' ? [] : ['expected 202 with a refusal of each message']
  }
  if (expected.kind === 'refused') {
    const isRight = expected.statuses.includes(status) && (expected.codes?.includes(code) ?? true)
    return isRight ? [] : [`expected ${expected.statuses.join(' or ')} ${expected.codes?.join(' or ') ?? ''}`]
  }
  // A login with a wrong password gets 401 too.
  if (status === 401 && (expected.mayHaveEnded || operation?.schemes.length === 0)) return []
  // A value of a query can be wrong for what it means: an address, a cursor.
  const isMeant = status === 400 && request.path.includes('?') && errors.length > 0
  if (!isMeant && [400, 401, 405, 413, 415].includes(status)) return ['a valid request was refused for its form']
  const wrong = errors.filter((one) => ofForm.has(one.code) && !(operation && isBeyondSchemas(operation, one)))
  return wrong.map(({ path, code: what }) => `a value that the schema accepts was refused: ${path} ${what}`)
}

/** 405 names the methods of the path (RFC 9110 §15.5.6). */
const allow = ({ request, response }: Given): string[] => {
  if (response.status !== 405) return []
  const wanted = request.expected.kind === 'refused' ? request.expected.allow : undefined
  const got = headerOf(response, 'allow')
  return got === undefined || (wanted !== undefined && got !== wanted) ? [`Allow is ${got}, not ${wanted}`] : []
}

/** Returns how the responses about a record of another workspace and about a missing record differ. */
export const differenceOf = (hidden: HttpResponse<unknown>, none: HttpResponse<unknown>): string[] => {
  const shown = ({ status, body: { request_id: _id, ...rest } }: HttpResponse<Problem>) =>
    JSON.stringify([status, rest])
  const [one, other] = [shown(hidden as HttpResponse<Problem>), shown(none as HttpResponse<Problem>)]
  return one === other ? [] : [`shows that the id exists: without it the response is ${other.slice(0, 500)}`]
}

/** Returns everything that is wrong with a response. */
export const problemsOf = (given: Given): string[] =>
  [serverErrors, requestIds, problems, conformance, expectation, allow].flatMap((check) => check(given))
