import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { freePort } from '../support/freePort.ts'
import { openHttp } from '../support/http.ts'
import { hasNginx, startNginx } from '../support/nginx.ts'
import { type OwnService, ownService } from '../support/ownService.ts'
import { skip } from '../support/skip.ts'
import { needsOwnProcess } from '../support/suite.ts'

/** Directives of a location that passes requests on, by name. */
const locations = {
  bare: '',
  'with the address of the client': 'proxy_set_header X-Real-IP $remote_addr;',
  'with HTTP/1.1': 'proxy_http_version 1.1;',
  'with HTTP/1.1 and persistent connections': 'proxy_http_version 1.1; proxy_set_header Connection "";',
} as const

const serverOf = (port: number, upstream: string, directives: string): string =>
  `server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; ${directives} } }`

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const browser = { accept: 'text/html', 'user-agent': chrome, connection: 'keep-alive' }

describe('standalone process behind nginx on the same machine', () => {
  needsOwnProcess()
  let nginx: AsyncDisposable | null = null
  let own: OwnService | null = null
  const ports = new Map<string, number>()

  before(async function () {
    if (!hasNginx()) skip(this, 'nginx is not installed')
    own = await ownService({ POSTRIDER_ROUTE: 'mailbox:', POSTRIDER_TRUSTED_PROXIES: '' })
    const { port } = new URL(own.client.url)
    const servers: string[] = []
    for (const [name, directives] of Object.entries(locations)) {
      const front = await freePort()
      ports.set(name, front)
      servers.push(serverOf(front, `http://127.0.0.1:${port}`, directives))
    }
    const last = [...ports.values()].at(-1)
    nginx = await startNginx(servers.join(' '), async () => (await fetch(`http://127.0.0.1:${last}/livez`)).ok)
  })
  after(async () => {
    await nginx?.[Symbol.asyncDispose]()
    await own?.[Symbol.asyncDispose]()
  })

  it('shows the mailbox and metrics to requests from this machine that bypass the proxy', async () => {
    for (const path of ['/mailbox', '/metrics'])
      assert.equal((await own?.client.call({ path, headers: browser }))?.status, 200)
  })

  // Regression: a bare proxy_pass showed every captured mail and the metrics to the world.
  for (const name of Object.keys(locations))
    it(`${name} shows neither the mailbox nor metrics to browsers`, async () => {
      const http = openHttp(`http://127.0.0.1:${ports.get(name)}`)
      for (const headers of [browser, { ...browser, host: 'mail.example.com' }]) {
        const mailbox = await http.call({ path: '/mailbox', headers })
        assert.equal(mailbox.status, 403)
        assert.match(mailbox.text, /action="\/mailbox\/login"/)
        assert.equal((await http.call({ path: '/metrics', headers })).status, 404)
      }
      http.close()
    })

  for (const name of ['bare', 'with the address of the client', 'with HTTP/1.1'])
    it(`${name} shows neither to programs`, async () => {
      const http = openHttp(`http://127.0.0.1:${ports.get(name)}`)
      assert.equal((await http.call({ path: '/mailbox' })).status, 403)
      assert.equal((await http.call({ path: '/metrics' })).status, 404)
      http.close()
    })
})

/** Forwards bytes to a port, as a proxy that changes nothing does. It prints its own port. */
const forwarder = (port: number): string => `
const net = require('node:net')
const server = net.createServer((client) => {
  const upstream = net.connect(${port}, '127.0.0.1')
  client.pipe(upstream).pipe(client)
  for (const socket of [client, upstream]) socket.on('error', () => {})
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))`

describe('standalone process behind a proxy that changes nothing', () => {
  needsOwnProcess()

  it('shows neither the mailbox nor metrics if another user runs the proxy', async function () {
    if (process.platform !== 'linux' || process.geteuid?.() !== 0) skip(this, 'needs root on Linux, to be two users')
    await using own = await ownService({ POSTRIDER_ROUTE: 'mailbox:', POSTRIDER_TRUSTED_PROXIES: '' })
    const { port } = new URL(own.client.url)
    const proxy = spawn(process.execPath, ['-e', forwarder(Number(port))], {
      uid: 65_534,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [front] = await once(proxy.stdout, 'data')
    const statuses = async (url: string): Promise<number[]> => {
      const http = openHttp(url)
      const calls = ['/mailbox', '/metrics'].map((path) => http.call({ path, headers: { host: `localhost:${port}` } }))
      const found = (await Promise.all(calls)).map(({ status }) => status)
      http.close()
      return found
    }
    try {
      assert.deepEqual(await statuses(`http://127.0.0.1:${String(front).trim()}`), [403, 404])
      assert.deepEqual(await statuses(`http://127.0.0.1:${port}`), [200, 200])
    } finally {
      proxy.kill()
      await once(proxy, 'close')
    }
  })
})
