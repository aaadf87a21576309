/* The parts of the OpenAPI document that the pages show. */

export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  example?: unknown
  enum?: readonly unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  additionalProperties?: boolean | Schema
  format?: string
}

export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }
type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { summary: string; value: unknown }> }
export type Response = {
  description: string
  headers?: Record<string, { description?: string }>
  content?: Record<string, Media>
}

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  security?: readonly Record<string, readonly string[]>[]
  'x-access'?: { roles: readonly string[] }
  parameters?: readonly Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Response>
}

export type OpenapiDocument = {
  info: { description?: string }
  tags: readonly { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: { session: { name: string } } }
}

/** An operation with its path. `path` has parameters in braces. */
export type Listed = { method: string; path: string; operation: Operation }

/** The operations of one tag, which are one page of the reference. */
export type Area = { name: string; slug: string; listed: readonly Listed[] }

/** Returns the pages of the reference, in the order of the document. */
export const areasOf = ({ paths, tags }: OpenapiDocument): Area[] => {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Listed => ({ method: method.toUpperCase(), path, operation })),
  )
  return tags.map(({ name }) => ({
    name,
    slug: name.toLowerCase().replaceAll(' ', '-'),
    listed: all.filter(({ operation }) => operation.tags[0] === name),
  }))
}

export const areaPath = ({ slug }: Pick<Area, 'slug'>): string => `/docs/reference/${slug}`

export const objectsPath = '/docs/reference/objects'

/** Returns the id of an object's heading on the page of the objects. */
export const objectAnchor = (name: string): string => `object-${name}`

/** Returns the name of the object that a reference of a schema leads to. */
export const refName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

/** Returns the example of the first successful response, or undefined. */
export const successOf = ({
  responses,
}: Operation): { status: string; response: Response; example: unknown } | null => {
  const [status, response] = Object.entries(responses).find(([code]) => code < '300') ?? []
  if (status === undefined || response === undefined) return null
  return { status, response, example: response.content?.['application/json']?.example }
}

/**
 * Returns the id in an example: that of a record, of what it is about (`user_id`: its `user`), or of the first one of a
 * list.
 */
const idOf = (example: unknown, name: string): string | null => {
  if (typeof example !== 'object' || example === null) return null
  const { id, data, [name.replace(/_id$/, '')]: subject } = example as Record<string, unknown>
  if (typeof id === 'string') return id
  return Array.isArray(data) ? idOf(data[0], name) : idOf(subject, name)
}

/**
 * Returns paths with the ids of the examples in place of their parameters, so that a request can be sent as it is
 * shown. The id is that of the operation's own example, of the record at the path, or of the list above it.
 */
export const exampleIds = (all: readonly Listed[]): ((listed: Listed) => string) => {
  const exampleAt = (path: string, name: string): string | null => {
    const found = all
      .filter((one) => one.path === path)
      .map(({ operation }) => idOf(successOf(operation)?.example, name))
    return found.find((id) => id !== null) ?? null
  }
  return ({ path }) =>
    path.replaceAll(/\{(\w+)\}/g, (parameter, name, at: number) => {
      if (name === 'version') return '1'
      return (
        exampleAt(path.slice(0, at + parameter.length), name) ?? exampleAt(path.slice(0, at - 1), name) ?? parameter
      )
    })
}
