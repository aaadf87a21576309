import assert from 'node:assert/strict'
import { status } from '@grpc/grpc-js'
import { makeMetrics } from '../metrics.ts'
import { callHandler, grpcServerMetrics } from './callHandler.ts'
import { methodsOf } from './definition.ts'

const spec = {
  proto: 'postrider/templates/v1/templates.proto',
  name: 'postrider.templates.v1.Templates',
  messageBytes: 100,
  methods: {},
}
const path = '/postrider.templates.v1.Templates/Create'

const rig = (Create: (request: object) => Promise<object>) => {
  const lines: object[] = []
  const line = (fields: object) => void lines.push(fields)
  const other = async () => ({})
  const handle = callHandler({
    services: [
      { spec, implementation: { ...Object.fromEntries(methodsOf(spec).map(({ name }) => [name, other])), Create } },
    ],
    log: { error: line, warn: line },
    metrics: makeMetrics(grpcServerMetrics),
    now: () => 1_000,
    intercept: (_call, work) => work(),
  })
  const call = (deadlineAt = Number.POSITIVE_INFINITY) =>
    handle({ path, message: Buffer.alloc(0), deadlineAt, callers: '', headers: {} })
  return { lines, call, handle }
}

describe('gRPC call handler', () => {
  it('does not run a call after its deadline', async () => {
    let runs = 0
    const { call } = rig(async () => {
      runs++
      return {}
    })
    assert.equal((await call(1_000)).code, status.DEADLINE_EXCEEDED)
    assert.equal(runs, 0)
    assert.equal((await call(1_001)).code, status.OK)
    assert.equal(runs, 1)
  })

  it('returns INTERNAL without details for an error that is no Fault, and logs it', async () => {
    const { call, lines } = rig(() => {
      throw new TypeError('secret inside')
    })
    const { code, body } = await call()
    assert.deepEqual([code, body.length], [status.INTERNAL, 0])
    assert.match(String((lines[0] as { err: Error }).err), /secret inside/)
  })

  it('returns RESOURCE_EXHAUSTED for a reply above the limit of the service', async () => {
    const { call } = rig(async () => ({ name: 'x'.repeat(100) }))
    assert.equal((await call()).code, status.RESOURCE_EXHAUSTED)
  })

  it('returns UNIMPLEMENTED for an unknown method', async () => {
    const { handle } = rig(async () => ({}))
    const call = { path: '/a.B/C', message: Buffer.alloc(0), deadlineAt: 2_000, callers: '', headers: {} }
    assert.equal((await handle(call)).code, status.UNIMPLEMENTED)
  })

  it('throws when the implementation misses a method of the proto', () => {
    assert.ok(methodsOf(spec).length >= 3)
    const options = { log: { error: () => {}, warn: () => {} }, metrics: makeMetrics(grpcServerMetrics), now: () => 0 }
    const intercept = <T>(_call: object, work: () => Promise<T>) => work()
    assert.throws(
      () => callHandler({ ...options, intercept, services: [{ spec, implementation: {} }] }),
      /has no Create/,
    )
  })
})
