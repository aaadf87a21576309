import assert from 'node:assert/strict'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { ownService } from '../support/ownService.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { needsOwnProcess } from '../support/suite.ts'

describe('address outside ASCII, and a server with SMTPUTF8', () => {
  needsOwnProcess()
  const stack = new AsyncDisposableStack()
  let receiver: Receiver
  let tenant: Tenant

  before(async () => {
    receiver = stack.use(await startReceiver({ smtpUtf8: true }))
    const env = { POSTRIDER_ROUTE: receiver.route, POSTRIDER_REFUSED_HEADERS: 'X-Relay-, x_pool' }
    tenant = await stack.use(await ownService(env)).client.tenant()
  })
  after(() => stack.disposeAsync())

  it('gets the mail with its address in UTF-8', async () => {
    const [ascii, wide] = [fresh(), `用户-${fresh()}`]
    const sent = await tenant.send(rawMail({ to: [wide], cc: [ascii], reply_to: 'jörg@example.com' }))
    assert.equal(sent.status, 202, sent.text)
    const { mail, raw } = await receiver.waitFor(wide)
    assert.deepEqual(mail.to, [{ name: '', address: wide }])
    assert.deepEqual(mail.replyTo, [{ name: '', address: 'jörg@example.com' }])
    assert.ok(raw.includes(`To: ${wide}\r\n`))
    assert.deepEqual((await receiver.waitFor(ascii)).mail.replyTo, [{ name: '', address: 'jörg@example.com' }])
  })

  it('finds the mail by the address', async () => {
    const wide = `Jos\u0065\u0301-${fresh()}`
    const { id } = (await tenant.send(rawMail({ to: [wide] }))).body
    const { data } = await tenant.list(`?to=${encodeURIComponent(wide.normalize('NFC'))}`)
    assert.deepEqual(
      data.map((one) => one.id),
      [id],
    )
  })

  it('refuses the headers of POSTRIDER_REFUSED_HEADERS', async () => {
    const refused = await tenant.send(rawMail({ headers: { 'X-Relay_Route': 'a', 'X-Pool': 'b', 'X-Other': 'c' } }))
    assert.equal(refused.status, 422)
    assert.match(refused.text, /headers\.X-Relay_Route.*headers\.X-Pool/)
    assert.doesNotMatch(refused.text, /X-Other/)
  })
})
