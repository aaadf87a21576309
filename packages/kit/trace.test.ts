import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { currentTraceparent, inSpan, passSpan } from './trace.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Runs a few lines in a process that traces; what they print is told. */
const tracing = (lines: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', `${imports}\n${lines}`], {
    cwd: here,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], OTEL_TRACES_EXPORTER: 'console', OTEL_SERVICE_NAME: 'test' },
  })

const imports = `
  import '${here}telemetry.ts'
  import { currentTraceparent, inSpan, passSpan } from '${here}trace.ts'`

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
    const printed = tracing(`
      await inSpan({ name: 'a', end: 'server', attributes: {}, traceparent: '${given}' }, async () => {
        console.log('within', currentTraceparent())
        console.log('after', passSpan({ name: 'b', end: 'producer', attributes: {}, traceparent: currentTraceparent() }))
      })`)
    const said = (word: string): string => printed.match(new RegExp(`^${word} (.*)$`, 'm'))?.[1] ?? ''
    const [within, after] = [said('within'), said('after')]
    assert.match(within, /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    assert.match(after, /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    assert.equal(new Set([given, within, after]).size, 3)
    assert.match(printed, /name: 'a'/)
  })

  it('marks nothing where the mail isn’t traced', () => {
    assert.equal(passSpan({ name: 'b', end: 'producer', attributes: {} }), undefined)
  })
})
