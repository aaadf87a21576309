import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A thread has modules of its own, which no other test has loaded. It notes when the library is loaded. */
const steps = `
  import { createRequire } from 'node:module'
  import { parentPort, workerData } from 'node:worker_threads'
  const { webhookClient } = await import(workerData.client)
  const { webhookRules } = await import(workerData.rules)
  const isLoaded = () => Object.keys(createRequire(workerData.client).cache).some((path) => path.includes('/undici/'))
  const seen = [isLoaded()]
  const client = webhookClient({ rules: webhookRules() })
  seen.push(isLoaded())
  client.prepare()
  seen.push(isLoaded())
  parentPort.postMessage(seen)
`

describe('webhook client before its first request', () => {
  // Regression: the first 25 requests of a process loaded the library in their event loop iteration: 60 ms of 80 ms.
  it('loads its library when it is prepared, and not before', async () => {
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(steps)}`), {
      workerData: {
        client: new URL('webhookClient.ts', import.meta.url).href,
        rules: import.meta.resolve('@postrider/domain/webhooks/url.ts'),
      },
    })
    const [seen] = await once(worker, 'message')
    await worker.terminate()
    assert.deepEqual(seen, [false, false, true])
  })
})
