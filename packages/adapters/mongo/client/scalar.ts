/**
 * Returns a value that a filter compares with, after a check that it is a scalar. The types promise that; an object in
 * its place would be read as operators (`{ $ne: null }` matches every document) if validation at an edge missed it.
 * @throws Error for an object
 */
export const scalar = <Value extends string | number | Uint8Array>(value: Value): Value => {
  if (typeof value !== 'object' || value instanceof Uint8Array) return value
  throw new Error('a filter compares with scalars only')
}
