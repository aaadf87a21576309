import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/* The served OpenAPI document, as the fuzz test reads it. */

export type Schema = {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  format?: string
}

export type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: Schema; required?: boolean }
type Media = { schema: Schema; examples?: Record<string, { value: unknown }> }
export type Response = { headers?: Record<string, { schema: Schema }>; content?: Record<string, Media> }

export type Operation = {
  id: string
  /** `POST`. */
  method: string
  /** `/api/v1/emails/{id}`. */
  path: string
  parameters: readonly Parameter[]
  /** Null: the operation has no body. */
  body: { schema: Schema; examples: readonly Record<string, unknown>[] } | null
  /** By status. */
  responses: Readonly<Record<string, Response>>
  /** Names of the ways to log in; empty: everyone may call it. */
  schemes: readonly string[]
  /** The scopes that open it to a key. */
  scopes: readonly string[]
  /** The roles whose sessions it accepts. */
  roles: readonly string[]
}

export type Document = {
  operations: readonly Operation[]
  operation(id: string): Operation
  /** Returns a schema with its reference resolved. */
  resolved(schema: Schema): Schema
  /** Returns what is wrong with a value; null: nothing. `pointer` is the path of the schema in the document. */
  problemsOf(pointer: readonly string[], value: unknown): string | null
}

type Json = Record<string, unknown>
type ListedOperation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
  security: Record<string, unknown>[]
  'x-access': { scopes: string[]; roles: string[] }
}
type Listed = {
  paths: Record<string, Record<string, ListedOperation>>
  components: { schemas: Record<string, Schema> }
}

/** Schemas that describe a part of their object only: the document itself. */
const partial = new Set(['OpenApi'])

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns schemas that refuse members that they do not name. Clients must accept new members, so the document accepts
 * them too; in a response of this release a member that is not documented is a defect.
 */
const closed = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((item) => closed(item))
  if (!isJson(value)) return value
  const inner: Json = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, closed(item, key)]))
  const { properties, additionalProperties: others } = inner
  const isOpen = isJson(others) && Object.keys(others).length === 0
  const isNamed = isJson(properties) && Object.keys(properties).length > 0 && !partial.has(name)
  return isOpen && isNamed ? { ...inner, additionalProperties: false } : inner
}

/** Follows references without further members. Returns the path of the schema that they end at. */
const targetOf = (document: unknown, keys: readonly string[]): readonly string[] => {
  const schema = keys.reduce<unknown>((value, key) => (isJson(value) ? value[key] : undefined), document)
  const { $ref, ...others } = isJson(schema) ? schema : {}
  const isReference = typeof $ref === 'string' && Object.keys(others).length === 0
  return isReference ? targetOf(document, $ref.split('/').slice(1)) : keys
}

/** RFC 3339 §5.6. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/

const operationOf = (path: string, method: string, listed: ListedOperation): Operation => {
  const media = listed.requestBody?.content['application/json']
  const examples = Object.values(media?.examples ?? {}).map(({ value }) => value as Record<string, unknown>)
  return {
    id: listed.operationId,
    method: method.toUpperCase(),
    path,
    parameters: listed.parameters ?? [],
    body: media ? { schema: media.schema, examples } : null,
    responses: listed.responses,
    schemes: listed.security.flatMap((one) => Object.keys(one)),
    scopes: listed['x-access'].scopes,
    roles: listed['x-access'].roles,
  }
}

/** Reads an OpenAPI 3.1 document, whose schemas are of JSON Schema 2020-12. */
export const readDocument = (served: unknown): Document => {
  const { paths, components } = served as Listed
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, listed]) => operationOf(path, method, listed)),
  )
  const formats = { 'date-time': dateTime, password: true } as const
  // Optimized code checks some values faster, but most schemas check only a few: it costs more than it saves.
  // With inlined references, each operation would have a copy of the schemas that all share.
  const ajv = new Ajv2020({ strict: false, formats, inlineRefs: false, code: { optimize: false } })
  const id = 'https://postrider.example/openapi'
  ajv.addSchema({ ...(closed(served) as Json), $id: id })
  const checks = new Map<string, ValidateFunction>()
  const checkAt = (given: readonly string[]): ValidateFunction => {
    const keys = targetOf(served, given)
    const pointer = keys.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const check = checks.get(pointer) ?? ajv.getSchema(`${id}#/${encodeURI(pointer)}`)
    if (!check) throw new Error(`the document has no schema at ${pointer}`)
    checks.set(pointer, check)
    return check
  }
  return {
    operations,
    operation: (wanted) => {
      const found = operations.find((one) => one.id === wanted)
      if (!found) throw new Error(`the document has no operation ${wanted}`)
      return found
    },
    resolved: (schema) => components.schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? schema,
    problemsOf: (pointer, value) => {
      const check = checkAt(pointer)
      return check(value) ? null : ajv.errorsText(check.errors, { dataVar: 'body' })
    },
  }
}

/** Returns where the schema of a request body is. */
export const bodyPath = ({ path, method }: Operation): readonly string[] => [
  ...['paths', path, method.toLowerCase()],
  ...['requestBody', 'content', 'application/json', 'schema'],
]
