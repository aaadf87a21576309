import type { Socket } from 'node:net'
import type { Load } from './loadTypes.ts'
import { blankNumber, htmlPart, mimeMessage, numbered, recipient, subject, textPart } from './message.ts'

/** One client connection: `send` offers message `number`, `answered` gets its code when the whole answer is there. */
export type Dialogue = {
  begin(socket: Socket, answered: (code: number) => void, ready: () => void): void
  send(number: number): void
}

/** Bytes in which the message's number is written anew for each message, at every place it stands. */
const stencil = (text: string) => {
  const bytes = Buffer.from(text, 'latin1')
  const places: number[] = []
  for (let at = bytes.indexOf(blankNumber); at >= 0; at = bytes.indexOf(blankNumber, at + 1)) places.push(at)
  return (number: number): Buffer => {
    for (const place of places) bytes.write(numbered(number), place, 'latin1')
    return bytes
  }
}

/** Bytes of the first answer in `text`, and its status; null while it isn't whole. */
const httpAnswer = (text: string): { length: number; status: number } | null => {
  const head = text.indexOf('\r\n\r\n')
  if (head < 0) return null
  const status = Number(text.slice(9, 12))
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
  if (length !== undefined) {
    const whole = head + 4 + Number(length)
    return text.length < whole ? null : { length: whole, status }
  }
  // Anything else here is chunked: a last chunk ends it (RFC 9112 §7.1).
  const end = text.indexOf('0\r\n\r\n', head + 4)
  return end < 0 ? null : { length: end + 5, status }
}

/** HTTP/1.1 on a kept connection, by hand: a client library would cost more than what it measures. */
export const httpDialogue = (load: Pick<Load, 'path' | 'authorization' | 'port'>): Dialogue => {
  const body = JSON.stringify({ to: [recipient], subject, html: htmlPart, text: textPart })
  const authorization = load.authorization === undefined ? '' : `Authorization: ${load.authorization}\r\n`
  const message = stencil(
    `POST ${load.path} HTTP/1.1\r\nHost: 127.0.0.1:${load.port}\r\n${authorization}` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  let socket: Socket | undefined
  return {
    begin(opened, answered, ready) {
      socket = opened
      let got = ''
      opened.on('data', (chunk) => {
        got += chunk.toString('latin1')
        const answer = httpAnswer(got)
        if (answer === null) return
        got = got.slice(answer.length)
        answered(answer.status)
      })
      ready()
    },
    send: (number) => socket?.write(message(number)),
  }
}

/** Codes of the whole replies in `text` (RFC 5321 §4.2.1: the last line has a space after the code), and what is left. */
const smtpReplies = (text: string): { codes: number[]; rest: string } => {
  const whole = text.lastIndexOf('\n') + 1
  const lines = text.slice(0, whole).split('\r\n')
  return {
    codes: lines.filter((line) => line[3] === ' ').map((line) => Number(line.slice(0, 3))),
    rest: text.slice(whole),
  }
}

/** SMTP on a kept connection with the commands of a message in one write (RFC 2920). */
export const smtpDialogue = (): Dialogue => {
  const commands = stencil(`MAIL FROM:<shop@bench.example>\r\nRCPT TO:<${recipient}>\r\nDATA\r\n`)
  const message = stencil(`${mimeMessage}.\r\n`)
  let socket: Socket | undefined
  let current = 0
  return {
    begin(opened, answered, ready) {
      socket = opened
      let got = ''
      let seen = 0
      const heard = (code: number) => {
        seen += 1
        if (seen === 1) opened.write('EHLO bench.example\r\n')
        else if (seen === 2) ready()
        else if (code === 354) opened.write(message(current))
        else if ((seen - 2) % 4 === 0) answered(code)
        else if (code >= 400) opened.destroy(new Error(`the server refused a command with ${code}`))
      }
      opened.on('data', (chunk) => {
        const { codes, rest } = smtpReplies(got + chunk.toString('latin1'))
        got = rest
        codes.forEach(heard)
      })
    },
    send(number) {
      current = number
      socket?.write(commands(number))
    },
  }
}
