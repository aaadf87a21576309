/** The error with what was wrapped in it, outermost first. */
export const layersOf = (thrown: unknown): Error[] => {
  if (!(thrown instanceof Error)) return []
  const more = 'errors' in thrown && Array.isArray(thrown.errors) ? thrown.errors : []
  return [thrown, ...[thrown.cause, ...more].flatMap(layersOf)]
}

/** @returns what it came from: clients' own errors around it only say that they tried */
export const originOf = (thrown: unknown): unknown => layersOf(thrown).at(-1) ?? thrown

/** @returns why, in one line for a log: the origin's message alone */
export const reasonOf = (thrown: unknown): string => {
  const origin = originOf(thrown)
  if (!(origin instanceof Error)) return String(origin)
  const [line = ''] = origin.message.split('\n')
  return line || origin.name
}
