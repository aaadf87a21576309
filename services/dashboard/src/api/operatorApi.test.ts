import assert from 'node:assert/strict'
import { createOperatorApi } from './operatorApi.ts'

type Sent = { url: string; authorization: string | null; credentials: string | undefined; csrf: string | null }

const session = { csrf_token: 'csrf', workspace: { id: 'ws_1' } }

const apiThatAnswers = (
  status: number,
  { token = 'secret', body = {} }: { token?: string | null; body?: object } = {},
) => {
  const sent: Sent[] = []
  const called: string[] = []
  const api = createOperatorApi({
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers)
      const [authorization, csrf] = [headers.get('Authorization'), headers.get('X-CSRF-Token')]
      sent.push({ url: String(input), authorization, credentials: init?.credentials, csrf })
      return Response.json(body, { status })
    },
    token,
    onRefused: () => called.push('refused'),
    onFactorMissing: () => called.push('factor'),
    onSessionChanged: () => called.push('session'),
  })
  if (token === null) api.use(session as never)
  return { api, sent, called }
}

const path = { path: { id: 'ws_1' } }
const change = { ...path, body: { note: 'a' } }

describe('createOperatorApi', () => {
  it('sends the token to the paths of the operator only, and never a cookie', async () => {
    const { api, sent } = apiThatAnswers(200)
    await api.get('/api/v1/operator/workspaces')
    await api.page('/readyz')
    assert.deepEqual(sent, [
      { url: '/api/v1/operator/workspaces', authorization: 'Bearer secret', credentials: 'omit', csrf: null },
      { url: '/readyz', authorization: null, credentials: 'omit', csrf: null },
    ])
  })

  it('sends the session of an operator, with its token for changes and no other', async () => {
    const { api, sent } = apiThatAnswers(200, { token: null })
    await api.get('/api/v1/operator/workspaces')
    await api.patch('/api/v1/operator/workspaces/{id}', change)
    const common = { authorization: null, credentials: 'same-origin' }
    assert.deepEqual(sent, [
      { url: '/api/v1/operator/workspaces', ...common, csrf: null },
      { url: '/api/v1/operator/workspaces/ws_1', ...common, csrf: 'csrf' },
    ])
  })

  for (const token of ['secret', null])
    it(`reports a refused ${token === null ? 'session' : 'token'} once`, async () => {
      const { api, called } = apiThatAnswers(401, { token })
      await assert.rejects(api.get('/api/v1/operator/workspaces'))
      assert.deepEqual(called, ['refused'])
    })

  for (const [code, errors, expected] of [
    ['csrf', [], ['session']],
    ['forbidden', [{ path: '', code: 'totp_required', message: '' }], ['factor']],
    ['forbidden', [{ path: '', code: 'totp_not_passed', message: '' }], ['factor']],
    ['forbidden', [], []],
  ] as const)
    it(`reports what a session lacks: ${code} ${errors[0]?.code ?? ''}`, async () => {
      const { api, called } = apiThatAnswers(403, { token: null, body: { code, errors } })
      await assert.rejects(api.patch('/api/v1/operator/workspaces/{id}', change), { message: /./ })
      assert.deepEqual(called, expected)
    })

  it('keeps the token when another request fails', async () => {
    const { api, called } = apiThatAnswers(404)
    await assert.rejects(api.get('/api/v1/operator/workspaces/{id}', path))
    assert.deepEqual(called, [])
  })
})
