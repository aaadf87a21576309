import type { SmtpReply } from '@postrider/domain/email/transmission.ts'

/** A reply as it came: `lines` without code and line end; `at` is the `performance.now()` of its last byte. */
export type Reply = { code: number; lines: string[]; at: number }

/** RFC 5321 §4.5.3.1.5 allows 512 octets a line; real servers write longer ones. */
const longestLine = 4_096
/** Octets of all lines of one reply: a server must not fill our memory. */
const longestReply = 32_768

export type ReplyReader = {
  /** @returns what makes these bytes no SMTP; null: all is well */
  feed(chunk: Buffer, at: number): string | null
  /** Whether an unfinished line or reply is held. */
  unfinished(): boolean
}

/** Cuts a stream of bytes into replies (RFC 5321 §4.2), however the network cut it. */
export const replyReader = (onReply: (reply: Reply) => void): ReplyReader => {
  let rest: Buffer | null = null
  let lines: string[] = []
  let size = 0

  const takeLine = (data: Buffer, start: number, lineEnd: number, at: number): string | null => {
    const end = data[lineEnd - 1] === 0x0d && lineEnd > start ? lineEnd - 1 : lineEnd
    size += end - start
    if (end - start > longestLine || size > longestReply) return 'it sent a reply without end'
    const code = codeAt(data, start, end)
    if (code === null) return 'it sent something that is no SMTP reply'
    lines.push(textAt(data, start + 4, end))
    if (end - start > 3 && data[start + 3] === 0x2d) return null
    const reply = { code, lines, at }
    lines = []
    size = 0
    onReply(reply)
    return null
  }

  const feed = (chunk: Buffer, at: number): string | null => {
    const data = rest === null ? chunk : Buffer.concat([rest, chunk])
    rest = null
    let start = 0
    for (let end = data.indexOf(0x0a); end !== -1; end = data.indexOf(0x0a, start)) {
      const fault = takeLine(data, start, end, at)
      if (fault !== null) return fault
      start = end + 1
    }
    if (start === data.length) return null
    rest = data.subarray(start)
    return rest.length > longestLine ? 'it sent a reply without end' : null
  }

  return { feed, unfinished: () => rest !== null || lines.length > 0 }
}

/** RFC 5321 §4.2: three digits, the first 2 to 5, then a space, a hyphen or the end of the line. */
const codeAt = (data: Buffer, start: number, end: number): number | null => {
  if (end - start < 3) return null
  const first = (data[start] ?? 0) - 0x30
  const second = (data[start + 1] ?? 0) - 0x30
  const third = (data[start + 2] ?? 0) - 0x30
  if (first < 2 || first > 5 || second < 0 || second > 9 || third < 0 || third > 9) return null
  const after = data[start + 3]
  if (end - start > 3 && after !== 0x20 && after !== 0x2d) return null
  return first * 100 + second * 10 + third
}

const notPlain = /[^\x20-\x7e]/
/** C0, C1 and bidirectional controls: they change what a terminal or a page shows. */
const controls = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Bytes that are no UTF-8 become U+FFFD, controls a question mark. */
const textAt = (data: Buffer, start: number, end: number): string => {
  if (start >= end) return ''
  const text = data.toString('latin1', start, end)
  return notPlain.test(text) ? data.toString('utf8', start, end).replace(controls, '?') : text
}

/** RFC 2034 §4, RFC 3463 §2: class.subject.detail, where the class is the reply code's first digit. */
const enhancedCode = /^([245])\.(\d{1,3})\.(\d{1,3})(?: |$)/

/** The reply as the rest of the house reads it: the enhanced code apart, lines joined by a space, at most 1,000 characters. */
export const smtpReply = (reply: Reply): SmtpReply => {
  const match = enhancedCode.exec(reply.lines[0] ?? '')
  const fits = match !== null && Number(match[1]) === Math.floor(reply.code / 100)
  const lines = fits ? reply.lines.map((line) => line.replace(enhancedCode, '')) : reply.lines
  return {
    code: reply.code,
    enhanced: fits ? `${match[1]}.${match[2]}.${match[3]}` : null,
    text: lines.join(' ').slice(0, 1_000),
  }
}

/** The reply's lines as the server wrote them. */
export const replyText = ({ code, lines }: Reply): string =>
  lines.length === 1
    ? `${code} ${lines[0]}`
    : lines.map((line, number) => `${code}${number < lines.length - 1 ? '-' : ' '}${line}`).join('\n')
