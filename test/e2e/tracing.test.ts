import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { fresh, rawMail } from '../support/client.ts'
import { spanTree, startCollector } from '../support/collector.ts'
import { freePort } from '../support/freePort.ts'
import { startReceiver } from '../support/receiver.ts'
import { needsOwnProcess, ownSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

const kit = fileURLToPath(new URL('../../packages/kit/', import.meta.url))

/** Longer than any test, so that spans are only exported when the process ends. */
const exportAtEnd = { OTEL_BSP_SCHEDULE_DELAY: '600000' }

/** Would enable the export. Nothing listens on this port. */
const closedPort = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }

const hooks = `import { registerHooks } from 'node:module'
  registerHooks({ load: (url, context, next) => {
    if (url.includes('@opentelemetry/sdk-node')) process.stderr.write('loads ' + url + '\\n')
    return next(url, context)
  } })`

/** Makes a process print the modules that it loads to export spans. */
const printLoads = `--import=data:text/javascript,${encodeURIComponent(hooks)}`

const printer = `process.once('exit', () => {
  process.stderr.write('export timeout ' + process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] + ' ms')
})`

/** Makes a process print the limit of an export when it ends. */
const printTimeout = `--import=data:text/javascript,${encodeURIComponent(printer)}`

describe('tracing of a standalone process', function tracing() {
  needsOwnProcess()

  it('exports a send from HTTP to the SMTP attempt as one trace, at the latest at SIGTERM', async () => {
    await using collector = await startCollector()
    await using receiver = await startReceiver()
    const env = { ...collector.env, ...exportAtEnd, NODE_OPTIONS: printLoads }
    await using system = await ownSystem({ ...env, POSTRIDER_ROUTE: receiver.route })
    assert.match(system.standalone.output(), /loads .*sdk-node/)
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

  it('exports pending spans before a process ends with an error', async () => {
    await using collector = await startCollector()
    const script = `
      import '${kit}telemetry.ts'
      import { run } from '${kit}run.ts'
      import { inSpan } from '${kit}trace.ts'
      await run('broken', { config: {}, unknown: [] }, async () => {
        await inSpan({ name: 'last span', kind: 'server', attributes: {}, root: true }, async () => {})
        throw new Error('broken')
      })`
    const env = {
      PATH: process.env['PATH'],
      ...collector.env,
      ...exportAtEnd,
      OTEL_SERVICE_NAME: 'name of the operator',
    }
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { env, stdio: 'ignore' })
    assert.deepEqual(await once(child, 'close'), [1, null])
    assert.deepEqual(spanTree(collector.spans), ['name of the operator server last span'])
  })

  it('delivers mail while the collector is down or never responds, and stops after at most two more exports', async () => {
    let exports = 0
    const hanging = createServer(() => {
      exports++
    }).listen(0, '127.0.0.1')
    await once(hanging, 'listening')
    const { port } = hanging.address() as { port: number }
    try {
      for (const collectorPort of [await freePort(), port]) {
        const env = {
          OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collectorPort}`,
          OTEL_BSP_SCHEDULE_DELAY: '50',
          NODE_OPTIONS: printTimeout,
        }
        await using system = await ownSystem(env)
        const tenant = await system.client.tenant()
        const { body } = await tenant.send(rawMail())
        await tenant.until(body.id, ({ status }) => status === 'delivered')
        if (collectorPort === port) await until('the collector receives an export', () => exports > 0 || undefined)
        const exportsBefore = exports
        assert.equal(await system.standalone.stop(), 0)
        // The current export and the last one: none of them gets a response. Each ends at its timeout, so they delay
        // the stop by at most 6 s. How long it takes is not measured, because a busy machine adds to it.
        assert.match(system.standalone.output(), /export timeout 3000 ms/)
        assert.ok(exports - exportsBefore <= 2, `${exports - exportsBefore} exports after SIGTERM`)
        assert.doesNotMatch(system.standalone.output(), /"level":"error"|Unhandled|at .*\.[mc]js/)
      }
      await using next = await ownSystem({ ...closedPort, OTEL_SDK_DISABLED: 'true', NODE_OPTIONS: printLoads })
      assert.doesNotMatch(next.standalone.output(), /loads/, 'the export is disabled')
    } finally {
      hanging.close()
    }
  })

  // The process of the test above, whose environment disables the export, loads all other modules.
  it('does not load OpenTelemetry without a variable that enables it', async () => {
    const script = `import '${kit}telemetry.ts'; process.stderr.write('imported')`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      env: { PATH: process.env['PATH'], NODE_OPTIONS: printLoads },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    assert.equal(await text(child.stderr), 'imported')
  })
})
