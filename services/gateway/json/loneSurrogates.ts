import type { Problem } from '@postrider/kit/fault.ts'

/** Where a parsed value holds half a character, as paths such as `to[0]`. A name that does is told by its object's path. */
const placesOf = (value: unknown, path = ''): string[] => {
  if (typeof value === 'string') return value.isWellFormed() ? [] : [path]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item, index) => placesOf(item, `${path}[${index}]`))
  return Object.entries(value).flatMap(([name, item]) =>
    name.isWellFormed() ? placesOf(item, path === '' ? name : `${path}.${name}`) : [path],
  )
}

/** Valid UTF-8 has no half characters: only a `\u` escape can make one, and no message may carry it on. */
export const loneSurrogates = (body: unknown): Problem[] =>
  isWhole(body)
    ? []
    : placesOf(body).map((path) => ({
        path,
        code: 'lone_surrogate',
        message: 'A \\u escape here stands for half a character (a lone surrogate).',
      }))

/** The question every body is asked, without making a path. */
const isWhole = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWhole)
  return Object.entries(value).every(([name, item]) => name.isWellFormed() && isWhole(item))
}
