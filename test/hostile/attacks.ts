import http from 'node:http'
import { connect } from 'node:net'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** Access of an attacker: the service's address, and two keys and the id of one email of its own workspace. */
export type AttackTarget = {
  url: string
  testKey: string
  liveKey: string
  largeEmail: string
  /** A regular expression that selects attacks by name; empty: all. */
  only: string
  /** Whether an attack only begins while half of the machine's CPU is idle, at most one in 50 ms. */
  waitsForCpu: boolean
}

/** The responses of one attack by status; `error` counts requests without a response. */
export type Counts = Record<string, number>

type Attack = {
  name: string
  /** How many loops of `once` run at the same time. */
  loops: number
  once(target: AttackTarget, number: number): Promise<number | 'error'>
}

/** An address of this machine that is not the good tenant's, because limits apply by client address. */
const localAddress = '127.0.0.2'
const agent = new http.Agent({ keepAlive: true, maxSockets: 256, localAddress })
const attemptMs = 20_000

/** A body: JSON in UTF-8. */
type Body = Buffer

/** Long bodies are encoded once: an attacker has its own machine, but here encoding uses the CPU of the service. */
const bodyOf = (json: unknown): Body => Buffer.from(JSON.stringify(json))

type Request = {
  method?: string
  path: string
  key?: string
  body?: Body | undefined
  headers?: Record<string, string>
  /** The client disconnects this long after the request. */
  hangUpAfterMs?: number
}

const call = (target: AttackTarget, request: Request): Promise<number | 'error'> =>
  new Promise((resolve) => {
    const { body } = request
    const headers = {
      ...(request.key !== undefined && { authorization: `Bearer ${request.key}` }),
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': body.length }),
      ...request.headers,
    }
    const method = request.method ?? (body === undefined ? 'GET' : 'POST')
    const sent = http.request(new URL(request.path, target.url), { method, headers, agent }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', () => resolve('error'))
    })
    const end = setTimeout(() => sent.destroy(), request.hangUpAfterMs ?? attemptMs)
    sent.once('close', () => {
      clearTimeout(end)
      resolve('error')
    })
    sent.once('error', () => resolve('error'))
    sent.end(body)
  })

/** Opens a connection, writes `text` and one more byte every second, and reads nothing. */
const holdConnection = async ({ url }: AttackTarget, text: string, holdMs: number): Promise<'error'> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname.replace(/[[\]]/g, ''), port: Number(port), localAddress })
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(text)
  for (let waited = 0; waited < holdMs && !socket.destroyed; waited += 1_000) {
    await pause(1_000)
    socket.write('x')
  }
  socket.destroy()
  return 'error'
}

const mail = (over: Record<string, unknown>): Record<string, unknown> => ({
  to: ['victim@receiver.example'],
  subject: 'Hello',
  text: 'Hello.',
  ...over,
})

const nested = (tag: string, levels: number): string => `<${tag}>`.repeat(levels)
const members = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`n${number}`, 'v']))

/** Mail within the limits that was once expensive. */
const costlyMail: readonly Body[] = [
  mail({ text: undefined, html: nested('blockquote', 10_000) }),
  mail({ text: undefined, html: nested('ol', 20_000) }),
  mail({ text: undefined, html: '</b>'.repeat(30_000) + nested('i', 20_000) }),
  mail({ text: 'é\n'.repeat(600_000) }),
  mail({ metadata: members(90_000) }),
  mail({ headers: members(90_000) }),
  mail({ ...members(90_000) }),
  mail({ tags: Array.from({ length: 30_000 }, () => ({})) }),
  mail({ to: Array.from({ length: 90_000 }, () => '"<(@') }),
  mail({ attachments: Array.from({ length: 40_000 }, () => []) }),
].map(bodyOf)

/** An attachment of 7 MiB, in base64. */
const largeFile = Buffer.alloc(7 * 2 ** 20, 7).toString('base64')
const large = bodyOf(mail({ attachments: [{ filename: 'a.bin', content: largeFile }] }))

const largeParts = bodyOf({ subject: 'Hello', html_body: 'h'.repeat(480_000), text_body: 't'.repeat(480_000) })
const largeTemplate = (name: string): Body => Buffer.concat([Buffer.from(`{"name":"${name}",`), largeParts.subarray(1)])

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()
const emails = '/api/v1/emails'
const wrongLogIn = (email: string) => bodyOf({ email, password: 'wrong password of an attacker' })

export const attacks: readonly Attack[] = [
  {
    name: 'costly mail',
    loops: 4,
    once: (target, number) => call(target, { path: emails, key: target.testKey, body: costlyMail[number % 10] }),
  },
  { name: 'large mail', loops: 4, once: (target) => call(target, { path: emails, key: target.testKey, body: large }) },
  {
    name: 'test mail scheduled for the last day',
    loops: 4,
    once: (target) =>
      call(target, { path: emails, key: target.testKey, body: bodyOf(mail({ scheduled_at: inDays(29) })) }),
  },
  {
    name: 'live mail until the quota is used up',
    loops: 2,
    once: (target) => call(target, { path: emails, key: target.liveKey, body: bodyOf(mail({})) }),
  },
  {
    name: 'templates of the largest size',
    loops: 2,
    once: (target, number) =>
      call(target, { path: '/api/v1/templates', key: target.testKey, body: largeTemplate(`t${number}`) }),
  },
  {
    name: 'lists of templates',
    loops: 4,
    once: (target) => call(target, { path: '/api/v1/templates?limit=100', key: target.testKey }),
  },
  {
    name: 'lists that match nothing, with an early hang-up',
    loops: 4,
    once: (target) =>
      call(target, { path: `${emails}?subject=none&limit=100`, key: target.testKey, hangUpAfterMs: 20 }),
  },
  {
    name: 'raw messages that the client does not read',
    loops: 50,
    once: (target) =>
      holdConnection(
        target,
        `GET ${emails}/${target.largeEmail}/raw HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${target.testKey}\r\n\r\n`,
        10_000,
      ),
  },
  {
    name: 'headers sent byte by byte',
    loops: 60,
    once: (target) => holdConnection(target, 'GET / HTTP/1.1\r\nHost: localhost\r\nX-A: ', 10_000),
  },
  {
    name: 'bodies sent byte by byte',
    loops: 60,
    once: (target) =>
      holdConnection(
        target,
        'POST /api/v1/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n',
        10_000,
      ),
  },
  {
    name: 'logins to one account',
    loops: 8,
    once: (target) => call(target, { path: '/api/v1/auth/login', body: wrongLogIn('owner@receiver.example') }),
  },
  {
    name: 'logins to many accounts',
    loops: 8,
    once: (target, number) => call(target, { path: '/api/v1/auth/login', body: wrongLogIn(`a${number}@b.example`) }),
  },
  {
    name: 'unknown keys',
    loops: 4,
    once: (target) => call(target, { path: emails, key: `pr_live_${'a'.repeat(40)}` }),
  },
  { name: 'unknown paths', loops: 4, once: (target, number) => call(target, { path: `/none/${number}` }) },
  { name: 'the API reference', loops: 2, once: (target) => call(target, { path: '/api/v1/openapi.json' }) },
  { name: 'the API reference as a page', loops: 2, once: (target) => call(target, { path: '/docs' }) },
  {
    name: 'searches of the documentation',
    loops: 4,
    once: (target) => call(target, { path: `/docs/search?q=${'e+a+'.repeat(2_000)}` }),
  },
]

/**
 * An attacker that gets no response, or a refusal, waits this long. Without a pause it would only use the machine's
 * CPU.
 */
const pauseMs = 20

const turnMs = 50

/** Returns the CPU time of the machine since its start, and how much of it was idle. */
const cpuTimes = (): { all: number; idle: number } => {
  const times = cpus().map(({ times }) => times)
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  return { all: sum(times.flatMap((one) => Object.values(one))), idle: sum(times.map(({ idle }) => idle)) }
}

/**
 * Lets one waiting attack begin after each `turnMs` in which half of the CPU was idle: one of the name that has begun
 * least often.
 */
const turnsOfIdleCpu = (signal: AbortSignal): ((name: string) => Promise<void>) => {
  const begun = new Map<string, number>()
  const waiting: { name: string; begin(): void }[] = []
  const beginNext = (): void => {
    const counts = waiting.map(({ name }) => begun.get(name) ?? 0)
    const [next] = waiting.splice(counts.indexOf(Math.min(...counts)), 1)
    if (next === undefined) return
    begun.set(next.name, (begun.get(next.name) ?? 0) + 1)
    next.begin()
  }
  let last = cpuTimes()
  const timer = setInterval(() => {
    const now = cpuTimes()
    if (now.idle - last.idle >= (now.all - last.all) / 2) beginNext()
    last = now
  }, turnMs)
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    for (const { begin } of waiting) begin()
  })
  return (name) =>
    signal.aborted ? Promise.resolve() : new Promise((resolve) => void waiting.push({ name, begin: resolve }))
}

/**
 * Runs all attacks until `signal` is aborted.
 * @param onUnderWay called when as many requests have ended as there are attacks
 */
export const runAttacks = async (
  target: AttackTarget,
  signal: AbortSignal,
  onUnderWay: () => void,
): Promise<Record<string, Counts>> => {
  const chosen = attacks.filter(({ name }) => new RegExp(target.only).test(name))
  let ended = 0
  const turn = target.waitsForCpu ? turnsOfIdleCpu(signal) : async () => {}
  const totals: Record<string, Counts> = {}
  const loop = async ({ name, once }: Attack): Promise<void> => {
    totals[name] ??= {}
    const counts = totals[name]
    for (await turn(name); !signal.aborted; await turn(name)) {
      const number = Object.values(counts).reduce((sum, one) => sum + one, 0)
      const status = await once(target, number)
      counts[status] = (counts[status] ?? 0) + 1
      if (++ended === chosen.length) onUnderWay()
      if (typeof status !== 'number' || status >= 300) await pause(pauseMs)
    }
  }
  await Promise.all(chosen.flatMap((attack) => Array.from({ length: attack.loops }, () => loop(attack))))
  agent.destroy()
  return totals
}
