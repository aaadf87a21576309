import type { SmtpStep } from '@postrider/domain/email/email.ts'
import type { SmtpReply } from '@postrider/domain/email/transmission.ts'

/** A reply as it arrived. `lines` have no code and no line end; `at` is the `performance.now()` of the last byte. */
export type ReceivedReply = { code: number; lines: string[]; at: number }

/** Maximum number of octets of a line. RFC 5321 §4.5.3.1.5 allows 512; real servers write longer ones. */
const maxLineLength = 4_096
/** Maximum number of octets of all lines of one reply: a server must not fill our memory. */
const maxReplyLength = 32_768

export type ReplyReader = {
  /** @returns why these bytes are not SMTP; null when they are */
  feed(chunk: Buffer, at: number): string | null
  /** Whether a line or a reply has begun and not ended. */
  isUnfinished(): boolean
}

/** Splits a stream of bytes into replies (RFC 5321 §4.2), independent of the network's packets. */
export const replyReader = (onReply: (reply: ReceivedReply) => void): ReplyReader => {
  let pending: Buffer | null = null
  let lines: string[] = []
  let size = 0

  const readLine = (data: Buffer, start: number, lineEnd: number, at: number): string | null => {
    const end = data[lineEnd - 1] === 0x0d && lineEnd > start ? lineEnd - 1 : lineEnd
    size += end - start
    if (end - start > maxLineLength || size > maxReplyLength) return 'its reply is too long'
    const code = codeAt(data, start, end)
    if (code === null) return 'it sent no SMTP reply'
    lines.push(textAt(data, start + 4, end))
    if (end - start > 3 && data[start + 3] === 0x2d) return null
    const reply = { code, lines, at }
    lines = []
    size = 0
    onReply(reply)
    return null
  }

  const feed = (chunk: Buffer, at: number): string | null => {
    const data = pending === null ? chunk : Buffer.concat([pending, chunk])
    pending = null
    let start = 0
    for (let end = data.indexOf(0x0a); end !== -1; end = data.indexOf(0x0a, start)) {
      const fault = readLine(data, start, end, at)
      if (fault !== null) return fault
      start = end + 1
    }
    if (start === data.length) return null
    pending = data.subarray(start)
    return pending.length > maxLineLength ? 'its reply is too long' : null
  }

  return { feed, isUnfinished: () => pending !== null || lines.length > 0 }
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

const notPrintable = /[^\x20-\x7e]/
/** C0, C1 and bidirectional controls, which change what a terminal or a page shows. */
const controls = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Invalid UTF-8 becomes U+FFFD, and controls become question marks. */
const textAt = (data: Buffer, start: number, end: number): string => {
  if (start >= end) return ''
  const text = data.toString('latin1', start, end)
  return notPrintable.test(text) ? data.toString('utf8', start, end).replace(controls, '?') : text
}

/** RFC 2034 §4, RFC 3463 §2: class.subject.detail; the class is the first digit of the reply code. */
const enhancedCode = /^([245])\.(\d{1,3})\.(\d{1,3})(?: |$)/

/** Returns the reply with its enhanced code separated and its lines joined by a space, at most 1,000 characters. */
export const smtpReply = (reply: ReceivedReply): SmtpReply => {
  const match = enhancedCode.exec(reply.lines[0] ?? '')
  const fits = match !== null && Number(match[1]) === Math.floor(reply.code / 100)
  const lines = fits ? reply.lines.map((line) => line.replace(enhancedCode, '')) : reply.lines
  return {
    code: reply.code,
    enhanced: fits ? `${match[1]}.${match[2]}.${match[3]}` : null,
    // The cut may leave half of a character.
    text: lines.join(' ').slice(0, 1_000).toWellFormed(),
  }
}

/** Returns the lines of a reply as the server wrote them. */
export const replyText = ({ code, lines }: ReceivedReply): string =>
  lines.length === 1
    ? `${code} ${lines[0]}`
    : lines.map((line, number) => `${code}${number < lines.length - 1 ? '-' : ' '}${line}`).join('\n')

/** Maximum number of characters of a command or a reply in a step. */
const maxStepTextLength = 1_000

const clip = (text: string): string =>
  text.length > maxStepTextLength ? `${text.slice(0, maxStepTextLength).toWellFormed()}…` : text

/**
 * Returns one exchange for people to read.
 * @param reply undefined when none arrived
 * @param since `performance.now()` of when the command was written
 */
export const smtpStep = (name: string, command: string, reply: ReceivedReply | undefined, since: number): SmtpStep => ({
  name,
  command: clip(command),
  reply: reply === undefined ? '' : clip(replyText(reply)),
  duration_ms: Math.round(((reply?.at ?? performance.now()) - since) * 100) / 100,
})
