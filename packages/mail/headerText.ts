/** RFC 5322 §2.1.1: without its CRLF a line should have at most 78 and must have at most 998 characters. */
const preferredLine = 76
const maxLineLength = 998

/**
 * Characters of the text inside an encoded word. RFC 2047 §2: the whole word has at most 75 characters, of which 12 are
 * for its charset and encoding; shorter words leave space for the field name on the first line.
 */
const encodedTextLength = 40

const printable = /^[ -~]*$/
/** Atoms separated by single spaces: a phrase that needs no quotes (RFC 5322 §3.2.5). */
const plainPhrase = /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/

/** Replaces line breaks and control characters, in case a caller did not refuse them. */
const withoutControls = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').toWellFormed()

/** A text that contains the start of an encoded word is encoded too, so that the receiver shows it literally. */
const needsEncoding = (text: string): boolean => !printable.test(text) || text.includes('=?')

/** RFC 2047 §4: encodes with Q if most of the text stays readable, else with B. */
const encodedWords = (text: string): string[] => {
  const readable = text.length - text.replace(/[A-Za-z0-9 ]/g, '').length
  if (readable * 2 > text.length) {
    const characters = Array.from(text, inQ)
    // As release 0.1 wrote it: a message that is composed once more has the same bytes.
    if (text.endsWith(' ')) characters.splice(-1, 1, escaped(' ', '='))
    return divided(characters, encodedTextLength).map((word) => `=?UTF-8?Q?${word}?=`)
  }
  const words = divided([...text], (encodedTextLength / 4) * 3)
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word, 'utf8').toString('base64')}?=`)
}

/** RFC 2047 §4, §5 (3): the characters that may stay in every field, `_` for a space, and the bytes of all others. */
const inQ = (character: string): string => {
  if (character === ' ') return '_'
  return /^[A-Za-z0-9!*+/-]$/.test(character) ? character : escaped(character, '=')
}

/** Returns the bytes of a text, each as `sign` and two hexadecimal digits. */
const escaped = (text: string, sign: '=' | '%'): string =>
  [...Buffer.from(text, 'utf8')].map((byte) => `${sign}${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** Joins characters to words of at most `maxBytes`: an encoded word contains whole characters (RFC 2047 §5). */
const divided = (characters: readonly string[], maxBytes: number): string[] => {
  const words = ['']
  let length = 0
  for (const character of characters) {
    const bytes = Buffer.byteLength(character)
    if (length + bytes > maxBytes) {
      words.push('')
      length = 0
    }
    words[words.length - 1] += character
    length += bytes
  }
  return words
}

/** Splits a text into tokens between which it can be folded. Each token but the first starts with white space. */
const tokensOf = (text: string): string[] => text.match(/(?:^| +)[^ ]*/g) ?? []

/**
 * Folds a field before white space, so that unfolding returns the value (RFC 5322 §2.2.3). The first token stays on the
 * line of the name, unless it is an encoded word: a line with an encoded word has at most 76 characters (RFC 2047 §2).
 */
const fold = (name: string, tokens: readonly string[]): string => {
  const lines: string[] = []
  let line = `${name}:`
  for (const [index, token] of tokens.entries()) {
    const next = index === 0 ? ` ${token}` : token
    if (line.length + next.length > preferredLine && (index > 0 || token.startsWith('=?'))) {
      lines.push(line)
      line = next
    } else line += next
  }
  lines.push(line)
  return `${lines.join('\r\n')}\r\n`
}

/** Whether a receiver reads the text unchanged from a plain field: white space at its ends would be lost. */
const survives = (text: string): boolean => !text.startsWith(' ') && !text.endsWith(' ')

/** Writes an unstructured field such as Subject; the receiver decodes exactly this text. Ends with CRLF. */
export const textField = (name: string, value: string): string => {
  const text = withoutControls(value)
  if (!needsEncoding(text) && survives(text)) {
    if (name.length + text.length + 2 <= preferredLine) return `${name}: ${text}\r\n`
    const folded = fold(name, tokensOf(text))
    if (folded.split('\r\n').every((line) => line.length <= maxLineLength)) return folded
  }
  return fold(name, spaced(encodedWords(text)))
}

const spaced = (words: readonly string[]): string[] => words.map((word, index) => (index === 0 ? word : ` ${word}`))

/** Writes a field that may be folded between its parts, such as addresses with their commas. Ends with CRLF. */
export const listField = (name: string, parts: readonly string[]): string => fold(name, spaced(parts))

/** Writes a display name as words between which the field may be folded. */
export const phrase = (value: string): string[] => {
  const text = withoutControls(value)
  if (needsEncoding(text)) return encodedWords(text)
  return [plainPhrase.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`]
}

/** A file name that every parser reads from a quoted string: no sign that ends or divides a parameter. */
const plainFilename = /^(?! )[\w !#$&()+,./@[\]^`{}~-]+(?<! )$/
/** RFC 2231 §7: other bytes are percent-encoded. */
const attributeChar = /^[\w!#$&+.^`{}|~-]$/
/** Longest value of a parameter; longer values are divided (RFC 2231 §3). */
const parameterLength = 60

const percentEncoded = (character: string): string =>
  attributeChar.test(character) ? character : escaped(character, '%')

/**
 * Writes Content-Disposition with a file name; ends with CRLF. A name that is long or has signs of the grammar is
 * divided between characters and percent-encoded (RFC 2231 §3, §4): several parsers remove spaces at the ends of quoted
 * segments.
 */
export const dispositionField = (disposition: 'attachment' | 'inline', filename: string): string => {
  const text = withoutControls(filename)
  if (text.length <= parameterLength && plainFilename.test(text))
    return listField('Content-Disposition', [`${disposition};`, `filename="${text}"`])
  const segments = ["utf-8''"]
  for (const character of text) {
    const encoded = percentEncoded(character)
    const last = segments.at(-1) ?? ''
    if (last.length + encoded.length > parameterLength) segments.push(encoded)
    else segments[segments.length - 1] = last + encoded
  }
  const parameters = segments.map((segment, number) => {
    const name = segments.length === 1 ? 'filename*' : `filename*${number}*`
    return `${name}=${segment}${number < segments.length - 1 ? ';' : ''}`
  })
  return listField('Content-Disposition', [`${disposition};`, ...parameters])
}
