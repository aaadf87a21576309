import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipBomb } from '../../test/support/gzipBomb.ts'
import { run } from './run.ts'

/*
 * A server that is another program, or is malicious: its responses must not reach the terminal unescaped or crash a
 * command.
 */

type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer; repeat?: number }

const startServer = async (answerTo: (url: URL) => Answer) => {
  const urls: URL[] = []
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    urls.push(url)
    const { status = 200, headers = {}, body = '', repeat = 1 } = answerTo(url)
    response.on('error', () => {}).writeHead(status, headers)
    let left = repeat
    const send = (): void => {
      while (left > 0 && !response.destroyed) {
        left -= 1
        if (!response.write(body)) return void response.once('drain', send)
      }
      response.end()
    }
    send()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    urls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const runAt = async (url: string, args: readonly string[], { isTerminal = true, stopAfter = '' } = {}) => {
  const [out, err]: [string[], string[]] = [[], []]
  const stopping = new AbortController()
  const terminal = {
    env: { POSTRIDER_URL: url, POSTRIDER_API_KEY: 'pr_test_key' },
    out: (text: string) => {
      out.push(text)
      if (stopAfter !== '' && text.includes(stopAfter)) stopping.abort()
    },
    err: (text: string) => void err.push(text),
    isTerminal,
    isInteractive: false,
    readInput: async () => '',
    readSecret: async () => '',
    configFolder: '/nonexistent',
    stopped: stopping.signal,
  }
  const code = await run(args, terminal, '1.2.3')
  return { code, out: out.join(''), err: err.join('') }
}

const mebibyte = 2 ** 20
const sequence = '\u001b]0;owned\u0007\u009b31m\u202e'
/** What a terminal would act on. */
const acted = /[^\n\P{Cc}]|[\p{Cf}\u2028\u2029]/u

const problem = (over: Record<string, unknown>) => ({
  status: 422,
  headers: { 'content-type': 'application/problem+json' },
  body: JSON.stringify({ code: 'validation_failed', detail: 'no', ...over }),
})

describe('command line and a server that is not Postrider', () => {
  const odd: [what: string, answer: Answer, message: RegExp][] = [
    ['a page of HTML', { body: `<html>${sequence}</html>` }, /is not JSON of Postrider/],
    ['null', { body: 'null' }, /is not JSON of Postrider/],
    ['a text', { body: '"hello"' }, /is not JSON of Postrider/],
    ['an array', { body: '[]' }, /is not JSON of Postrider/],
    ['a body without an end', { body: 'a'.repeat(mebibyte), repeat: 10_000 }, /is too long/],
    [
      'a compressed body of 64 MiB',
      {
        headers: { 'content-encoding': 'gzip' },
        body: gzipBomb(64),
      },
      /is too long/,
    ],
    ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, /status 302/],
    ['a problem of numbers', problem({ detail: 1, errors: [null, 1, { path: {}, message: [] }] }), /status 422/],
    ['a problem with another list', problem({ errors: { map: 1 } }), /^error: no$/m],
  ]
  for (const [what, answer, message] of odd)
    it(`ends with 1 and a message for ${what}`, async () => {
      await using server = await startServer(() => answer)
      for (const args of [
        ['emails', 'list'],
        ['emails', 'get', 'em_1'],
        ['events', 'tail', '--no-follow'],
        ['webhooks', 'list'],
      ]) {
        const ended = await runAt(server.url, args)
        assert.deepEqual([ended.code, ended.out], [1, ''], ended.err)
        assert.match(ended.err, message)
        assert.doesNotMatch(ended.err, acted)
      }
      // Another response will not be better.
      assert.equal(server.urls.length, 4)
    })

  it('ends with 1 for another object in place of a list, and for invalid records', async () => {
    for (const body of ['{"status":"ok"}', '{"data":{"length":3}}', '{"object":"list","data":[null]}']) {
      await using server = await startServer(() => ({ body }))
      for (const args of [
        ['emails', 'list'],
        ['events', 'tail', '--no-follow'],
        ['webhooks', 'list'],
      ]) {
        const { code, err } = await runAt(server.url, args, { isTerminal: false })
        assert.deepEqual([code, JSON.parse(err).error.code], [1, 'unexpected_response'])
      }
      assert.equal((await runAt(server.url, ['emails', 'get', 'em_1'])).code, 0)
    }
  })

  for (const isTerminal of [true, false])
    it(`shows no control characters of an error, ${isTerminal ? 'on a terminal' : 'as JSON'}`, async () => {
      const errors = [{ path: sequence, code: sequence, message: sequence }]
      const answer = problem({ code: `a${sequence}`, detail: sequence, request_id: sequence, errors })
      await using server = await startServer(() => answer)
      const { code, err } = await runAt(server.url, ['emails', 'list'], { isTerminal })
      assert.equal(code, 1)
      assert.doesNotMatch(err, acted)
      if (!isTerminal) assert.equal((JSON.parse(err) as { error: { message: string } }).error.message, sequence)
    })

  for (const json of [[], ['--json']])
    it(`shows no control characters of records ${json.join(' ')}`, async () => {
      const event = {
        object: 'event',
        id: `evt_1${sequence}`,
        type: `email.sent${sequence}`,
        timestamp: '2026-11-22T10:00:00.000Z',
        data: { recipient: sequence, email_id: sequence, reply: sequence, metadata: { [sequence]: sequence } },
      }
      const list = { object: 'list', data: [event], has_more: false, next_cursor: null }
      await using server = await startServer(() => ({ body: JSON.stringify(list) }))
      const { code, out } = await runAt(server.url, ['events', 'tail', '--no-follow', ...json])
      assert.equal(code, 0)
      assert.match(out, /email\.sent/)
      assert.doesNotMatch(out, acted)
      if (json.length > 0) assert.deepEqual(JSON.parse(out), event)
    })

  // A proxy responds like this while the server restarts; following ended then.
  it('continues to follow after responses of a proxy', async () => {
    let answers = 0
    const event = (id: string) => ({
      object: 'event',
      id,
      type: 'email.sent',
      timestamp: '2026-11-22T10:00:00.000Z',
      data: {},
    })
    const list = (...data: unknown[]) => ({
      body: JSON.stringify({ object: 'list', data, has_more: false, next_cursor: null }),
    })
    await using server = await startServer(() => {
      answers += 1
      if (answers === 1) return list(event('evt_1'))
      return answers < 4 ? { status: 502, body: '<html>' } : list(event('evt_2'), event('evt_1'))
    })
    const { code, out } = await runAt(server.url, ['events', 'tail', '--json'], { stopAfter: 'evt_2' })
    assert.equal(code, 0)
    assert.equal(out.match(/evt_1/g)?.length, 1)
  })

  // The newest event of the type was sought again each second, through all events of the workspace.
  it('looks back only for the first events of a type that is rare', async () => {
    const recent = (id: string, type: string, second: number) => ({
      object: 'event',
      id,
      type,
      timestamp: new Date(Date.UTC(2026, 10, 22, 10, 0, second)).toISOString(),
      data: {},
    })
    const old = recent('evt_old', 'email.sent', -3_600)
    let polls = 0
    await using server = await startServer(({ searchParams }) => {
      if (searchParams.get('type') !== null) {
        const page = searchParams.get('cursor') === null ? 'next' : null
        return { body: JSON.stringify({ object: 'list', data: [], has_more: page !== null, next_cursor: page }) }
      }
      polls += 1
      const data = [recent('evt_1', 'email.sent', 0), old]
      if (polls > 2) data.unshift(recent('evt_2', 'email.complained', 1))
      return { body: JSON.stringify({ object: 'list', data, has_more: true, next_cursor: 'older' }) }
    })
    const args = ['events', 'tail', '--type', 'email.complained', '--json']
    const { code, out } = await runAt(server.url, args, { stopAfter: 'evt_2' })
    assert.equal(code, 0)
    assert.doesNotMatch(out, /evt_1|evt_old/)
    const readsOfType = server.urls.filter(
      ({ searchParams }) => searchParams.get('type') !== null && searchParams.get('order') === 'desc',
    )
    assert.equal(readsOfType.length, 2)
    assert.equal(server.urls.filter(({ searchParams }) => searchParams.get('cursor') === 'older').length, 0)
  })

  for (const url of [
    'http://:secret@localhost/',
    'http://user@localhost/',
    'http://localhost/#/api',
    'ftp://localhost/',
    'http://localhost/?key=1',
  ])
    it(`refuses ${url} as the address of a server`, async () => {
      assert.equal((await runAt(url, ['emails', 'list'])).code, 2)
    })

  for (const url of ['http://user:pw@localhost:3000/', 'user@localhost', 'ftp://localhost/', 'http://'])
    it(`refuses ${url} as the address of copies`, async () => {
      const { code, err } = await runAt('http://127.0.0.1:1', [
        'webhooks',
        'trigger',
        'email.sent',
        '--forward-to',
        url,
      ])
      assert.equal(code, 2, err)
    })
})
