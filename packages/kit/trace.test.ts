import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { compiledIn, root } from '../../test/support/project.ts'
import { beginSpan, currentTraceparent, inSpan } from './trace.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** Runs code in a process that collects spans, and returns what it prints. */
const outputOf = (lines: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '--eval', `${imports}\n${lines}`], {
    cwd: here,
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...compiledIn(root), OTEL_TRACES_EXPORTER: 'console', OTEL_SERVICE_NAME: 'test' },
  })

/** @returns reads the rest of the first printed line that starts with a word */
const linesOf =
  (output: string) =>
  (word: string): string | undefined =>
    output.match(new RegExp(`^${word} (.*)$`, 'm'))?.[1]

const imports = `
  import '${here}telemetry.ts'
  import { detached, beginSpan, currentTraceparent, runInContext, currentContext, inSpan, recordedTraceparent } from '${here}trace.ts'
  import { Fault } from '${here}fault.ts'
  const server = { name: 'a', kind: 'server', attributes: {}, root: true }
  const client = { name: 'b', kind: 'client', attributes: {} }`

const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** Code of several tests, which one process runs. Each line begins with another word. */
const contexts = `
  await inSpan({ ...server, traceparent: '${given}' }, async () => {
    console.log('within', currentTraceparent())
    console.log('after', beginSpan({ ...client, traceparent: currentTraceparent() }).traceparent)
  })
  await inSpan(client, async () => console.log('client', currentTraceparent()))
  console.log('event', beginSpan(client))
  await inSpan(server, async () => console.log('server', currentTraceparent()?.length))
  await inSpan({ ...client, traceparent: 'nonsense' }, async () => console.log('broken', currentTraceparent()))
  const contexts = [currentContext()]
  await inSpan(server, async () => {
    contexts.push(currentContext())
    console.log('here', currentTraceparent())
    console.log('detached', detached(currentTraceparent))
    console.log('shared', detached(() => runInContext(contexts, currentTraceparent)))
  })
  await inSpan(server, async () => console.log('unrecorded', runInContext([contexts[0]], currentTraceparent)))`

describe('tracing', () => {
  let printed: (word: string) => string | undefined = () => undefined
  before(() => {
    printed = linesOf(outputOf(contexts))
  })

  it('runs the work without a trace context when no spans are collected', async () => {
    const span = { name: 'a', kind: 'server', attributes: {} } as const
    assert.equal(await inSpan(span, async () => currentTraceparent()), undefined)
    await assert.rejects(
      inSpan(span, async () => {
        throw new Error('broken')
      }),
      /broken/,
    )
  })

  it('opens the span under the given traceparent and passes its own on', () => {
    const [within = '', after = ''] = [printed('within'), printed('after')]
    assert.match(within, /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    assert.match(after, /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
    assert.equal(new Set([given, within, after]).size, 3)
  })

  it('starts a trace only at a root span', () => {
    assert.deepEqual(['client', 'event', 'server', 'broken'].map(printed), ['undefined', 'null', '55', 'undefined'])
  })

  it('passes an unsampled trace on to calls but not into records', () => {
    const unsampled = outputOf(`
      await inSpan({ ...server, traceparent: '${given.replace(/01$/, '00')}' }, async () => {
        console.log('calls', currentTraceparent())
        console.log('records', recordedTraceparent())
      })
      console.log('spans done')`)
    const ofUnsampled = linesOf(unsampled)
    assert.match(ofUnsampled('calls') ?? '', /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-00$/)
    assert.equal(ofUnsampled('records'), 'undefined')
    assert.equal(ofUnsampled('  name:'), undefined, 'nothing is exported')
  })

  it('marks a 5xx as an error, not a 4xx, and never exports the message', () => {
    const output = outputOf(`
      for (const code of ['not_found', 'unavailable'])
        await inSpan(server, async () => { throw new Fault(code, 'ann@' + 'example.com') }).catch(() => {})`)
    const [notFound = '', unavailable = '', ...more] = output.match(/^\{$.*?^\}$/gms) ?? []
    assert.deepEqual(more, [])
    assert.match(notFound, /^ {2}status: \{ code: 0 \},$/m)
    assert.match(unavailable, /^ {2}attributes: \{ 'error.type': 'unavailable' \},$/m)
    assert.match(unavailable, /^ {2}status: \{ code: 2 \},$/m)
    // The code, which the span has as an argument of its process, contains the parts of the message only.
    assert.doesNotMatch(output, /ann@example\.com/)
  })

  it('runs shared work in the first recorded context and detached work in none', () => {
    assert.equal(printed('shared'), printed('here'))
    assert.deepEqual([printed('detached'), printed('unrecorded')], ['undefined', 'undefined'])
  })

  it('starts no span when no spans are collected', () => {
    assert.equal(beginSpan({ name: 'b', kind: 'producer', attributes: {}, traceparent: given }), null)
  })
})
