type Values = Readonly<Record<string, unknown>>

const filledPath = (path: string, values: Values = {}): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])))

const queryText = (query: Values = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/**
 * Returns the address of a request.
 * @param path as in the OpenAPI document, such as `/api/v1/emails/{id}`
 */
export const addressOf = (path: string, parts: { path?: Values; query?: Values } = {}): string =>
  filledPath(path, parts.path) + queryText(parts.query)
