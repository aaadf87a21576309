import assert from 'node:assert/strict'
import { type Fakes, refusing, testGateway } from '../testGateway.ts'

describe('client address', () => {
  const addressOf = async (trustedProxies: string[], forwardedFor: string): Promise<string> => {
    let seen = ''
    const accounts: NonNullable<Fakes['accounts']> = {
      SignUp: async ({ client_address }) => {
        seen = client_address ?? ''
        return refusing('conflict', 'Known.')()
      },
    }
    await using gateway = await testGateway({ accounts, config: { trustedProxies } })
    const json = { email: 'a@b.example', password: 'correct horse', workspace_name: 'w' }
    await gateway.call({ path: '/api/v1/auth/signup', json, headers: { 'x-forwarded-for': forwardedFor } })
    return seen
  }

  it('is a forwarded address only behind a trusted proxy, and then the last untrusted one', async () => {
    assert.equal(await addressOf([], '198.51.100.7'), '127.0.0.1')
    assert.equal(await addressOf(['10.0.0.0/8'], '198.51.100.7'), '127.0.0.1')
    assert.equal(await addressOf(['127.0.0.0/8'], '198.51.100.7'), '198.51.100.7')
    assert.equal(await addressOf(['127.0.0.1', '10.0.0.0/8'], '1.2.3.4, 198.51.100.7:443, 10.1.2.3'), '198.51.100.7')
    assert.equal(await addressOf(['127.0.0.1'], '[2001:db8::1]:80'), '2001:db8::1')
    assert.equal(await addressOf(['127.0.0.1'], 'nonsense'), '127.0.0.1')
  })
})
