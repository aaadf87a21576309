import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { fresh, password, rawMail, type Tenant } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

const mebibyte = 2 ** 20

type UnfinishedBody = { path: string; announced: number | null; sent: number; headers: Record<string, string> }

/** Opens a request whose body announces more than it sends. `announced: null`: it is sent in chunks. */
const sendPart = (url: string, { path, announced, sent, headers }: UnfinishedBody): Socket => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname.replace(/[[\]]/g, ''), port: Number(port) })
  socket.on('error', () => {}).resume()
  const framing = announced === null ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': announced }
  const lines = Object.entries({ Host: 'localhost', 'Content-Type': 'application/json', ...framing, ...headers })
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`)
  const part = `{"text":"${'x'.repeat(sent)}`
  socket.write(announced === null ? `${part.length.toString(16)}\r\n${part}\r\n` : part)
  return socket
}

const attachment = (bytes: number) => ({
  attachments: [{ filename: 'a.bin', content: Buffer.alloc(bytes, 7).toString('base64') }],
})

// Two free workspaces, or five client addresses, made the requests of all others fail with 503 after 2 s.
describe('bodies that attackers do not complete', () => {
  const system = useSystem()
  let attackers: Tenant[] = []
  let good: Tenant
  let sockets: Socket[] = []
  before(async () => {
    const { client } = system()
    attackers = [await client.tenant(), await client.tenant()]
    good = await client.tenant()
  })
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
  })

  const attack = async (count: number, bodies: readonly UnfinishedBody[]): Promise<void> => {
    sockets = bodies.flatMap((body) => Array.from({ length: count }, () => sendPart(system().client.url, body)))
    await until(
      'the bodies are sent',
      () =>
        sockets.every((socket) => socket.destroyed || (!socket.connecting && socket.writableLength === 0)) || undefined,
    )
  }
  const ofAttackers = (body: Omit<UnfinishedBody, 'path' | 'headers'>): UnfinishedBody[] =>
    attackers.map(({ api }) => ({ ...body, path: '/api/v1/emails', headers: { Authorization: `Bearer ${api.key}` } }))

  /** Mail of every size, several at the same time. Its delivery, which costs most of the CPU, is not the subject. */
  const sendsOfGood = async (): Promise<void> => {
    const sizes = [{}, { text: 'x'.repeat(50_000) }, { text: 'x'.repeat(mebibyte) }, attachment(6 * mebibyte)]
    for (const size of sizes) {
      const mail = rawMail({ ...size, scheduled_at: 'PT24H' })
      const responses = await Promise.all([good.send(mail), good.send(mail)])
      assert.deepEqual(
        responses.map(({ status, text }) => [status, text.slice(0, 300)]).filter(([status]) => status !== 202),
        [],
      )
    }
  }

  for (const [name, count, body] of [
    ['3 long ones, of which 350 KB arrive', 3, { announced: 15 * mebibyte - 1_000, sent: 350_000 }],
    ['3 long ones, of which all but the end arrives', 3, { announced: 15 * mebibyte - 1_000, sent: 14 * mebibyte }],
    ['200 short ones', 200, { announced: 64_000, sent: 60_000 }],
    ['200 short ones in chunks', 200, { announced: null, sent: 60_000 }],
  ] as const)
    it(`stop no mail of another workspace: ${name} of two workspaces`, async () => {
      await attack(count, ofAttackers(body))
      await sendsOfGood()
    })

  it('stop no login from another address: hundreds of five addresses', async () => {
    const addresses = Array.from({ length: 5 }, (_, number) => `198.51.100.${number + 1}`)
    const path = '/api/v1/auth/login'
    // Short bodies fill what the others leave.
    const bodies = [16_374, 200, 40].flatMap((sent) =>
      addresses.map((address) => ({ path, announced: 16_384, sent, headers: { 'X-Forwarded-For': address } })),
    )
    await attack(66, bodies)
    const { client } = system()
    const json = { email: good.email, password }
    const headers = { 'X-Forwarded-For': '203.0.113.9' }
    const response = await client.call({ path, json, headers })
    assert.equal(response.status, 200, response.text)
    for (let round = 0; round < 8; round++) {
      const unknown = await client.call({ path, json: { email: fresh(), password }, headers })
      assert.equal(unknown.status, 401, unknown.text)
    }
  })
})
