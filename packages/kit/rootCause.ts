/** Returns the error and every error wrapped in it, outermost first. */
export const layersOf = (thrown: unknown): Error[] => {
  if (!(thrown instanceof Error)) return []
  const more = 'errors' in thrown && Array.isArray(thrown.errors) ? thrown.errors : []
  return [thrown, ...[thrown.cause, ...more].flatMap(layersOf)]
}

/** Returns the root cause: the errors that drivers wrap around it only state that they gave up. */
export const rootCauseOf = (thrown: unknown): unknown => layersOf(thrown).at(-1) ?? thrown

/** Returns the message of the root cause as one line for a log. */
export const reasonOf = (thrown: unknown): string => {
  const rootCause = rootCauseOf(thrown)
  if (!(rootCause instanceof Error)) return String(rootCause)
  const [line = ''] = rootCause.message.split('\n')
  return line || rootCause.name
}
