const paragraph =
  'Your order has been packed and handed to the carrier. You can follow it under the number below; ' +
  'it usually arrives within two working days. Reply to this mail if anything is missing.'

const fill = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)

/** The bench's message: 4 KiB of html and text together, as a shop would send it. */
export const htmlPart = `<!doctype html><html><body>${fill(`<p>${paragraph}</p>`, 2_650)}</body></html>`
export const textPart = fill(`${paragraph}\n`, 4_096 - htmlPart.length)

/** Eight digits, so that every message has the same length. */
export const numbered = (number: number): string => String(number).padStart(8, '0')

export const blankNumber = numbered(0)
export const recipient = `user${blankNumber}@bench.example`
export const subject = `Your order ${blankNumber} is on its way`

const lines = (text: string): string => text.replaceAll(/(.{1,76})(\s|$)/g, '$1\r\n')

/** The same message as MIME, for those who take it over SMTP. */
export const mimeMessage = [
  'From: Shop <shop@bench.example>',
  `To: ${recipient}`,
  `Subject: ${subject}`,
  `Message-ID: <${blankNumber}@bench.example>`,
  'Date: Sat, 21 Nov 2026 12:00:00 +0000',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary="b1"',
  '',
  '--b1',
  'Content-Type: text/plain; charset=utf-8',
  '',
  lines(textPart),
  '--b1',
  'Content-Type: text/html; charset=utf-8',
  '',
  lines(htmlPart),
  '--b1--',
  '',
].join('\r\n')
