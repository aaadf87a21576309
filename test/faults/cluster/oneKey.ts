import assert from 'node:assert/strict'
import { numbers } from '../random.ts'
import type { ClusterRig } from './clusterRig.ts'

const keys = numbers(20, 200)
const atOnce = 100

/** One effect per key (I5). */
export const oneKey = (rig: () => ClusterRig): void => {
  it(`${atOnce} identical requests at once, of ${keys} keys, over two gateways: one email each`, async function () {
    this.timeout(numbers(60_000, 900_000))
    const round = await rig().round('onekey')
    for (let number = 0; number < keys; number++) {
      const mail = round.mail()
      const statuses = await Promise.all(Array.from({ length: atOnce }, () => round.ask(mail, mail.metadata.test_id)))
      assert.ok(statuses.includes(202))
      assert.deepEqual(
        statuses.filter((status) => status !== 202 && status !== 409),
        [],
      )
    }
    const answers = round.journal.entries().filter((entry) => entry.event === 'answered')
    const refusals = new Set(answers.flatMap(({ status, code }) => (status === 409 ? [code] : [])))
    assert.deepEqual([...refusals], ['idempotency_in_flight'])
    const asked = round.journal.asked()
    assert.equal(asked.length, keys)
    for (const { answers: all } of asked) {
      const ids = all.flatMap(({ status, emailId }) => (status === 202 ? [emailId] : []))
      assert.equal(new Set(ids).size, 1)
    }
  })
}
