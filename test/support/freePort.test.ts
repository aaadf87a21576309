import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import { freePort } from './freePort.ts'

const many = 60

/** Takes ports as another test process does: with its own copy of the module. */
const portsOfAnother = async (): Promise<AsyncDisposable & { ports: number[] }> => {
  const module = new URL('freePort.ts', import.meta.url).href
  const code = `
    const { parentPort } = require('node:worker_threads')
    import(${JSON.stringify(module)}).then(async ({ freePort }) => {
      parentPort.postMessage(await Promise.all(Array.from({ length: ${many} }, freePort)))
      parentPort.on('message', () => {})
    })`
  const worker = new Worker(code, { eval: true })
  const [ports] = await once(worker, 'message')
  return { ports, [Symbol.asyncDispose]: async () => void (await worker.terminate()) }
}

describe('ports of tests', () => {
  // Regression: each process chose among all ports, so two clusters that started together sometimes had the same one.
  it('are different in processes that run at the same time, even before a server listens on them', async () => {
    await using one = await portsOfAnother()
    await using other = await portsOfAnother()
    const own = await Promise.all(Array.from({ length: many }, freePort))
    const all = [...one.ports, ...other.ports, ...own]
    assert.equal(all.length, 3 * many)
    assert.equal(new Set(all).size, all.length)
  })

  it('skips a port on which another program listens', async () => {
    const next = (await freePort()) + 1
    const server = createServer().listen(next, '127.0.0.1')
    // If another program listens on it, it is not free either.
    await once(server, 'listening').catch(() => {})
    const found = await Promise.all([freePort(), freePort()])
    assert.ok(!found.includes(next), `${next} is used: ${found}`)
    server.close()
  })
})
