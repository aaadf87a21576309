import assert from 'node:assert/strict'
import { createOperatorApi } from './operatorApi.ts'

type Sent = { url: string; authorization: string | null; credentials: string | undefined }

const apiThatAnswers = (status: number) => {
  const sent: Sent[] = []
  let refusals = 0
  const api = createOperatorApi({
    fetch: async (input, init) => {
      const authorization = new Headers(init?.headers).get('Authorization')
      sent.push({ url: String(input), authorization, credentials: init?.credentials })
      return Response.json({}, { status })
    },
    token: 'secret',
    onRefused: () => {
      refusals++
    },
  })
  return { api, sent, refusals: () => refusals }
}

describe('createOperatorApi', () => {
  it('sends the token to the paths of the operator only, and never a cookie', async () => {
    const { api, sent } = apiThatAnswers(200)
    await api.get('/api/v1/operator/workspaces')
    await api.page('/readyz')
    assert.deepEqual(sent, [
      { url: '/api/v1/operator/workspaces', authorization: 'Bearer secret', credentials: 'omit' },
      { url: '/readyz', authorization: null, credentials: 'omit' },
    ])
  })

  it('reports a refused token', async () => {
    const { api, refusals } = apiThatAnswers(401)
    await assert.rejects(api.get('/api/v1/operator/workspaces'))
    assert.equal(refusals(), 1)
  })

  it('keeps the token when another answer fails', async () => {
    const { api, refusals } = apiThatAnswers(404)
    await assert.rejects(api.get('/api/v1/operator/workspaces/{id}', { path: { id: 'ws_1' } }))
    assert.equal(refusals(), 0)
  })
})
