import fc from 'fast-check'
import { bodyPath, type Document, type Operation } from './document.ts'
import { meaningOf } from './meaning.ts'
import { harmful, idsFor, kindOf } from './pathRecords.ts'
import type { Ids } from './records.ts'
import type { Expected, FuzzRequest } from './request.ts'
import { pathWith } from './story.ts'
import { type Draw, happens, oneOf, validValue } from './values.ts'
import { type Credentials, fromElsewhere, type World } from './world.ts'
import { brokenBodies, wrongBody, wrongQuery } from './wrong.ts'

/* Makes requests of an operation: valid requests, and requests with one fault. */

type Json = Record<string, unknown>

/** A valid request, of which the others are made. */
type Parts = {
  operation: Operation
  ids: Ids
  query: string
  headers: Record<string, string>
  by: Credentials
  body: Json | null
  mayHaveEnded: boolean
}

const fieldsOf = (operation: Operation, world: World, draw: Draw): Json => {
  const { document } = world
  const { schema: given = {}, examples = [] } = operation.body ?? {}
  const schema = document.resolved(given)
  const isRandom = happens(draw, 0.15)
  const body: Json = isRandom ? { ...(draw(validValue(schema, document)) as Json) } : { ...oneOf(draw, examples) }
  for (const [name, one] of Object.entries(schema.properties ?? {})) {
    const isGiven = name in body
    if (isGiven ? isRandom && happens(draw, 0.5) : happens(draw, 0.88)) continue
    const value = happens(draw, 0.9) ? meaningOf(operation, name, draw, world) : undefined
    if (value !== undefined) body[name] = value
    else if (!isGiven || happens(draw, 0.1)) body[name] = draw(validValue(one, document))
    if (!schema.required?.includes(name) && happens(draw, 0.05)) body[name] = null
  }
  return document.problemsOf(bodyPath(operation), body) === null ? body : { ...oneOf(draw, examples) }
}

const validBody = (operation: Operation, world: World, draw: Draw): Json | null => {
  if (operation.body === null) return null
  if (operation.id !== 'sendBatch') return fieldsOf(operation, world, draw)
  const send = world.document.operation('sendEmail')
  return { messages: Array.from({ length: 1 + draw(fc.nat(3)) }, () => fieldsOf(send, world, draw)) }
}

const validQuery = (operation: Operation, world: World, draw: Draw): string => {
  const pairs = operation.parameters.flatMap(({ in: location, name, schema, required = false }) => {
    if (location !== 'query' || name === 'cursor') return []
    if (!required && happens(draw, 0.65)) return []
    if (name === 'type') return [[name, oneOf(draw, ['email.accepted', 'email.sent,domain.verified'])]]
    // An empty page is returned after this number of seconds.
    if (name === 'wait') return [[name, '1']]
    if (name === 'workspace') return [[name, world.tenant.workspace.id]]
    return [[name, String(draw(validValue(schema, world.document)))]]
  })
  const text = new URLSearchParams(pairs.map(([name = '', value = '']): [string, string] => [name, value])).toString()
  return text === '' ? '' : `?${text}`
}

const validHeaders = ({ parameters }: Operation, draw: Draw): Record<string, string> => {
  const headers: Record<string, string> = {}
  for (const { in: location, name, schema } of parameters) {
    if (location !== 'header' || happens(draw, 0.6)) continue
    headers[name.toLowerCase()] = schema.enum ? String(oneOf(draw, schema.enum)) : `key-${draw(fc.nat(20))}`
  }
  if (happens(draw, 0.1)) headers['accept'] = oneOf(draw, ['application/problem+json', 'text/html', '*/*'])
  if (happens(draw, 0.1)) headers['x-request-id'] = oneOf(draw, ['my-request.1', 'a b', 'x'.repeat(129), '<script>'])
  return headers
}

/** Returns a caller that may use an operation and sees the records of its path: a key sees those of its own mode. */
const callerOf = async (
  { id, schemes, scopes }: Operation,
  ids: Ids,
  world: World,
  draw: Draw,
): Promise<Credentials> => {
  if (schemes.length === 0) return fromElsewhere()
  if (schemes.includes('operatorToken')) return world.operator
  if (harmful.has(id)) return (await world.victim()).session
  if (!schemes.includes('apiKey')) return world.owner
  const byScope = scopes.flatMap((scope): Credentials[] => [world.keys.get(scope) ?? []].flat())
  const mode = world.records.modeOf(ids)
  return oneOf(draw, [
    ...[world.owner, world.owner],
    ...(mode === 'test' ? [] : [world.liveKey, ...byScope]),
    ...(mode === 'live' ? [] : [world.testKey]),
  ])
}

const partsOf = async (operation: Operation, world: World, draw: Draw): Promise<Parts | null> => {
  const ids = await idsFor(operation, world, draw)
  if (ids === null) return null
  const by = await callerOf(operation, ids, world, draw)
  return {
    operation,
    ids,
    by,
    query: validQuery(operation, world, draw),
    headers: validHeaders(operation, draw),
    body: validBody(operation, world, draw),
    mayHaveEnded: harmful.has(operation.id),
  }
}

const escaped = (ids: Ids): Ids =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, encodeURIComponent(id)]))

const requestOf = (
  { operation, ids, query, headers, by, body }: Parts,
  { name, expected }: { name: string; expected: Expected },
): FuzzRequest => ({
  name,
  operation,
  method: operation.method,
  path: pathWith(operation.path, escaped(ids)) + query,
  headers: { ...by, ...headers, ...(body && { 'content-type': 'application/json' }) },
  ...(body && { body: JSON.stringify(body) }),
  expected,
})

const refusedWith = (statuses: readonly number[], codes?: readonly string[]): Expected => ({
  kind: 'refused',
  statuses,
  ...(codes && { codes }),
})

const isFor = (operation: Operation, scheme: string): boolean => operation.schemes.includes(scheme)

/** A change of a request's credentials, with its refusal. */
type OtherCaller = { name: string; by: Credentials; expected: Expected }

const unknownKey = 'pr_live_DTwFYrckMx7ydFtxTzEanWZzab73pQ3uh'

/** Returns ids of the same forms that do not exist. */
const missing = (ids: Ids): Ids =>
  Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, id.replace(/_[0-9a-z]{26}$/, '_01h2xcejqtf2nbrexx3vqjhp41')]),
  )

const wrongCallers = ({ operation, ids, query }: Parts, world: World): OtherCaller[] => {
  const { path, method, scopes, roles } = operation
  const refused = (name: string, by: Credentials, status: number, ...codes: string[]): OtherCaller => ({
    name,
    by,
    expected: refusedWith([status], codes),
  })
  const unauthenticated = [
    refused('no credentials', {}, 401, 'unauthenticated'),
    refused('an unknown key', { ...fromElsewhere(), authorization: `Bearer ${unknownKey}` }, 401, 'unauthenticated'),
    refused('a mistyped key', { ...fromElsewhere(), authorization: `Bearer ${unknownKey}x` }, 401, 'unauthenticated'),
    refused('another scheme', { authorization: 'Basic YTpi' }, 401, 'unauthenticated'),
  ]
  if (isFor(operation, 'operatorToken')) {
    return [...unauthenticated, refused('an owner who is no operator', world.owner, 401, 'unauthenticated')]
  }
  const foreign = path.includes('{') && !harmful.has(operation.id)
  const twinPath = pathWith(path, escaped(missing(ids))) + query
  const { 'x-csrf-token': _token, ...withoutToken } = world.owner
  const lacking = [...world.keys].filter(([scope]) => !scopes.includes(scope)).map(([, by]) => by)
  return [
    ...unauthenticated,
    refused('an unknown session', { cookie: `sid=${'A'.repeat(43)}` }, 401, 'unauthenticated'),
    ...(method === 'GET' ? [] : [refused('a session without its token', withoutToken, 403, 'csrf')]),
    ...(roles.includes('viewer') ? [] : [refused('a viewer', world.viewer, 403, 'forbidden', 'insufficient_scope')]),
    ...(isFor(operation, 'apiKey')
      ? lacking.slice(0, 3).map((by) => refused('a key without the scope', by, 403, 'insufficient_scope'))
      : [refused('a key', world.liveKey, 403, 'session_required')]),
    ...(foreign
      ? [{ name: 'another workspace', by: world.stranger, expected: { kind: 'hidden', twinPath } as const }]
      : []),
  ]
}

const strangeIds = [
  '0',
  'em_01h2xcejqtf2nbrexx3vqjhp41',
  '%00',
  '%zz',
  '%ff',
  '%2e%2e',
  '..%2f..',
  'a%20b',
  '%F0%9F%A7%B9',
  'x'.repeat(3_000),
  "'%20or%201=1",
  '-1',
  '9'.repeat(30),
]

/** Makes one kind of request of a valid one; null: it does not apply to the operation. */
type Kind = (parts: Parts, world: World, draw: Draw) => FuzzRequest | null

const valid: Kind = (parts) =>
  requestOf(parts, { name: 'valid', expected: { kind: 'valid', mayHaveEnded: parts.mayHaveEnded } })

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether only messages of a permissive batch are wrong, and not what is around them: then each has its own result. */
const isReported = ({ operation, headers, body }: Parts, wrong: unknown, document: Document): boolean => {
  if (headers['batch-validation'] !== 'permissive' || !isJson(wrong) || !Array.isArray(wrong['messages'])) return false
  const [valid] = (body?.['messages'] ?? []) as unknown[]
  const others = { ...wrong, messages: wrong['messages'].map(() => valid) }
  return document.problemsOf(bodyPath(operation), others) === null
}

const ofWrongBody: Kind = (parts, { document }, draw) => {
  const { operation, body, mayHaveEnded } = parts
  if (body === null) return null
  const wrong = wrongBody(operation, body, document, draw)
  // Its problems are the response of this operation.
  const isReport = operation.id === 'validateEmail'
  const refused = mayHaveEnded ? refusedWith([422, 401, 403]) : refusedWith([422], ['validation_failed'])
  const reported: Expected | null = isReported(parts, wrong, document) ? { kind: 'reported' } : null
  const expected = isReport ? refusedWith([200]) : (reported ?? refused)
  return { ...requestOf(parts, { name: 'a wrong body', expected }), body: JSON.stringify(wrong) }
}

const ofBrokenBody: Kind = (parts, _world, draw) => {
  const { operation, body, mayHaveEnded } = parts
  if (body === null) return null
  const isSmall = operation.schemes.length === 0 || isFor(operation, 'operatorToken')
  const broken = oneOf(draw, brokenBodies(body, isSmall ? 16_384 : Number.POSITIVE_INFINITY))
  const request = requestOf(parts, {
    name: broken.name,
    expected: refusedWith(mayHaveEnded ? [broken.status, 401, 403] : [broken.status]),
  })
  return { ...request, headers: { ...request.headers, ...broken.headers }, body: broken.body }
}

const ofWrongQuery: Kind = (parts, _world, draw) => {
  const query = wrongQuery(parts.operation, draw)
  if (query === null) return null
  return requestOf({ ...parts, query }, { name: 'a wrong query', expected: refusedWith([400], ['malformed_request']) })
}

const ofWrongHeader: Kind = (parts, _world, draw) => {
  const inHeader = parts.operation.parameters.filter((one) => one.in === 'header')
  if (inHeader.length === 0) return null
  const { name, schema } = oneOf(draw, inHeader)
  const value = schema.enum ? oneOf(draw, ['typo', '', 'STRICT ']) : oneOf(draw, ['', 'x'.repeat(256), 'caf\u00e9'])
  const headers = { ...parts.headers, [name.toLowerCase()]: value }
  return requestOf(
    { ...parts, headers },
    { name: 'a wrong header', expected: refusedWith([400], ['malformed_request']) },
  )
}

const ofWrongCaller: Kind = (parts, world, draw) => {
  if (parts.operation.schemes.length === 0) return null
  const { name, by, expected } = oneOf(draw, wrongCallers(parts, world))
  return requestOf({ ...parts, by }, { name, expected })
}

const ofStrangeId: Kind = (parts, world, draw) => {
  const { operation, by } = parts
  const names = Object.keys(parts.ids).filter((name) => operation.path.includes(`{${name}}`))
  if (names.length === 0 || (kindOf(operation) === '' && !isFor(operation, 'operatorToken'))) return null
  const ids = { ...parts.ids, [oneOf(draw, names)]: oneOf(draw, strangeIds) }
  const caller = isFor(operation, 'apiKey') ? world.owner : by
  const request = requestOf(
    { ...parts, by: caller },
    { name: 'a strange id', expected: refusedWith(parts.mayHaveEnded ? [404, 422, 401, 403] : [404, 422]) },
  )
  return { ...request, path: pathWith(operation.path, ids) + parts.query }
}

const everyMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

const ofWrongMethod: Kind = (parts, { document }, draw) => {
  const { path } = parts.operation
  const own = document.operations.filter((one) => one.path === path).map(({ method }) => method)
  const allowed = own.includes('GET') ? [...own, 'HEAD'] : own
  const method = oneOf(
    draw,
    everyMethod.filter((one) => !allowed.includes(one)),
  )
  const expected: Expected = {
    kind: 'refused',
    statuses: [405],
    codes: ['method_not_allowed'],
    allow: allowed.toSorted().join(', '),
  }
  return { ...requestOf(parts, { name: `the method ${method}`, expected }), operation: null, method }
}

/** How often each kind is made. */
const kinds: readonly (readonly [weight: number, kind: Kind])[] = [
  [36, valid],
  [20, ofWrongBody],
  [10, ofBrokenBody],
  [10, ofWrongQuery],
  [3, ofWrongHeader],
  [10, ofWrongCaller],
  [6, ofStrangeId],
  [3, ofWrongMethod],
]

const weighted = kinds.flatMap(([weight, kind]) => Array.from({ length: weight }, () => kind))

/** Returns a request of a random operation. */
export const randomRequest = async (world: World, draw: Draw): Promise<FuzzRequest> => {
  for (;;) {
    const operation = oneOf(draw, world.document.operations)
    // Each needs a person who signed up, and a few of each are enough.
    if (harmful.has(operation.id) && happens(draw, 0.7)) continue
    const parts = await partsOf(operation, world, draw)
    const request = parts && oneOf(draw, weighted)(parts, world, draw)
    if (request) return request
  }
}
