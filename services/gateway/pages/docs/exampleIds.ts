import { type Listed, successOf } from './apiDocument.ts'

/** Returns the id in an example: that of a record, of what it is about (`user_id`: its `user`), or of the first one of a list. */
const idOf = (example: unknown, name: string): string | null => {
  if (typeof example !== 'object' || example === null) return null
  const { id, data, [name.replace(/_id$/, '')]: subject } = example as Record<string, unknown>
  if (typeof id === 'string') return id
  return Array.isArray(data) ? idOf(data[0], name) : idOf(subject, name)
}

/**
 * Returns paths with the ids of the examples in place of their parameters, so that a request can be sent as it is shown. The id
 * is that of the operation's own example, of the record at the path, or of the list above it.
 */
export const exampleIds = (all: readonly Listed[]): ((listed: Listed) => string) => {
  const exampleAt = (path: string, name: string): string | null => {
    const found = all
      .filter((one) => one.path === path)
      .map(({ operation }) => idOf(successOf(operation)?.example, name))
    return found.find((id) => id !== null) ?? null
  }
  return ({ path }) =>
    path.replaceAll(/\{(\w+)\}/g, (parameter, name, at: number) => {
      if (name === 'version') return '1'
      return (
        exampleAt(path.slice(0, at + parameter.length), name) ?? exampleAt(path.slice(0, at - 1), name) ?? parameter
      )
    })
}
