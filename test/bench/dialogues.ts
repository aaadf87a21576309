import type { Socket } from 'node:net'

/** Target of the load generator. */
export type Target = {
  protocol: 'http' | 'smtp'
  port: number
  /** HTTP only. */
  path?: string
  authorization?: string
}

const paragraph =
  'Your order has been packed and handed to the carrier. You can follow it under the number below; ' +
  'it usually arrives within two working days. Reply to this mail if anything is missing.'

const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

// The message of the bench: 4 KiB of html and text together, as a shop would send it.
export const html = `<!doctype html><html><body>${fill(`<p>${paragraph}</p>`, 2_650)}</body></html>`
export const text = fill(`${paragraph}\n`, 4_096 - html.length)

/** Eight digits, so that all messages have the same length. */
const numbered = (number: number): string => String(number).padStart(8, '0')

const placeholder = numbered(0)
const recipient = `user${placeholder}@bench.example`
const subject = `Your order ${placeholder} is on its way`

const wrapped = (long: string): string => long.replaceAll(/(.{1,76})(\s|$)/g, '$1\r\n')

/** MIME form of the message. */
const mimeMessage = [
  'From: Shop <shop@bench.example>',
  `To: ${recipient}`,
  `Subject: ${subject}`,
  `Message-ID: <${placeholder}@bench.example>`,
  'Date: Sat, 21 Nov 2026 12:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary="b1"',
  '',
  '--b1',
  'Content-Type: text/plain; charset=utf-8',
  '',
  wrapped(text),
  '--b1',
  'Content-Type: text/html; charset=utf-8',
  '',
  wrapped(html),
  '--b1--',
  '',
].join('\r\n')

/** One client connection: `send` sends message `number`; `answered` gets the status code of each complete response. */
export type Dialogue = {
  begin(socket: Socket, answered: (code: number) => void, ready: () => void): void
  send(number: number): void
}

/** Returns a function that writes a message's number over each placeholder of one buffer and returns the buffer. */
const stencil = (template: string) => {
  const bytes = Buffer.from(template, 'latin1')
  const offsets: number[] = []
  for (let at = bytes.indexOf(placeholder); at >= 0; at = bytes.indexOf(placeholder, at + 1)) offsets.push(at)
  return (number: number): Buffer => {
    for (const offset of offsets) bytes.write(numbered(number), offset, 'latin1')
    return bytes
  }
}

/** Returns the length and status of the first response in `received`, or null while it is incomplete. */
const httpResponse = (received: string): { length: number; status: number } | null => {
  const head = received.indexOf('\r\n\r\n')
  if (head < 0) return null
  const status = Number(received.slice(9, 12))
  const bodyLength = /\r\ncontent-length: *(\d+)/i.exec(received)?.[1]
  if (bodyLength !== undefined) {
    const length = head + 4 + Number(bodyLength)
    return received.length < length ? null : { length, status }
  }
  // Other responses here are chunked and end with a last chunk (RFC 9112 §7.1).
  const end = received.indexOf('0\r\n\r\n', head + 4)
  return end < 0 ? null : { length: end + 5, status }
}

/** HTTP/1.1 on a kept-alive connection, without a client library: it would use more CPU than what it measures. */
export const httpDialogue = (target: Target): Dialogue => {
  const body = JSON.stringify({ to: [recipient], subject, html, text })
  const authorization = target.authorization === undefined ? '' : `Authorization: ${target.authorization}\r\n`
  const message = stencil(
    `POST ${target.path} HTTP/1.1\r\nHost: 127.0.0.1:${target.port}\r\n${authorization}` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  let socket: Socket | undefined
  return {
    begin(opened, answered, ready) {
      socket = opened
      let received = ''
      opened.on('data', (chunk) => {
        received += chunk.toString('latin1')
        const response = httpResponse(received)
        if (response === null) return
        received = received.slice(response.length)
        answered(response.status)
      })
      ready()
    },
    send: (number) => socket?.write(message(number)),
  }
}

/**
 * Returns the codes of the complete replies (RFC 5321 §4.2.1: the last line has a space after the code) and the rest.
 */
const smtpReplies = (received: string): { codes: number[]; rest: string } => {
  const end = received.lastIndexOf('\n') + 1
  const lines = received.slice(0, end).split('\r\n')
  return {
    codes: lines.filter((line) => line[3] === ' ').map((line) => Number(line.slice(0, 3))),
    rest: received.slice(end),
  }
}

/** SMTP on a kept-alive connection, with the commands of a message in one write (RFC 2920). */
export const smtpDialogue = (): Dialogue => {
  const commands = stencil(`MAIL FROM:<shop@bench.example>\r\nRCPT TO:<${recipient}>\r\nDATA\r\n`)
  const message = stencil(`${mimeMessage}.\r\n`)
  let socket: Socket | undefined
  let current = 0
  return {
    begin(opened, answered, ready) {
      socket = opened
      let received = ''
      let replies = 0
      const onReply = (code: number) => {
        replies += 1
        if (replies === 1) opened.write('EHLO bench.example\r\n')
        else if (replies === 2) ready()
        else if (code === 354) opened.write(message(current))
        else if ((replies - 2) % 4 === 0) answered(code)
        else if (code >= 400) opened.destroy(new Error(`the server refused a command with ${code}`))
      }
      opened.on('data', (chunk) => {
        const { codes, rest } = smtpReplies(received + chunk.toString('latin1'))
        received = rest
        codes.forEach(onReply)
      })
    },
    send(number) {
      current = number
      socket?.write(commands(number))
    },
  }
}
