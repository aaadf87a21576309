import assert from 'node:assert/strict'
import { aPerson, aWorkspace, testGateway } from './testGateway.ts'

const headers = { cookie: '__Host-sid=token', 'x-csrf-token': 't' }
const path = '/api/v1/workspace'

/** Sends a spending cap. Returns the response, and what the accounts and quota services got. */
const change = async (cap: unknown) => {
  const stored: unknown[] = []
  await using gateway = await testGateway({
    config: { secureCookies: true },
    accounts: {
      AuthenticateSession: async () => ({ token: '', csrf_token: 't', email: 'e', caller: aPerson() }),
      UpdateWorkspace: async ({ spending_cap_usd, clear_spending_cap }) => {
        stored.push(clear_spending_cap ? null : spending_cap_usd)
        return { ...aWorkspace, ...(spending_cap_usd !== undefined && { spending_cap_usd }) }
      },
    },
    quota: {
      SetLimits: async ({ spending_cap_cents: cents }) => {
        stored.push(cents)
        return { monthly: 'plan', daily: 'plan', plan: '', spending_cap_cents: cents ?? null }
      },
    },
  })
  const response = await gateway.call({ method: 'PATCH', path, headers, json: { spending_cap_usd: cap } })
  return { response, stored }
}

describe('spending cap of a workspace', () => {
  const accepted: [given: unknown, amount: number | null, shown: string | null, cents: number | null][] = [
    ['25.00', 25, '25.00', 2_500],
    ['25', 25, '25.00', 2_500],
    ['12.3', 12.3, '12.30', 1_230],
    // The last release accepted numbers only.
    [12.34, 12.34, '12.34', 1_234],
    [0, 0, '0.00', 0],
    [null, null, null, null],
  ]
  for (const [given, amount, shown, cents] of accepted) {
    it(`accepts ${JSON.stringify(given)} and returns ${JSON.stringify(shown)}`, async () => {
      const { response, stored } = await change(given)
      assert.equal(response.status, 200, response.text)
      assert.deepEqual(stored, [amount, cents])
      assert.equal(response.body['spending_cap_usd'], shown)
    })
  }

  for (const given of ['', 'none', '1.005', '-1', '1e3', '1,50', '$5', ' 5', true, ['5'], {}]) {
    it(`refuses ${JSON.stringify(given)}`, async () => {
      const { response, stored } = await change(given)
      assert.equal(response.status, 422, response.text)
      assert.equal(response.body.errors?.[0]?.path, 'spending_cap_usd')
      assert.match(response.body.detail ?? '', /"25\.00"/)
      assert.deepEqual(stored, [])
    })
  }
})
