import type { Steps } from '@postrider/mail/steps.ts'

/** Characters of a text that are written between two pauses, and the length above which a text is long. */
const writtenAtOnce = 65_536

/** Whether a value is an object with a long text, such as a template with its bodies. */
export const hasLongText = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).some(isLongText)

const isLongText = (value: unknown): value is string => typeof value === 'string' && value.length > writtenAtOnce

/** Returns an object as `JSON.stringify` writes it, in UTF-8, and pauses in long texts. */
export function* jsonSteps(value: Record<string, unknown>): Steps<Buffer> {
  const pieces: Buffer[] = []
  const add = (text: string): void => void pieces.push(Buffer.from(text))
  let separator = '{'
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue
    add(`${separator}${JSON.stringify(name)}:`)
    separator = ','
    if (!isLongText(item)) add(JSON.stringify(item))
    else {
      add('"')
      for (let [from, end] = [0, 0]; from < item.length; from = end) {
        end = endOfPiece(item, from)
        add(JSON.stringify(item.slice(from, end)).slice(1, -1))
        yield
      }
      add('"')
    }
  }
  add(separator === '{' ? '{}' : '}')
  return Buffer.concat(pieces)
}

/** Both units of a character outside the basic plane stay in one piece: alone each would be written as an escape. */
const endOfPiece = (text: string, from: number): number => {
  const end = Math.min(from + writtenAtOnce, text.length)
  const isInside = end < text.length && (text.charCodeAt(end - 1) & 0xfc00) === 0xd800
  return isInside ? end - 1 : end
}
