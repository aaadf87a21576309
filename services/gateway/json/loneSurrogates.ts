/** Where a parsed value holds half a character, as paths such as `to[0]`. A name that does is told by its object's path. */
export const loneSurrogates = (value: unknown, path = ''): string[] => {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => loneSurrogates(item, `${path}[${index}]`))
  return Object.entries(value).flatMap(([name, item]) =>
    name.isWellFormed() ? loneSurrogates(item, path === '' ? name : `${path}.${name}`) : [path],
  )
}
