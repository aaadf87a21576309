import assert from 'node:assert/strict'
import { config, testGateway } from '../testGateway.ts'

const path = '/api/v1/operator/health'
const headers = { authorization: `Bearer ${config.operatorToken}` }

describe('GET /operator/health', () => {
  it('lists the parts, and what does not work', async () => {
    const states = { process: 'ok', 'postrider.accounts.v1.Accounts': 'ok', 'postrider.quota.v1.Quota': 'no answer' }
    await using gateway = await testGateway({ health: async () => states })
    const { status, body } = await gateway.call({ path, headers })
    assert.equal(status, 200)
    assert.deepEqual(body, {
      object: 'health',
      status: 'failing',
      parts: [
        { name: 'process', status: 'ok', detail: null },
        { name: 'accounts', status: 'ok', detail: null },
        { name: 'quota', status: 'failing', detail: 'no answer' },
      ],
    })
  })

  it('knows the process alone without more', async () => {
    await using gateway = await testGateway({})
    const { body } = await gateway.call({ path, headers })
    assert.deepEqual(body, {
      object: 'health',
      status: 'ok',
      parts: [{ name: 'process', status: 'ok', detail: null }],
    })
  })
})
