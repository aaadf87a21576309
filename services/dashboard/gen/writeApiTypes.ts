import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

/*
 * Writes the types of the API from docs/openapi.json. Only what the client uses is written: parameters, bodies and
 * successful answers, without descriptions. The whole document would be 33,000 lines.
 */

const root = join(import.meta.dirname, '../../..')
const target = join(import.meta.dirname, '../src/api/gen/schema.ts')

type Json = { [name: string]: unknown }

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const described = new Set(['description', 'summary', 'example', 'examples', 'externalDocs', 'tags', 'security'])

/**
 * Returns a schema without texts. An answer may get fields later; types that allow every name would hide wrong ones.
 */
const bare = (value: unknown, isNames = false): unknown => {
  if (Array.isArray(value)) return value.map((item) => bare(item))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(([name, member]) => {
    if (isNames) return true
    if (name === 'additionalProperties') return isObject(member) && Object.keys(member).length > 0
    return !described.has(name) && !name.startsWith('x-')
  })
  return Object.fromEntries(kept.map(([name, member]) => [name, bare(member, name === 'properties')]))
}

/** Returns an operation with its first successful answer alone. */
const bareOperation = (operation: Json): Json => {
  const { operationId, parameters = [], requestBody, responses } = operation
  const [status = '200', answer] = Object.entries(responses as Json).find(([code]) => code.startsWith('2')) ?? []
  const content = isObject(answer) && isObject(answer['content']) ? { content: bare(answer['content']) } : {}
  return {
    operationId,
    parameters: bare(parameters),
    ...(isObject(requestBody) && { requestBody: bare(requestBody) }),
    responses: { [status]: { description: '', ...content } },
  }
}

const methods = ['get', 'post', 'patch', 'delete']

const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as Json
const paths = Object.entries(document['paths'] as Record<string, Json>).map(([path, item]) => {
  const operations = Object.entries(item).filter(([method]) => methods.includes(method))
  return [path, Object.fromEntries(operations.map(([method, operation]) => [method, bareOperation(operation as Json)]))]
})
const schemas = Object.entries((document['components'] as Json)['schemas'] as Json)
const reduced = {
  openapi: document['openapi'],
  info: document['info'],
  paths: Object.fromEntries(paths),
  components: { schemas: Object.fromEntries(schemas.map(([name, schema]) => [name, bare(schema)])) },
}
const nodes = await openapiTS(reduced as unknown as OpenAPI3, { silent: true, defaultNonNullable: false })
const head = '/* The types of the API. `npm run gen` writes this file from docs/openapi.json. */\n\n'
writeFileSync(target, head + astToString(nodes))
