import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { numbers } from '../faults/random.ts'
import { rawMail, type Tenant } from '../support/client.ts'
import type { EmailRecord } from '../support/records.ts'
import { until } from '../support/until.ts'
import { serviceNames } from './member.ts'
import { useCluster } from './shared.ts'

/** Kubernetes gives 30 s before it kills; a process must be gone 5 s earlier. */
const graceMs = 25_000
const clients = 6

type Sent = { id: string; testId: string }

/** Sends one mail after the other until told to stop, half of the clients with a key. What isn't accepted is told to `failed`. */
const load = (tenant: Tenant, failed: string[]) => {
  const sent: Sent[] = []
  let stopped = false
  const sendOne = async (headers: Record<string, string>): Promise<void> => {
    const testId = randomUUID()
    const answer = await tenant.send(rawMail({ headers: { 'X-Test-Id': testId } }), headers)
    if (answer.status === 202) sent.push({ id: answer.body.id, testId })
    else failed.push(`${answer.status} ${answer.text}`)
  }
  const client = async (withKeys: boolean) => {
    while (!stopped) {
      await sendOne(withKeys ? { 'idempotency-key': randomUUID() } : {}).catch((reason) => failed.push(String(reason)))
    }
  }
  const running = Array.from({ length: clients }, (_, number) => client(number % 2 === 0))
  const stop = async (): Promise<Sent[]> => {
    stopped = true
    await Promise.all(running)
    return sent
  }
  return { stop }
}

describe('a cluster whose processes are restarted one after the other, under load (I25)', () => {
  const system = useCluster()

  it('no request fails, each process ends with 0 in time, each mail arrives once', async function () {
    this.timeout(numbers(180_000, 600_000))
    const { cluster, client, sink } = system()
    const tenant = await client.tenant()
    const before = sink.messages.length
    const failed: string[] = []
    const running = load(tenant, failed)
    for (const service of serviceNames) {
      for (const member of cluster.of(service).slice(0, numbers(1, 4))) {
        const name = `${service} ${member.number}`
        const since = performance.now()
        assert.equal(await member.stop(), 0, `${name}: ${member.output().slice(-2_000)}`)
        const tookMs = performance.now() - since
        assert.ok(tookMs < graceMs, `${name} took ${tookMs} ms`)
        await member.start()
      }
    }
    const sent = await running.stop()
    assert.deepEqual(failed, [])

    const emails: EmailRecord[] = []
    for (const { id } of sent) emails.push(await tenant.until(id, ({ status }) => status === 'delivered', 30_000))
    const marked = emails.filter(({ attempts }) => attempts?.some((one) => one.possible_duplicate))
    assert.deepEqual(
      marked.map(({ id }) => id),
      [],
    )
    const testIdOf = (raw: Buffer) => /^X-Test-Id: *(\S+)/im.exec(raw.toString('latin1', 0, 2_000))?.[1] ?? ''
    const arrived = sink.messages.slice(before).map(({ raw }) => testIdOf(raw))
    assert.deepEqual(arrived.sort(), sent.map(({ testId }) => testId).sort())
    assert.ok(sent.length > 100, `only ${sent.length} were sent`)
  })
})
