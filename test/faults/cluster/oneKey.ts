import assert from 'node:assert/strict'
import { until } from '../../support/until.ts'
import { shortOrLong } from '../random.ts'
import type { ClusterRig } from './clusterRig.ts'

const keys = shortOrLong(20, 200)
const atOnce = 100

/** Repeats requests with the same key at the same time (I5). */
export const oneKey = (rig: () => ClusterRig): void => {
  it(`creates one email for ${atOnce} concurrent requests with each of ${keys} keys at two gateways`, async function () {
    this.timeout(shortOrLong(300_000, 900_000))
    const round = await rig().round('onekey')
    for (let number = 0; number < keys; number++) {
      const mail = round.mail()
      const sendAll = () =>
        Promise.all(Array.from({ length: atOnce }, () => round.sendOnce(mail, mail.metadata.test_id)))
      // On a busy machine a request can exceed its deadline: 503. If the only accepted one did, the key remains in
      // flight.
      await until('the key has its email', async () => {
        const statuses = await sendAll()
        assert.deepEqual(new Set(statuses).difference(new Set([202, 409, 503])), new Set())
        return statuses.includes(202) || undefined
      })
    }
    const responses = round.journal.entries().filter((entry) => entry.event === 'answered')
    const refusals = new Set(responses.flatMap(({ status, code }) => (status === 409 ? [code] : [])))
    assert.deepEqual([...refusals], ['idempotency_in_flight'])
    const requests = round.journal.requests()
    assert.equal(requests.length, keys)
    for (const { answers: all } of requests) {
      const ids = all.flatMap(({ status, emailId }) => (status === 202 ? [emailId] : []))
      assert.equal(new Set(ids).size, 1)
    }
  })
}
