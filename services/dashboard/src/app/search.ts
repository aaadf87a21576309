/** Returns a value of the URL as text; undefined: it is absent, empty or no text. */
export const optionalText = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Returns the values that are present. A URL without a value has no name for it either. */
export const present = <Values extends object>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>
  }

/** Returns a value of the URL if it is one of these. */
export const oneOf = <Value extends string>(value: unknown, values: readonly Value[]): Value | undefined =>
  values.find((known) => known === value)

/**
 * Returns the path that a login continues with; undefined: there is none, or it leads to another site. Browsers read
 * `//` and `/\` as the beginning of a host.
 */
export const safeNext = (value: unknown): string | undefined => {
  const path = optionalText(value)
  if (path === undefined || !/^\/(?![/\\])/.test(path)) return undefined
  const url = new URL(path, 'http://here')
  const isHome = url.pathname === '/' || url.pathname === '/login'
  return url.host === 'here' && !isHome ? url.pathname + url.search : undefined
}
