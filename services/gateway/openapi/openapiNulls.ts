/** `null` in request bodies: it counts as absent there, so a client may send it for every optional field. */

type Json = { [name: string]: unknown }

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const nullable = (schema: Json): Json => {
  const { $ref, type, enum: values, anyOf } = schema
  if ($ref !== undefined) return { anyOf: [schema, { type: 'null' }] }
  const isInAnyOf = Array.isArray(anyOf) && anyOf.some((one: Json) => one['type'] === 'null')
  const types = type === undefined ? [] : [type].flat()
  return {
    ...schema,
    ...(Array.isArray(anyOf) && !isInAnyOf && { anyOf: [...anyOf, { type: 'null' }] }),
    ...(types.length > 0 && !types.includes('null') && { type: [...types, 'null'] }),
    ...(types.length > 0 && !types.includes('null') && Array.isArray(values) && { enum: [...values, null] }),
  }
}

/**
 * Returns the schemas with `null` added to the optional fields of request bodies. A schema is one of a body if it refuses
 * unknown fields; those of responses allow them.
 */
export const withNulls = <Value>(value: Value): Value => {
  if (Array.isArray(value)) return value.map(withNulls) as Value
  if (!isJson(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withNulls(item)]))
  const { properties, required, additionalProperties } = inner
  if (additionalProperties !== false || !isJson(properties)) return inner as Value
  const needed: unknown[] = Array.isArray(required) ? required : []
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    needed.includes(name) || !isJson(field) ? field : nullable(field),
  ])
  return { ...inner, properties: Object.fromEntries(fields) } as Value
}
