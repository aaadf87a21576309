import assert from 'node:assert/strict'
import type { Content } from '@postrider/domain/email/email.ts'
import { packContent, piecesOf, roughBytes, unpackContent } from './contentPieces.ts'

const attachment = (bytes: number, name = 'ü.bin') => ({
  filename: name,
  contentType: 'application/octet-stream',
  contentId: null,
  content: Uint8Array.from({ length: bytes }, (_, index) => index % 251),
})

const content: Content = {
  html: '<p>Grüße 👋</p>'.repeat(100),
  text: null,
  headers: { 'X-$One.Two': '1' },
  attachments: [attachment(9 * 2 ** 20), attachment(0), attachment(8 * 2 ** 20)],
}

describe('contents in pieces', () => {
  it('a content comes back whole from pieces of 8 MiB', () => {
    const pieces = piecesOf(packContent(content))
    assert.deepEqual(
      pieces.map(({ byteLength }) => byteLength <= 8 * 2 ** 20),
      [true, true, true],
    )
    assert.deepEqual(unpackContent(pieces), content)
  })

  it('a content without attachments too', () => {
    const plain = { ...content, attachments: [] }
    assert.deepEqual(unpackContent(piecesOf(packContent(plain))), plain)
  })

  it('the rough size is never less than the bytes', () => {
    const { html, attachments } = content
    const bytes = Buffer.byteLength(html ?? '') + attachments.reduce((sum, one) => sum + one.content.byteLength, 0)
    assert.ok(roughBytes(content) >= bytes)
  })
})
