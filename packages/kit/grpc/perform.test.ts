import assert from 'node:assert/strict'
import { status } from '@grpc/grpc-js'
import { makeMetrics } from '../metrics.ts'
import { methodsOf } from './definition.ts'
import { performer } from './perform.ts'

const wire = {
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
  const perform = performer({
    services: [{ wire, implementation: { Create, Get: other, List: other } }],
    log: { error: line, warn: line },
    metrics: makeMetrics(),
    now: () => 1_000,
    around: (_call, work) => work(),
  })
  const call = (deadlineAt = Number.POSITIVE_INFINITY) =>
    perform({ path, message: Buffer.alloc(0), deadlineAt, headers: {} })
  return { lines, call, perform }
}

describe('performing a call', () => {
  it('is not begun where nobody waits for it any more', async () => {
    let begun = 0
    const { call } = rig(async () => {
      begun++
      return {}
    })
    assert.equal((await call(1_000)).code, status.DEADLINE_EXCEEDED)
    assert.equal(begun, 0)
    assert.equal((await call(1_001)).code, status.OK)
    assert.equal(begun, 1)
  })

  it('ends without a word, and in the log, where the service throws what is no fault', async () => {
    const { call, lines } = rig(() => {
      throw new TypeError('secret inside')
    })
    const { code, body } = await call()
    assert.deepEqual([code, body.length], [status.INTERNAL, 0])
    assert.match(String((lines[0] as { err: Error }).err), /secret inside/)
  })

  it('ends alone where its reply is larger than the service’s largest', async () => {
    const { call } = rig(async () => ({ name: 'x'.repeat(100) }))
    assert.equal((await call()).code, status.RESOURCE_EXHAUSTED)
  })

  it('of no method we have is no call', async () => {
    const { perform } = rig(async () => ({}))
    const call = { path: '/a.B/C', message: Buffer.alloc(0), deadlineAt: 2_000, headers: {} }
    assert.equal((await perform(call)).code, status.UNIMPLEMENTED)
  })

  it('wants every method of the definition', () => {
    assert.equal(methodsOf(wire).length, 3)
    const given = { log: { error: () => {}, warn: () => {} }, metrics: makeMetrics(), now: () => 0 }
    const around = <T>(_call: object, work: () => Promise<T>) => work()
    assert.throws(() => performer({ ...given, around, services: [{ wire, implementation: {} }] }), /has no Create/)
  })
})
