import assert from 'node:assert/strict'
import { messageId } from './messageId.ts'

describe('messageId', () => {
  it('is made of the email’s id and the sender’s domain', () => {
    assert.equal(
      messageId('em_01h455vb4pex5vsknk084sn02q', 'example.com'),
      '<em_01h455vb4pex5vsknk084sn02q@example.com>',
    )
  })
})
