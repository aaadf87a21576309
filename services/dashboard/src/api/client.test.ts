import assert from 'node:assert/strict'
import { createApi, isWorthRetrying } from './client.ts'
import { problemOf, problemText } from './problem.ts'

type Sent = { url: string; init: RequestInit }

const problem = {
  type: '/problems/conflict',
  title: 'Conflict',
  status: 409,
  detail: 'It is sent already.',
  code: 'conflict',
  request_id: 'req_1',
  errors: [],
}

const session = { csrf_token: 'token', workspace: { id: 'ws_1' } }

/** Returns an API whose every request gets this response, and what it sent. */
const apiWith = (answer: () => Response) => {
  const sent: Sent[] = []
  const calls = { signedOut: 0, otherWorkspace: 0 }
  const api = createApi({
    fetch: async (url, init = {}) => {
      sent.push({ url: String(url), init })
      return answer()
    },
    onSignedOut: () => calls.signedOut++,
    onOtherWorkspace: () => calls.otherWorkspace++,
  })
  return { api, sent, calls }
}

const headersOf = (sent: Sent[]): Headers => new Headers(sent[0]?.init.headers)

describe('client of the API', () => {
  it('fills the path and the query, without values that are absent', async () => {
    const { api, sent } = apiWith(() => Response.json({ data: [] }))
    await api.get('/api/v1/emails/{id}', { path: { id: 'em_1/../x' } })
    await api.get('/api/v1/emails', { query: { limit: 5, subject: 'a&b', status: 'bounced' } })
    assert.deepEqual(
      sent.map(({ url }) => url),
      ['/api/v1/emails/em_1%2F..%2Fx', '/api/v1/emails?limit=5&subject=a%26b&status=bounced'],
    )
  })

  it('names the workspace of the tab in every request, and sends the token with changes only', async () => {
    const { api, sent } = apiWith(() => Response.json({}))
    api.use(session)
    await api.get('/api/v1/workspace')
    await api.post('/api/v1/api-keys', { body: { name: 'server' } })
    const [read, change] = sent.map(({ init }) => new Headers(init.headers))
    assert.equal(read?.get('X-Workspace'), 'ws_1')
    assert.equal(read?.get('X-CSRF-Token'), null)
    assert.equal(change?.get('X-Workspace'), 'ws_1')
    assert.equal(change?.get('X-CSRF-Token'), 'token')
    assert.equal(change?.get('Content-Type'), 'application/json')
  })

  it('reads the session in any workspace', async () => {
    const { api, sent } = apiWith(() => Response.json({}))
    api.use(session)
    await api.get('/api/v1/auth/session')
    assert.equal(headersOf(sent).get('X-Workspace'), null)
  })

  it('throws the problem of the service', async () => {
    const { api } = apiWith(() => Response.json(problem, { status: 409 }))
    const thrown = await api.get('/api/v1/workspace').catch((error: unknown) => error)
    assert.equal(problemOf(thrown).requestId, 'req_1')
    assert.equal(problemText(thrown), 'It is sent already.')
  })

  it('throws a problem for a response of a proxy, with the id of the request if there is one', async () => {
    const { api } = apiWith(
      () => new Response('<h1>Bad gateway', { status: 502, headers: { 'X-Request-Id': 'req_2' } }),
    )
    const thrown = await api.get('/api/v1/workspace').catch((error: unknown) => error)
    assert.match(problemText(thrown), /request req_2/)
  })

  it('reports the end of the session, but not a refused login', async () => {
    const { api, calls } = apiWith(() => Response.json({ ...problem, status: 401 }, { status: 401 }))
    await assert.rejects(api.post('/api/v1/auth/login', { body: { email: 'a@b.example', password: 'x' } }))
    assert.equal(calls.signedOut, 0)
    api.use(session)
    await assert.rejects(api.get('/api/v1/workspace'))
    assert.equal(calls.signedOut, 1)
  })

  it('does not report the end of a session that the page has left or replaced', async () => {
    // A response to a poll after a logout once led to a page with the message that the session had ended.
    for (const next of [null, { ...session, csrf_token: 'another' }]) {
      const answered = Promise.withResolvers<Response>()
      const calls = { signedOut: 0 }
      const api = createApi({
        fetch: () => answered.promise,
        onSignedOut: () => calls.signedOut++,
        onOtherWorkspace: () => {},
      })
      api.use(session)
      const read = api.get('/api/v1/workspace')
      api.use(next)
      answered.resolve(Response.json({ ...problem, status: 401 }, { status: 401 }))
      await assert.rejects(read)
      assert.equal(calls.signedOut, 0)
    }
  })

  // Regression: the poll of the feed was refused before the response with the new session, and the page left for the
  // login without showing the recovery codes.
  it('does not report the end of a session that a request in progress replaces', async () => {
    for (const [status, signedOut] of [
      [200, 0],
      [422, 1],
    ] as const) {
      const changed = Promise.withResolvers<Response>()
      const calls = { signedOut: 0 }
      const refusal = () => Response.json({ ...problem, status: 401 }, { status: 401 })
      const api = createApi({
        fetch: async (_, init) => (init?.method === 'POST' ? changed.promise : refusal()),
        onSignedOut: () => calls.signedOut++,
        onOtherWorkspace: () => {},
      })
      api.use(session)
      const change = api.post('/api/v1/auth/totp/confirm', { body: { code: '123456' } }).catch(() => null)
      const read = assert.rejects(api.get('/api/v1/workspace'))
      changed.resolve(Response.json(status === 200 ? {} : { ...problem, status }, { status }))
      await Promise.all([change, read])
      assert.equal(calls.signedOut, signedOut)
    }
  })

  it('reports that the session is in another workspace', async () => {
    const { api, calls } = apiWith(() => Response.json({ ...problem, code: 'workspace_changed' }, { status: 409 }))
    api.use(session)
    await assert.rejects(api.get('/api/v1/workspace'))
    assert.equal(calls.otherWorkspace, 1)
  })

  it('returns nothing for a response without a body', async () => {
    const { api } = apiWith(() => new Response(null, { status: 204 }))
    assert.equal(await api.post('/api/v1/auth/logout'), undefined)
  })

  it('repeats reads twice, only if the service was not reached or is unavailable', () => {
    const failed = new TypeError('Failed to fetch')
    assert.equal(isWorthRetrying(0, failed), true)
    assert.equal(isWorthRetrying(2, failed), false)
    assert.equal(isWorthRetrying(0, new Error('a defect of the page')), false)
  })
})
