import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { beginSpan, currentTraceparent, inSpan } from './trace.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Runs a few lines in a process that traces. @returns tells the first line that they print after a word */
const tracing = (lines: string): ((word: string) => string | undefined) => {
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', `${imports}\n${lines}`], {
    cwd: here,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], OTEL_TRACES_EXPORTER: 'console', OTEL_SERVICE_NAME: 'test' },
  })
  return (word) => printed.match(new RegExp(`^${word} (.*)$`, 'm'))?.[1]
}

const imports = `
  import '${here}telemetry.ts'
  import { apart, beginSpan, currentTraceparent, goOnWith, currentPlace, inSpan, recordedTraceparent } from '${here}trace.ts'
  import { Fault } from '${here}fault.ts'
  const server = { name: 'a', end: 'server', attributes: {}, begins: true }
  const client = { name: 'b', end: 'client', attributes: {} }`

const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describe('tracing', () => {
  it('runs the work and tells no context where nobody collects', async () => {
    const span = { name: 'a', end: 'server', attributes: {} } as const
    assert.equal(await inSpan(span, async () => currentTraceparent()), undefined)
    await assert.rejects(
      inSpan(span, async () => {
        throw new Error('broken')
      }),
      /broken/,
    )
  })

  it('puts work under the trace it was given, and hands on its own span', () => {
    const said = tracing(`
      await inSpan({ ...server, traceparent: '${given}' }, async () => {
        console.log('within', currentTraceparent())
        console.log('after', beginSpan({ ...client, traceparent: currentTraceparent() }).traceparent)
      })`)
    const [within = '', after = ''] = [said('within'), said('after')]
    assert.match(within, /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    assert.match(after, /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    assert.equal(new Set([given, within, after]).size, 3)
  })

  it('begins a trace at what may begin one alone', () => {
    const said = tracing(`
      await inSpan(client, async () => console.log('client', currentTraceparent()))
      console.log('event', beginSpan(client))
      await inSpan(server, async () => console.log('server', currentTraceparent()?.length))
      await inSpan({ ...client, traceparent: 'nonsense' }, async () => console.log('broken', currentTraceparent()))`)
    assert.deepEqual(['client', 'event', 'server', 'broken'].map(said), ['undefined', 'null', '55', 'undefined'])
  })

  it('hands a trace that isn’t sampled on to calls, and keeps it in no record', () => {
    const said = tracing(`
      await inSpan({ ...server, traceparent: '${given.replace(/01$/, '00')}' }, async () => {
        console.log('calls', currentTraceparent())
        console.log('records', recordedTraceparent())
      })
      console.log('spans done')`)
    assert.match(said('calls') ?? '', /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/)
    assert.equal(said('records'), 'undefined')
    assert.equal(said('  name:'), undefined, 'nothing is exported')
  })

  it('a refusal is no error of the server, a failure is, and neither says what it said', () => {
    const said = (code: string) =>
      tracing(`
        await inSpan(server, async () => { throw new Fault('${code}', 'ann@example.com is no address') }).catch(() => {})`)
    assert.equal(said('not_found')('  status:'), '{ code: 0 },')
    assert.equal(said('unavailable')("  attributes: { 'error.type':"), "'unavailable' },")
    assert.equal(said('unavailable')('  status:'), '{ code: 2 },')
  })

  it('work done for several goes on in the first trace that is collected, and work of its own in none', () => {
    const said = tracing(`
      const places = [currentPlace()]
      await inSpan(server, async () => {
        places.push(currentPlace())
        console.log('here', currentTraceparent())
        console.log('apart', apart(currentTraceparent))
        console.log('there', apart(() => goOnWith(places, currentTraceparent)))
      })
      await inSpan(server, async () => console.log('nowhere', goOnWith([places[0]], currentTraceparent)))`)
    assert.equal(said('there'), said('here'))
    assert.deepEqual([said('apart'), said('nowhere')], ['undefined', 'undefined'])
  })

  it('marks nothing where nobody collects', () => {
    assert.equal(beginSpan({ name: 'b', end: 'producer', attributes: {}, traceparent: given }), null)
  })
})
