import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { assertProblem } from '../support/assertProblem.ts'
import { answered, fresh, rawMail, type Tenant } from '../support/client.ts'
import { assertSmtpSafe } from '../support/receivedMessage.ts'
import { useSystem } from '../support/suite.ts'

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64')

/** Returns bytes with every value in an irregular order, which no text encoding preserves. */
const allBytes = (length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  for (let i = 0; i < length; i++) bytes[i] = (i * 167 + (i >> 8)) & 0xff
  return bytes
}

const digest = (bytes: string | ArrayBuffer | Uint8Array): string =>
  createHash('sha256')
    .update(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes)
    .digest('hex')

describe('attachments', () => {
  const system = useSystem()
  let tenant: Tenant
  before(async () => {
    tenant = await system().client.tenant()
  })

  const deliver = async (attachments: unknown[], over: Record<string, unknown> = {}) => {
    const to = fresh()
    const response = await tenant.send(rawMail({ to: [to], attachments, ...over }))
    assert.equal(response.status, 202, response.text)
    const received = await system().receiver.waitFor(to)
    assertSmtpSafe(received.raw)
    return received.mail
  }

  it('delivers an attachment unchanged with its name and type', async () => {
    const content = allBytes(300_001)
    const [attachment] = (await deliver([{ filename: 'data.bin', content: base64(content) }])).attachments
    assert.equal(attachment?.filename, 'data.bin')
    assert.equal(attachment.mimeType, 'application/octet-stream')
    assert.equal(attachment.disposition, 'attachment')
    assert.equal(digest(attachment.content), digest(content))
  })

  it('delivers the content type of the request and names that are not ASCII', async () => {
    const mail = await deliver([
      { filename: 'Rechnung für 花子.pdf', content: base64('%PDF-1.7'), content_type: 'application/pdf' },
      { filename: 'notes.txt', content: base64('ümlaut'), content_type: 'text/plain; charset=utf-8' },
    ])
    assert.deepEqual(
      mail.attachments.map((one) => [one.filename, one.mimeType]),
      [
        ['Rechnung für 花子.pdf', 'application/pdf'],
        ['notes.txt', 'text/plain'],
      ],
    )
  })

  it('delivers an inline image that the HTML refers to by content id', async () => {
    const mail = await deliver(
      [{ filename: 'logo.png', content: base64(allBytes(500)), content_type: 'image/png', content_id: 'logo' }],
      { html: '<img src="cid:logo">' },
    )
    const [image] = mail.attachments
    assert.deepEqual([image?.contentId, image?.disposition, image?.related], ['<logo>', 'inline', true])
    assert.match(mail.html ?? '', /cid:logo/)
  })

  it('delivers an empty attachment and one of 5 MiB', async () => {
    const big = allBytes(5 * 1024 * 1024)
    const mail = await deliver([
      { filename: 'empty.txt', content: '' },
      { filename: 'big.bin', content: base64(big) },
    ])
    const [empty, large] = mail.attachments
    assert.equal(digest(empty?.content ?? 'x'), digest(''))
    assert.equal(digest(large?.content ?? ''), digest(big))
  })

  it('refuses eleven attachments, and a message over 10 MiB', async () => {
    const eleven = Array.from({ length: 11 }, (_, i) => ({ filename: `${i}.txt`, content: base64('x') }))
    assertProblem(await tenant.send(rawMail({ attachments: eleven })), 422, 'validation_failed', [
      { path: 'attachments' },
    ])
    const huge = [{ filename: 'huge.bin', content: base64(Buffer.alloc(10 * 1024 * 1024)) }]
    const response = await answered(() => tenant.send(rawMail({ attachments: huge })))
    assert.ok([413, 422].includes(response.status), response.text)
  })

  for (const filename of ['run.exe', 'RUN.BAT', 'a.pdf.scr', 'script.js'])
    it(`refuses an executable attachment: ${filename}`, async () => {
      const response = await tenant.send(rawMail({ attachments: [{ filename, content: base64('MZ') }] }))
      assertProblem(response, 422, 'validation_failed', [{ path: 'attachments[0].filename' }])
    })
})
