import { encodeWord } from 'nodemailer/lib/mime-funcs'

/** RFC 5322 §2.1.1: a line is to have at most 78 characters and must have at most 998, without its CRLF. */
const goodLine = 76
export const longestLine = 998

/** RFC 2047 §2: an encoded word has at most 75 characters; shorter ones leave room for the field's name beside the first. */
const encodedWordLength = 52

const printable = /^[ -~]*$/
/** Atoms with single spaces between them: a phrase that needs no quotes (RFC 5322 §3.2.5). */
const plainPhrase = /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/

/** Whatever the caller let through, no line break and no control character leaves within a field. */
const tame = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').toWellFormed()

/** Half of what a receiver could take for an encoded word is enough to encode the text, so that it arrives literally. */
const asksForEncoding = (text: string): boolean => !printable.test(text) || text.includes('=?')

/** RFC 2047 §4: Q where most of the text stays readable in it, else B; in as many words as it takes. */
const encodedWords = (text: string): string[] => {
  const readable = text.length - text.replace(/[A-Za-z0-9 ]/g, '').length
  return encodeWord(text, readable * 2 > text.length ? 'Q' : 'B', encodedWordLength).split(' ')
}

/** The tokens a text can be folded between; each but the first begins with the white space it is folded before. */
const tokensOf = (text: string): string[] => text.match(/(?:^| +)[^ ]*/g) ?? []

/**
 * A field's lines, folded before white space so that unfolding gives the value back (RFC 5322 §2.2.3). The first token
 * stays beside the name, but for an encoded word: the line of one has at most 76 characters (RFC 2047 §2).
 */
const fold = (name: string, tokens: readonly string[]): string => {
  const lines: string[] = []
  let line = `${name}:`
  for (const [index, token] of tokens.entries()) {
    const next = index === 0 ? ` ${token}` : token
    if (line.length + next.length > goodLine && (index > 0 || token.startsWith('=?'))) {
      lines.push(line)
      line = next
    } else line += next
  }
  lines.push(line)
  return `${lines.join('\r\n')}\r\n`
}

/** Whether the text would come back the same from a plain field: white space at its ends belongs to nobody. */
const survives = (text: string): boolean => !text.startsWith(' ') && !text.endsWith(' ')

/** An unstructured field such as Subject, readable at the receiver as exactly this text. Ends with CRLF. */
export const textField = (name: string, value: string): string => {
  const text = tame(value)
  if (!asksForEncoding(text) && survives(text)) {
    if (name.length + text.length + 2 <= goodLine) return `${name}: ${text}\r\n`
    const folded = fold(name, tokensOf(text))
    if (folded.split('\r\n').every((line) => line.length <= longestLine)) return folded
  }
  return fold(name, spaced(encodedWords(text)))
}

const spaced = (words: readonly string[]): string[] => words.map((word, index) => (index === 0 ? word : ` ${word}`))

/** A field of parts that may be folded between, such as addresses after their comma. Ends with CRLF. */
export const listField = (name: string, parts: readonly string[]): string => fold(name, spaced(parts))

/** A display name as it stands before an angle bracket, in words that may be folded between. */
export const phrase = (value: string): string[] => {
  const text = tame(value)
  if (asksForEncoding(text)) return encodedWords(text)
  return [plainPhrase.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`]
}
