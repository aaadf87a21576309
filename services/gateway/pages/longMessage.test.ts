import assert from 'node:assert/strict'
import { clientThread } from '../../../test/support/clientThread.ts'
import { assertIterationsBelow } from '../../../test/support/cost.ts'
import { aPerson, testGateway } from '../testGateway.ts'

const captured = {
  id: 'att_1',
  workspace: 'ws_1',
  emailId: 'em_1',
  from: 'a@example.com',
  to: ['b@example.com'],
  subject: 's',
  at: Date.parse('2026-01-01T00:00:00.000Z'),
  mode: 'live' as const,
}

describe('page of a captured message', () => {
  // The whole text was escaped in one step, which took 0.4 s.
  for (const [name, text] of [
    ['markup', '<'.repeat(2 ** 21)],
    ['quotes and letters', '"é'.repeat(2 ** 20)],
  ] as const)
    it(`does not block the process for a message of 2 MiB of ${name}`, async () => {
      await using client = clientThread()
      await using gateway = await testGateway({
        accounts: {
          AuthenticateSession: async () => ({
            token: '',
            csrf_token: 'c',
            email: 'a@example.com',
            caller: aPerson(),
          }),
        },
        intake: { GetCaptured: async () => ({ captured, html: text, text, raw: Buffer.alloc(0), attachments: [] }) },
      })
      const headers = { cookie: 'sid=owner', accept: 'text/html' }
      const call = { port: gateway.port, method: 'GET', path: '/mailbox/att_1', headers, body: null }
      await assertIterationsBelow(50, async () => assert.equal((await client.call([call]))[0]?.status, 200))
    })
})
