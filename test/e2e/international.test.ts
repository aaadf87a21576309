import assert from 'node:assert/strict'
import { fresh, rawMail } from '../support/client.ts'
import { assertSmtpSafe } from '../support/receivedMessage.ts'
import { useSystem } from '../support/suite.ts'

describe('address outside ASCII, and a server without SMTPUTF8', () => {
  const system = useSystem()

  it('bounces as 5.6.7, and the other recipients get the mail', async () => {
    const tenant = await system().client.tenant()
    const [ascii, wide] = [fresh(), `用户-${fresh()}`]
    const sent = await tenant.send(rawMail({ to: [`李雷 <${wide}>`, ascii] }))
    assert.equal(sent.status, 202, sent.text)
    const received = await system().receiver.waitFor(ascii)
    assertSmtpSafe(received.raw)
    assert.deepEqual(received.to, [ascii])
    assert.deepEqual(received.mail.to?.[0], { name: `李雷 <${wide}>`, group: [] })
    const { recipients } = await tenant.until(sent.body.id, ({ recipients: all }) =>
      all.every(({ next_at }) => next_at === null),
    )
    const [first, second] = recipients
    assert.deepEqual([first?.status, first?.address, second?.status], ['bounced', wide, 'delivered'])
    assert.match(first?.reply ?? '', /^553 5\.6\.7 /)
  })
})
