import assert from 'node:assert/strict'
import type { IntakeRpc, QuotaRpc } from '@postrider/contracts/services.ts'
import { accountsWire, intakeWire, quotaWire, templatesWire, type Wire } from '@postrider/contracts/wire.ts'
import { Fault, type FaultCode, faultCodes } from '@postrider/kit/fault.ts'
import fc from 'fast-check'
import { clientOf, forms, only, served } from './grpc.ts'
import { examples } from './messages.ts'

type Message = Record<string, unknown>
type AnyService = Record<string, (request: Message) => Promise<Message>>

const wires = [accountsWire, templatesWire, quotaWire, intakeWire] as unknown as Wire<AnyService>[]

/** The same with plain prototypes, where what came over a wire has none, and with its fields in one order. */
const plain = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return value.map(plain)
  const fields = Object.entries(value).map(([name, part]): [string, unknown] => [name, plain(part)])
  return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Passes many calls through at once, so that those that may travel together do. */
const atOnce = 8

const thrown = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    await work
  } catch (reason) {
    return reason
  }
  throw new Error('nothing was thrown')
}

const reserve = { workspace: 'ws', id: 'em', count: 1, at: '2026-01-01T00:00:00.000Z' }

for (const { form, gather } of forms) {
  describe(`the wire, calls ${form}`, () => {
    for (const wire of wires) {
      it(`changes nothing of what ${wire.name} is asked and answers`, async () => {
        const seen: unknown[] = []
        let replies: Message[] = []
        const answer = async (request: Message): Promise<Message> => {
          seen.push(request)
          return replies.shift() ?? {}
        }
        const implementation = Object.fromEntries(Object.keys(wire.methods).map((name) => [name, answer]))
        await using server = await served({ wire, implementation })
        await using client = clientOf(wire, server.address, { gather })
        for (const { method, request, reply } of examples(wire)) {
          const call = client.service[method]
          assert.ok(call)
          const pairs = fc.array(fc.tuple(request, reply), { minLength: atOnce, maxLength: atOnce })
          await fc.assert(
            fc.asyncProperty(pairs, async (given) => {
              seen.length = 0
              replies = given.map(([, expected]) => expected)
              const got = await Promise.all(given.map(([asked]) => call(asked)))
              // One by one, calls may come in another order than they were made in.
              assert.deepEqual(sorted(seen), sorted(given.map(([asked]) => asked)))
              assert.deepEqual(sorted(got), sorted(given.map(([, expected]) => expected)))
            }),
            { numRuns: 12 },
          )
        }
      })
    }

    it('brings every fault whole, but for its cause', async () => {
      const problems = [{ path: 'to[3]', code: 'invalid', message: 'Kein gültiges „Wort“.' }]
      const headers = { 'Quota-Remaining': '0' }
      const [secret, detail] = [new Error('mongodb://root:secret@db'), 'Nein: ü\n😀']
      const Reserve = async ({ id }: { id: string }): Promise<never> => {
        throw new Fault(id as FaultCode, detail, { problems, headers, retryAfterMs: 1_234, cause: secret })
      }
      await using server = await served({
        wire: quotaWire,
        implementation: only<QuotaRpc>({ ...stubs(quotaWire), Reserve }),
      })
      await using client = clientOf(quotaWire, server.address, { gather })
      const faults = await Promise.all(faultCodes.map((id) => thrown(client.service.Reserve({ ...reserve, id }))))
      for (const [index, fault] of faults.entries()) {
        assert.ok(fault instanceof Fault)
        const { code, message, retryAfterMs } = fault
        assert.deepEqual(
          { code, message, retryAfterMs, problems: fault.problems, headers: fault.headers },
          { code: faultCodes[index], message: detail, retryAfterMs: 1_234, problems, headers },
        )
        assert.equal(fault.cause, undefined)
      }
      assert.match(server.lines.join(''), /mongodb:/)
    })

    it('brings a fault with more problems than fit, with as many as do', async () => {
      const problems = Array.from({ length: 5_000 }, (_, at) => ({
        path: `to[${at}]`,
        code: 'x',
        message: 'é'.repeat(40),
      }))
      const Reserve = async (): Promise<never> => {
        throw new Fault('validation_failed', 'to[0]: é', { problems, headers: { Allow: 'GET' } })
      }
      await using server = await served({
        wire: quotaWire,
        implementation: only<QuotaRpc>({ ...stubs(quotaWire), Reserve }),
      })
      await using client = clientOf(quotaWire, server.address, { gather })
      const fault = await thrown(client.service.Reserve(reserve))
      assert.ok(fault instanceof Fault)
      assert.equal(fault.code, 'validation_failed')
      assert.deepEqual(fault.headers, { Allow: 'GET' })
      assert.ok(fault.problems.length > 100)
      assert.deepEqual(fault.problems, problems.slice(0, fault.problems.length))
    })

    it('shows nothing of an error that is no fault; the log has it', async () => {
      const Reserve = async (): Promise<never> => {
        throw Object.assign(new Error('secret inside'), { code: 14, details: 'secret details' })
      }
      await using server = await served({
        wire: quotaWire,
        implementation: only<QuotaRpc>({ ...stubs(quotaWire), Reserve }),
      })
      await using client = clientOf(quotaWire, server.address, { gather })
      const errors = await Promise.all([1, 2].map(() => thrown(client.service.Reserve(reserve))))
      for (const error of errors) {
        assert.ok(error instanceof Error && !(error instanceof Fault))
        assert.match(error.message, /Quota\/Reserve: INTERNAL/)
        assert.doesNotMatch(`${error.message} ${error.stack} ${error.cause}`, /secret/)
      }
      assert.match(server.lines.join(''), /secret inside/)
    })

    it('ends a call that hangs at its deadline, and those that came with it are answered in their time', async () => {
      const wire: Wire<QuotaRpc> = {
        ...quotaWire,
        methods: { ...quotaWire.methods, Reserve: { deadlineMs: 1_000, repeatable: true } },
      }
      const Reserve = () => new Promise<never>(() => {})
      await using server = await served({
        wire,
        implementation: only<QuotaRpc>({ ...stubs(quotaWire), Reserve, Commit: async () => ({}) }),
      })
      const client = clientOf(wire, server.address, { gather })
      const since = performance.now()
      const hanging = thrown(client.service.Reserve(reserve))
      const commits = [1, 2].map(() => client.service.Commit({ ...reserve, token: 't' }))
      await Promise.all(commits)
      assert.ok(performance.now() - since < 900)
      const fault = await hanging
      assert.ok(fault instanceof Fault)
      assert.deepEqual([fault.code, fault.retryAfterMs], ['unavailable', 2_000])
      assert.ok(performance.now() - since >= 990)
      await client[Symbol.asyncDispose]()
    })

    it('carries messages of every size up to the service’s own, and refuses what is larger', async () => {
      const GetRaw = async ({ id }: { id: string }) => ({ raw: Buffer.alloc(Number(id), 7) })
      await using server = await served({
        wire: intakeWire,
        implementation: only<IntakeRpc>({ ...stubs(intakeWire), GetRaw }),
      })
      await using client = clientOf(intakeWire, server.address, { gather })
      const sizes = [0, 1, 65_536, 1_048_576, 40 * 2 ** 20]
      const got = await Promise.all(sizes.map((size) => client.service.GetRaw(rawOf(size))))
      assert.deepEqual(
        got.map(({ raw }) => raw.length),
        sizes,
      )
      const [refused, taken] = await Promise.all([
        thrown(client.service.GetRaw(rawOf(70 * 2 ** 20))),
        client.service.GetRaw(rawOf(10)),
      ])
      assert.ok(refused instanceof Fault)
      assert.equal(refused.code, 'unavailable')
      assert.equal(taken.raw.length, 10)
    })
  })
}

describe('the readiness of a peer', () => {
  // It said it was ready, took the place of one that worked, and answered everything with 500.
  it('is none for who has another token', async () => {
    await using server = await served({ wire: quotaWire, implementation: stubs(quotaWire) })
    await using client = clientOf(quotaWire, server.address)
    await using stranger = clientOf(quotaWire, server.address, { token: 'a token that nobody else knows at all' })
    assert.deepEqual([await client.ready(), await stranger.ready()], [true, false])
  })
})

describe('the wire token', () => {
  const old = 'the token that every process shows today'
  const next = 'the token that takes its place next'
  // docs/operations.md, "Secrets": each value is rolled out before the next one is set.
  const values = [[old], [old, next], [next, old], [next]] as const

  for (const [step, before] of values.slice(0, -1).entries()) {
    it(`is changed with no call refused: step ${step + 1}, old pods and new ones side by side`, async () => {
      const both = [before, values[step + 1] ?? before].map(([token, ...alsoTaken]) => ({ token, alsoTaken }))
      for (const security of both) {
        await using server = await served({ wire: quotaWire, implementation: stubs(quotaWire) }, security)
        for (const { token } of both) {
          await using client = clientOf(quotaWire, server.address, { token })
          assert.equal(await client.ready(), true)
          await client.service.GetLimits({ workspace: 'ws' })
        }
      }
    })
  }
})

const rawOf = (size: number) => ({ id: String(size), reader: { workspace: 'ws', mode: '', sent_by: '', actor: '' } })

const stubs = <S>({ methods }: Wire<S>): S =>
  Object.fromEntries(Object.keys(methods).map((name) => [name, async () => ({})])) as S

const sorted = (messages: readonly unknown[]): unknown[] =>
  messages.map(plain).toSorted((one, other) => (fc.stringify(one) < fc.stringify(other) ? -1 : 1))
