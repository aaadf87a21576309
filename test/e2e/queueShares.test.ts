import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { rawMail, type Tenant } from '../support/client.ts'
import type { HttpResponse } from '../support/http.ts'
import { ownService } from '../support/ownService.ts'
import { needsOwnProcess } from '../support/suite.ts'

const bounds = {
  POSTRIDER_MAX_QUEUED: '20',
  POSTRIDER_MAX_SCHEDULED: '20',
  POSTRIDER_MAX_TEST_QUEUED: '20',
  POSTRIDER_MAX_TEST_QUEUED_MIB: '2',
}

describe('shares of the queue', () => {
  needsOwnProcess()

  type Send = (tenant: Tenant) => Promise<HttpResponse<unknown>>
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const scheduled = (over: Record<string, unknown> = {}) => rawMail({ scheduled_at: inDays(29), ...over })
  const testKeys = new Map<Tenant, Awaited<ReturnType<Tenant['makeKey']>>>()
  const withTestKey = async (tenant: Tenant, json: Record<string, unknown>): Promise<HttpResponse<unknown>> => {
    const key = testKeys.get(tenant) ?? (await tenant.makeKey({ name: 'test', mode: 'test' }))
    testKeys.set(tenant, key)
    return key.call({ path: '/api/v1/emails', json })
  }

  const floods: [name: string, send: Send, max: number][] = [
    ['live mail scheduled far ahead', (tenant) => tenant.send(scheduled()), 10],
    ['test mail scheduled far ahead', (tenant) => withTestKey(tenant, scheduled()), 10],
    ['large test mail', (tenant) => withTestKey(tenant, scheduled({ text: 'x'.repeat(300_000) })), 5],
  ]
  for (const [name, flood, max] of floods) {
    it(`${name} of several workspaces is limited for each and refuses no other mail`, async function floodSuite() {
      await using system = await ownService(bounds)
      for (let workspaces = 0; workspaces < 4; workspaces++) {
        const bad = await system.client.tenant()
        const responses = await Promise.all(Array.from({ length: 25 }, () => flood(bad)))
        const accepted = responses.filter(({ status }) => status === 202).length
        assert.ok(accepted >= 1 && accepted <= max, `${accepted} accepted`)
        const refused = responses.filter(({ status }) => status !== 202)
        for (const response of refused) {
          // Later workspaces may also find the whole bound used up.
          const isShare = workspaces === 0 || response.status === 429
          const problem = assertProblem(response, isShare ? 429 : 503, isShare ? 'rate_limited' : 'unavailable')
          assert.match(problem.detail, /his workspace (?:has reached its limit|already uses its share)/)
          assert.ok(Number(response.headers['retry-after']) >= 1)
        }
      }
      const good = await system.client.tenant()
      for (const response of [
        await good.send(rawMail()),
        await good.send(rawMail({ scheduled_at: 'PT2H' })),
        await withTestKey(good, rawMail()),
        await withTestKey(good, rawMail({ scheduled_at: 'PT2H' })),
      ])
        assert.equal(response.status, 202, response.text)
    })
  }
})
