import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { fresh, rawMail } from '../support/client.ts'
import { spanTree, startCollector } from '../support/collector.ts'
import { freePort } from '../support/freePort.ts'
import { startReceiver } from '../support/receiver.ts'
import { needsOwnProcess, ownSystem } from '../support/suite.ts'

const kit = fileURLToPath(new URL('../../packages/kit/', import.meta.url))

/** Longer than any test: spans come because the process ends, or not at all. */
const never = { OTEL_BSP_SCHEDULE_DELAY: '600000' }

/** Prints what a process loads of a library. */
const printLoads = (library: string): string => {
  const hooks = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => {
      if (url.includes('${library}')) process.stderr.write('loads ' + url + '\\n')
      return next(url, context)
    } })`
  return `--import=data:text/javascript,${encodeURIComponent(hooks)}`
}

describe('tracing one process', function tracingOne() {
  this.timeout(60_000)
  needsOwnProcess()

  it('shows a send from HTTP to the SMTP attempt as one tree, and sends at SIGTERM what isn’t sent', async () => {
    await using collector = await startCollector()
    await using receiver = await startReceiver()
    await using system = await ownSystem({ ...collector.env, ...never, POSTRIDER_ROUTE: receiver.route })
    const tenant = await system.client.tenant()
    const { body } = await tenant.send(rawMail({ to: [fresh('c4n4ry')] }))
    await tenant.until(body.id, ({ status }) => status === 'delivered')
    assert.equal(collector.spans.length, 0)
    assert.equal(await system.standalone.stop(), 0)
    const trace = collector.spans.find(({ attributes }) => attributes['postrider.email_id'] === body.id)?.trace
    assert.deepEqual(spanTree(collector.spans.filter((span) => span.trace === trace)), [
      'postrider-standalone server POST /api/v1/emails',
      '  postrider-standalone internal deliver',
      '    postrider-standalone client smtp attempt',
    ])
    assert.doesNotMatch(collector.received(), /c4n4ry/)
  })

  it('sends what isn’t sent before a process ends by a fault, too', async () => {
    await using collector = await startCollector()
    const script = `
      import '${kit}telemetry.ts'
      import { run } from '${kit}run.ts'
      import { inSpan } from '${kit}trace.ts'
      await run('broken', { config: {}, unknown: [] }, async () => {
        await inSpan({ name: 'last words', end: 'server', attributes: {}, begins: true }, async () => {})
        throw new Error('broken')
      })`
    const env = { PATH: process.env['PATH'], ...collector.env, ...never, OTEL_SERVICE_NAME: 'of the operator’s choice' }
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { env, stdio: 'ignore' })
    assert.deepEqual(await once(child, 'close'), [1, null])
    assert.deepEqual(spanTree(collector.spans), ['of the operator’s choice server last words'])
  })

  it('a collector that is away, or never answers, costs the service nothing, and its end little', async function () {
    this.timeout(60_000)
    const stopsMs: number[] = []
    const hanging = createServer(() => {}).listen(0, '127.0.0.1')
    await once(hanging, 'listening')
    const { port } = hanging.address() as { port: number }
    try {
      for (const at of [await freePort(), port]) {
        await using system = await ownSystem({
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${at}`,
          OTEL_BSP_SCHEDULE_DELAY: '50',
        })
        const tenant = await system.client.tenant()
        const { body } = await tenant.send(rawMail())
        await tenant.until(body.id, ({ status }) => status === 'delivered')
        const stoppedAt = performance.now()
        assert.equal(await system.standalone.stop(), 0)
        stopsMs.push(performance.now() - stoppedAt)
        assert.doesNotMatch(system.standalone.output(), /"level":"error"|Unhandled|at .*\.[mc]js/)
      }
      const [away = 0, silent = 0] = stopsMs
      // An export under way and the last one, of 3 s at most each.
      assert.ok(
        silent < 2 * away + 9_000,
        `${silent} ms to stop where the collector hangs, ${away} ms where it is away`,
      )
    } finally {
      hanging.close()
    }
  })

  it('loads nothing of it where the environment doesn’t ask', async () => {
    const NODE_OPTIONS = printLoads('@opentelemetry/sdk-node')
    await using asked = await ownSystem({ NODE_OPTIONS, OTEL_TRACES_EXPORTER: 'console' })
    assert.match(asked.standalone.output(), /loads .*sdk-node/)
    await using unasked = await ownSystem({ NODE_OPTIONS })
    assert.doesNotMatch(unasked.standalone.output(), /loads/)
    await using disabled = await ownSystem({ NODE_OPTIONS, ...nowhere, OTEL_SDK_DISABLED: 'true' })
    assert.doesNotMatch(disabled.standalone.output(), /loads/)
  })
})

const nowhere = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }
