import assert from 'node:assert/strict'
import { anEmail, aRecipient } from '../../../test/support/anEmail.ts'
import { recipientGroups, testTransportOf, transportOf } from './recipientGroups.ts'

describe('transports of recipients', () => {
  const addresses = ['ada@example.com', 'bounced@simulator.postrider.dev', 'jürgen@example.com', 'bob@example.com']
  const recipients = addresses.map((address) => aRecipient({ address }))

  it('are the route of the operator, apart for addresses that need SMTPUTF8, and the simulator', () => {
    const email = anEmail({ mode: 'live', recipients })
    assert.deepEqual(recipientGroups(email, [0, 1, 2, 3]), [
      { transport: 'live', reason: 'operator_route', numbers: [0, 3] },
      { transport: 'live', reason: 'operator_route', numbers: [2] },
      { transport: 'simulator', reason: 'magic_recipient', numbers: [1] },
    ])
  })

  it('are the route of test mail for an email of a test key', () => {
    const email = anEmail({ mode: 'test', recipients })
    assert.deepEqual(recipientGroups(email, [3, 1]), [
      { transport: 'test', reason: 'test_mode', numbers: [3] },
      { transport: 'simulator', reason: 'magic_recipient', numbers: [1] },
    ])
  })

  it('are inside of the service for test mail', () => {
    assert.equal(testTransportOf({ kind: 'mailbox' }), 'live')
    assert.equal(testTransportOf({ kind: 'smtp' }), 'simulator')
  })

  it('are the same for one address', () => {
    assert.deepEqual(transportOf('live', 'ada@example.com'), { transport: 'live', reason: 'operator_route' })
    assert.deepEqual(transportOf('test', 'ada@example.com'), { transport: 'test', reason: 'test_mode' })
    assert.deepEqual(transportOf('live', 'bounced@simulator.postrider.dev'), {
      transport: 'simulator',
      reason: 'magic_recipient',
    })
  })

  it('are none for no recipients', () => assert.deepEqual(recipientGroups(anEmail({ recipients }), []), []))
})
