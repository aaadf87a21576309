/** Where a parsed value holds half a character, as a path such as `to[0]`; null: nowhere. */
export const loneSurrogate = (value: unknown, path = ''): string | null => {
  if (typeof value === 'string') return value.isWellFormed() ? null : path
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) return firstOf(value.map((item, index) => () => loneSurrogate(item, `${path}[${index}]`)))
  return firstOf(
    Object.entries(value).map(([name, item]) => () => {
      const here = path === '' ? name : `${path}.${name}`
      return name.isWellFormed() ? loneSurrogate(item, here) : path
    }),
  )
}

const firstOf = (checks: (() => string | null)[]): string | null => {
  for (const check of checks) {
    const found = check()
    if (found !== null) return found
  }
  return null
}
