/** One of the tags of an email. Its name contains no colon. */
export type Tag = { name: string; value: string }

/** Returns a tag as filters and statistics show it. */
export const tagText = ({ name, value }: Tag): string => `${name}:${value}`

/** Reads a tag that has the form `name:value`. */
export const parseTag = (text: string): Tag => {
  const colon = text.indexOf(':')
  return { name: text.slice(0, colon), value: text.slice(colon + 1) }
}
