/**
 * A value from outside, to compare with in a filter. The types promise a scalar; an object in its place would be read
 * as operators (`{ $ne: null }` finds anybody), so it is refused here too, whatever edge let it through.
 */
export const scalar = <Value extends string | number | Uint8Array>(value: Value): Value => {
  if (typeof value !== 'object' || value instanceof Uint8Array) return value
  throw new Error('a filter compares with scalars only')
}
