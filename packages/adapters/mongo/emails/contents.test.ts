import assert from 'node:assert/strict'
import type { Content } from '@postrider/domain/email/email.ts'
import { packContent, piecesOf, roughBytes, unpackContent } from './contents.ts'

/** No two bytes next to each other are equal, and pieces of 8 MiB do not begin alike. */
const pattern = Uint8Array.from({ length: 251 }, (_, index) => index)

const attachment = (bytes: number, name = 'ü.bin') => ({
  filename: name,
  contentType: 'application/octet-stream',
  contentId: null,
  content: new Uint8Array(Buffer.alloc(bytes, pattern)),
})

const content: Content = {
  html: '<p>Grüße 👋</p>'.repeat(100),
  text: null,
  headers: { 'X-$One.Two': '1' },
  attachments: [attachment(9 * 2 ** 20), attachment(0), attachment(8 * 2 ** 20)],
}

describe('packed content', () => {
  it('survives being split into pieces of 8 MiB', () => {
    const pieces = piecesOf(packContent(content))
    assert.deepEqual(
      pieces.map(({ byteLength }) => byteLength <= 8 * 2 ** 20),
      [true, true, true],
    )
    assert.deepEqual(unpackContent(pieces), content)
  })

  it('survives without attachments', () => {
    const plain = { ...content, attachments: [] }
    assert.deepEqual(unpackContent(piecesOf(packContent(plain))), plain)
  })

  it('is never larger than the rough size', () => {
    const { html, attachments } = content
    const bytes = Buffer.byteLength(html ?? '') + attachments.reduce((sum, one) => sum + one.content.byteLength, 0)
    assert.ok(roughBytes(content) >= bytes)
  })
})
