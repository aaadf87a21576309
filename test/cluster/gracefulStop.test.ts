import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { numbers } from '../faults/random.ts'
import { rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import type { Cluster } from './cluster.ts'
import { serviceNames } from './member.ts'
import { useCluster } from './shared.ts'

/** Kubernetes gives 30 s before it kills; a process must be gone 5 s earlier. */
const graceMs = 25_000
const clients = 4
/** Of each service, as far as it has so many. */
const restarts = numbers(1, 4)

type Sent = { id: string; testId: string }

/**
 * Sends one mail after the other until told to stop. A gateway may close a connection at the very moment a client uses it
 * again: then there is no answer, and whoever has a key repeats the request.
 */
const load = (tenant: Tenant) => {
  const accepted: Sent[] = []
  /** Ids of requests. */
  const refused: string[] = []
  /** Of mails that were asked for without a key. */
  const unanswered: string[] = []
  let repeated = 0
  let stopped = false
  const sendOne = async (headers: Record<string, string>): Promise<void> => {
    const testId = randomUUID()
    const mail = rawMail({ headers: { 'X-Test-Id': testId } })
    for (;;) {
      const answer = await tenant.send(mail, headers).catch(() => null)
      if (answer?.status === 202) accepted.push({ id: answer.body.id, testId })
      else if (answer) refused.push(String(answer.headers['x-request-id']))
      else if (!headers['idempotency-key']) unanswered.push(testId)
      if (answer || !headers['idempotency-key']) return
      repeated++
    }
  }
  const client = async (withKeys: boolean) => {
    while (!stopped) await sendOne(withKeys ? { 'idempotency-key': randomUUID() } : {})
  }
  const running = Array.from({ length: clients }, (_, number) => client(number % 2 === 0))
  const stop = async () => {
    stopped = true
    await Promise.all(running)
    return { accepted, refused, unanswered, repeated }
  }
  return { stop }
}

/** What the gateways logged of a request that failed. */
const logged = (cluster: Cluster) => (requestId: string) => {
  const lines = cluster.of('gateway').flatMap(({ output }) => output().split('\n'))
  return lines.filter((line) => line.includes(requestId)).join('\n')
}

describe('a cluster whose processes are restarted one after the other, under load (I25)', () => {
  const system = useCluster()

  it('no request is refused, each process ends with 0 in time, each mail arrives once', async function () {
    this.timeout(numbers(180_000, 600_000))
    const { cluster, client, sink } = system()
    const tenant = await client.tenant()
    const before = sink.messages.length
    const running = load(tenant)
    for (const service of serviceNames) {
      for (const member of cluster.of(service).slice(0, restarts)) {
        const name = `${service} ${member.number}`
        const since = performance.now()
        assert.equal(await member.stop(), 0, `${name}: ${member.output().slice(-2_000)}`)
        const tookMs = performance.now() - since
        assert.ok(tookMs < graceMs, `${name} took ${tookMs} ms`)
        await member.start()
      }
    }
    const { accepted, refused, unanswered, repeated } = await running.stop()
    assert.deepEqual(refused.map(logged(cluster)), [])
    const lost = unanswered.length + repeated
    assert.ok(lost <= clients * restarts, `${lost} requests found no answer`)

    const emails: EmailRecord[] = []
    for (const { id } of accepted) emails.push(await tenant.until(id, ({ status }) => status === 'delivered', 30_000))
    const marked = emails.filter(({ attempts }) => attempts?.some((one) => one.possible_duplicate))
    assert.deepEqual(
      marked.map(({ id }) => id),
      [],
    )
    const testIdOf = (raw: Buffer) => /^X-Test-Id: *(\S+)/im.exec(raw.toString('latin1', 0, 2_000))?.[1] ?? ''
    const arrived = sink.messages.slice(before).map(({ raw }) => testIdOf(raw))
    assert.equal(new Set(arrived).size, arrived.length)
    const expected = accepted.map(({ testId }) => testId)
    assert.deepEqual(arrived.filter((one) => !unanswered.includes(one)).sort(), expected.sort())
    assert.ok(accepted.length > 100, `only ${accepted.length} were sent`)
  })
})
