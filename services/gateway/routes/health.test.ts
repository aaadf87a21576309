import assert from 'node:assert/strict'
import { config, testGateway } from '../testGateway.ts'

const path = '/api/v1/operator/health'
const headers = { authorization: `Bearer ${config.operatorToken}` }

const counting = (transactional: number, marketing = transactional) => ({
  CountDispatchers: async () => ({
    lanes: [
      { lane: 'transactional', dispatchers: transactional },
      { lane: 'marketing', dispatchers: marketing },
    ],
  }),
})

const working = (name: string) => ({ name, status: 'ok', processes: null, detail: null })

describe('GET /operator/health', () => {
  it('lists the parts, and what does not work', async () => {
    const states = { process: 'ok', 'postrider.accounts.v1.Accounts': 'ok', 'postrider.quota.v1.Quota': 'no response' }
    await using gateway = await testGateway({ health: async () => states, intake: counting(3) })
    const { status, body } = await gateway.call({ path, headers })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      object: 'health',
      status: 'failing',
      parts: [
        working('process'),
        working('accounts'),
        { ...working('quota'), status: 'failing', detail: 'no response' },
        { ...working('dispatcher'), processes: 3 },
      ],
    })
  })

  it('reports only the process and its dispatcher without a state of peers', async () => {
    await using gateway = await testGateway({ intake: counting(1) })
    const { body } = await gateway.call({ path, headers })
    const parts = [working('process'), { ...working('dispatcher'), processes: 1 }]
    assert.deepEqual(body, { object: 'health', status: 'ok', parts })
  })

  const failing = [
    [counting(0), 0, /^No dispatcher consumes a lane/],
    [counting(2, 0), 2, /^No dispatcher consumes the lane marketing/],
    [{ CountDispatchers: async () => ({ lanes: [] }) }, null, /^Kafka returned no count/],
    [{ CountDispatchers: async () => Promise.reject(new Error('unavailable')) }, null, /^Intake returned no count/],
  ] as const
  for (const [intake, processes, detail] of failing)
    it(`fails if it has to report: ${detail.source.slice(1)}`, async () => {
      await using gateway = await testGateway({ intake })
      const { status, body } = await gateway.call({ path, headers })
      assert.deepEqual([status, body['status']], [200, 'failing'])
      const dispatcher = (body['parts'] as { name: string; processes: number; detail: string }[]).at(-1)
      assert.deepEqual([dispatcher?.name, dispatcher?.processes], ['dispatcher', processes])
      assert.match(dispatcher?.detail ?? '', detail)
    })
})
