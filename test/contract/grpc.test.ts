import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import {
  accountsSpec,
  domainsSpec,
  type IntakeRpc,
  intakeSpec,
  type QuotaRpc,
  quotaSpec,
  type ServiceSpec,
  templatesSpec,
  webhooksSpec,
} from '@postrider/contracts/services.ts'
import { Fault, type FaultCode, faultCodes } from '@postrider/kit/fault.ts'
import { methodsOf } from '@postrider/kit/grpc/definition.ts'
import fc from 'fast-check'
import { tcpProxy } from '../support/tcpProxy.ts'
import { clientOf, forms, only, patient, served } from './grpc.ts'
import { examples } from './messages.ts'

type Message = Record<string, unknown>
type AnyService = Record<string, (request: Message) => Promise<Message>>

const specs = [
  accountsSpec,
  templatesSpec,
  quotaSpec,
  intakeSpec,
  domainsSpec,
  webhooksSpec,
] as unknown as ServiceSpec<AnyService>[]

/** Each service with generators of its messages. Tests share them, because each call compiles the codecs again. */
const services = specs.map((spec) => ({ spec, methods: examples(spec) }))

/** Returns the value with plain prototypes, which decoded messages do not have, and its fields in one order. */
const plain = (value: unknown): unknown => {
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return value.map(plain)
  const fields = Object.entries(value).map(([name, part]): [string, unknown] => [name, plain(part)])
  return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Returns a service whose other methods are never called. */
const withAll = (some: IntakeRpc): IntakeRpc =>
  new Proxy(some, { get: (methods, name) => Reflect.get(methods, name) ?? (() => assert.fail(String(name))) })

/** Calls made at the same time, so that they can form a batch. */
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

describe('encoding of gRPC messages', () => {
  for (const { spec, methods } of services)
    it(`equals that of @grpc/proto-loader for every method of ${spec.name}`, () => {
      const own = new Map(methodsOf(spec).map((method) => [method.name, method]))
      for (const { method, types, request, reply } of methods) {
        const { path, ...codecs } = own.get(method) ?? assert.fail(method)
        assert.equal(path, `/${spec.name}/${method}`)
        const both = [
          { codec: codecs.request, type: types.requestType, messages: request },
          { codec: codecs.reply, type: types.responseType, messages: reply },
        ]
        for (const { codec, type, messages } of both)
          fc.assert(
            fc.property(messages, (message) => {
              const bytes = type.serialize(message)
              assert.deepEqual(codec.encode(message), bytes)
              assert.deepEqual(codec.decode(bytes), type.deserialize(bytes))
            }),
            { numRuns: 20 },
          )
      }
      assert.equal(own.size, methods.length)
    })
})

for (const { form, batch } of forms) {
  /** Long enough for two calls on a busy machine. */
  const hangsForMs = 2_000

  describe(`gRPC client and server, calls ${form}`, () => {
    it('cancels a call at the server when its signal is aborted, and no other call of that turn', async () => {
      const started = Promise.withResolvers<AbortSignal | undefined>()
      const ended = Promise.withResolvers<void>()
      const implementation = only<IntakeRpc>({
        ListEmails: async (_request, signal) => {
          signal?.addEventListener('abort', () => ended.resolve())
          started.resolve(signal)
          await ended.promise
          return { records_json: [], last_id: '', has_more: false }
        },
        GetEmail: async () => {
          await ended.promise
          return { record_json: '{}' }
        },
      })
      await using server = await served({ spec: intakeSpec, implementation: withAll(implementation) })
      await using client = clientOf(patient(intakeSpec), server.address, { batch })
      const caller = new AbortController()
      const list = thrown(client.service.ListEmails({ reader: null, limit: 1, before: '' } as never, caller.signal))
      const other = client.service.GetEmail({ reader: null, id: 'em_1' } as never)
      assert.equal((await started.promise)?.aborted, false)
      caller.abort()
      await ended.promise
      assert.ok((await list) instanceof Fault)
      assert.deepEqual(plain(await other), { record_json: '{}' })
    })

    for (const { spec, methods } of services) {
      it(`passes requests and replies of ${spec.name} unchanged`, async () => {
        const seen: unknown[] = []
        let replies: Message[] = []
        const answer = async (request: Message): Promise<Message> => {
          seen.push(request)
          return replies.shift() ?? {}
        }
        const implementation = Object.fromEntries(Object.keys(spec.methods).map((name) => [name, answer]))
        await using server = await served({ spec, implementation })
        await using client = clientOf(patient(spec), server.address, { batch })
        for (const { method, request, reply } of methods) {
          const call = client.service[method]
          assert.ok(call)
          const pairs = fc.array(fc.tuple(request, reply), { minLength: atOnce, maxLength: atOnce })
          await fc.assert(
            fc.asyncProperty(pairs, async (examplePairs) => {
              const requests = examplePairs.map(([sent]) => sent)
              const expected = examplePairs.map(([, returned]) => returned)
              seen.length = 0
              replies = [...expected]
              const got = await Promise.all(requests.map((sent) => call(sent)))
              assertSameMessages(seen, requests)
              assertSameMessages(got, expected)
            }),
            { numRuns: 3 },
          )
        }
      })
    }

    it('transfers every Fault completely except its cause', async () => {
      const problems = [{ path: 'to[3]', code: 'invalid', message: 'Kein gültiges „Wort“.' }]
      const headers = { 'Quota-Remaining': '0' }
      const [secret, detail] = [new Error('mongodb://root:secret@db'), 'Nein: ü\n😀']
      const Reserve = async ({ id }: { id: string }): Promise<never> => {
        throw new Fault(id as FaultCode, detail, { problems, headers, retryAfterMs: 1_234, cause: secret })
      }
      await using server = await served({
        spec: quotaSpec,
        implementation: only<QuotaRpc>({ ...stubs(quotaSpec), Reserve }),
      })
      await using client = clientOf(patient(quotaSpec), server.address, { batch })
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

    it('transfers as many problems of a Fault as fit', async () => {
      const problems = Array.from({ length: 5_000 }, (_, at) => ({
        path: `to[${at}]`,
        code: 'x',
        message: 'é'.repeat(40),
      }))
      const Reserve = async (): Promise<never> => {
        throw new Fault('validation_failed', 'to[0]: é', { problems, headers: { Allow: 'GET' } })
      }
      await using server = await served({
        spec: quotaSpec,
        implementation: only<QuotaRpc>({ ...stubs(quotaSpec), Reserve }),
      })
      await using client = clientOf(patient(quotaSpec), server.address, { batch })
      const fault = await thrown(client.service.Reserve(reserve))
      assert.ok(fault instanceof Fault)
      assert.equal(fault.code, 'validation_failed')
      assert.deepEqual(fault.headers, { Allow: 'GET' })
      assert.ok(fault.problems.length > 100)
      assert.deepEqual(fault.problems, problems.slice(0, fault.problems.length))
    })

    it('transfers no detail of an error that is not a Fault, and logs it', async () => {
      const Reserve = async (): Promise<never> => {
        throw Object.assign(new Error('secret inside'), { code: 14, details: 'secret details' })
      }
      await using server = await served({
        spec: quotaSpec,
        implementation: only<QuotaRpc>({ ...stubs(quotaSpec), Reserve }),
      })
      await using client = clientOf(patient(quotaSpec), server.address, { batch })
      const errors = await Promise.all([1, 2].map(() => thrown(client.service.Reserve(reserve))))
      for (const error of errors) {
        assert.ok(error instanceof Error && !(error instanceof Fault))
        assert.match(error.message, /Quota\/Reserve: INTERNAL/)
        assert.doesNotMatch(`${error.message} ${error.stack} ${error.cause}`, /secret/)
      }
      assert.match(server.lines.join(''), /secret inside/)
    })

    it('ends a call that hangs at its deadline without delaying the others of its batch', async () => {
      const spec: ServiceSpec<QuotaRpc> = {
        ...quotaSpec,
        methods: { ...quotaSpec.methods, Reserve: { deadlineMs: hangsForMs, repeatable: true } },
      }
      const Reserve = () => new Promise<never>(() => {})
      await using server = await served({
        spec,
        implementation: only<QuotaRpc>({ ...stubs(quotaSpec), Reserve, Commit: async () => ({}) }),
      })
      const client = clientOf(spec, server.address, { batch })
      const since = performance.now()
      const hanging = thrown(client.service.Reserve(reserve))
      const commits = [1, 2].map(() => client.service.Commit({ ...reserve, token: 't' }))
      const first = await Promise.race([Promise.all(commits).then(() => 'the commits'), hanging])
      assert.equal(first, 'the commits')
      const fault = await hanging
      assert.ok(fault instanceof Fault)
      assert.deepEqual([fault.code, fault.retryAfterMs], ['unavailable', 2_000])
      assert.ok(performance.now() - since >= hangsForMs - 10)
      await client[Symbol.asyncDispose]()
    })

    it('transfers messages up to the limit of the service and rejects larger ones', async () => {
      const GetRaw = async ({ id }: { id: string }) => ({ raw: Buffer.alloc(Number(id), 7) })
      await using server = await served({
        spec: intakeSpec,
        implementation: only<IntakeRpc>({ ...stubs(intakeSpec), GetRaw }),
      })
      await using client = clientOf(patient(intakeSpec), server.address, { batch })
      const sizes = [0, 1, 65_536, 1_048_576, 40 * 2 ** 20]
      const got = await Promise.all(sizes.map((size) => client.service.GetRaw(rawOf(size))))
      assert.deepEqual(
        got.map(({ raw }) => raw.length),
        sizes,
      )
      const [rejected, small] = await Promise.all([
        thrown(client.service.GetRaw(rawOf(70 * 2 ** 20))),
        client.service.GetRaw(rawOf(10)),
      ])
      assert.ok(rejected instanceof Fault)
      assert.equal(rejected.code, 'unavailable')
      assert.equal(small.raw.length, 10)
    })

    // On one connection, a short call waited for parts of long messages of other workspaces.
    for (const kind of ['message', 'reply'] as const)
      it(`uses another connection for calls with a long ${kind}`, async () => {
        const clock = { now: 0, ahead_ms: 0, due_emails: 0, due_webhooks: 0, complete: true }
        const methods = { GetRaw: async () => ({ raw: Buffer.alloc(0) }), GetTestClock: async () => clock }
        const implementation = only<IntakeRpc>({ ...stubs(intakeSpec), ...methods })
        await using server = await served({ spec: intakeSpec, implementation })
        await using proxy = await tcpProxy({ to: server.address })
        await using client = clientOf(patient(intakeSpec), proxy.address, { batch })
        const { service } = client
        const short = () => service.GetTestClock({ workspace: 'ws' })
        const long = () =>
          kind === 'reply' ? service.GetRaw(rawOf(0)) : service.GetTestClock({ workspace: 'w'.repeat(70_000) })
        await Promise.all([short(), short()])
        assert.equal(proxy.opened(), 1)
        await Promise.all([short(), long(), short(), long()])
        assert.equal(proxy.opened(), 2)
      })
  })
}

describe('readiness of a gRPC client', () => {
  // A pod with a wrong token once became ready, replaced one that worked and returned 500 for every request.
  it('is false when the server does not accept its token', async () => {
    await using server = await served({ spec: quotaSpec, implementation: stubs(quotaSpec) })
    await using client = clientOf(patient(quotaSpec), server.address)
    await using wrong = clientOf(patient(quotaSpec), server.address, { token: 'a token that no other process has' })
    assert.deepEqual([await client.ready(), await wrong.ready()], [true, false])
  })
})

describe('change of the shared token', () => {
  const old = 'the token that every process sends today'
  const next = 'the token that replaces it afterwards'
  // docs/operations/secrets.md: each value is rolled out before the next one is set.
  const values = [[old], [old, next], [next, old], [next]] as const

  for (const [step, before] of values.slice(0, -1).entries()) {
    it(`rejects no call in step ${step + 1}, while old and new pods run`, async () => {
      const both = [before, values[step + 1] ?? before].map(([token, ...alsoAccepted]) => ({ token, alsoAccepted }))
      for (const security of both) {
        await using server = await served({ spec: quotaSpec, implementation: stubs(quotaSpec) }, security)
        for (const { token } of both) {
          await using client = clientOf(patient(quotaSpec), server.address, { token })
          assert.equal(await client.ready(), true)
          await client.service.GetLimits({ workspace: 'ws' })
        }
      }
    })
  }
})

const rawOf = (size: number) => ({
  id: String(size),
  reader: { workspace: 'ws', mode: '', sent_by: '', actor: '', recipients: [], domains: [] },
})

const stubs = <S>({ methods }: ServiceSpec<S>): S =>
  Object.fromEntries(Object.keys(methods).map((name) => [name, async () => ({})])) as S

/**
 * Compares messages without their order, because calls that are sent alone may arrive in another one. Most arrive in
 * order, and text to sort by costs more than the comparison.
 */
const assertSameMessages = (actual: readonly unknown[], expected: readonly unknown[]): void => {
  const [all, wanted] = [actual.map(plain), expected.map(plain)]
  if (!isDeepStrictEqual(all, wanted)) assert.deepEqual(sorted(all), sorted(wanted))
}

const sorted = (messages: readonly unknown[]): unknown[] =>
  messages
    .map((message) => ({ message, text: fc.stringify(message) }))
    .toSorted((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ message }) => message)
