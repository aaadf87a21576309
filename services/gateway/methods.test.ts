import assert from 'node:assert/strict'
import { routes } from './routes/routes.ts'
import { testGateway } from './testGateway.ts'

/** Methods by path with example ids, HEAD with GET. */
const methodsOf = new Map(
  [...Map.groupBy(routes, ({ path }) => path)].map(([path, all]) => {
    const methods: string[] = all.map(({ method }) => method)
    return [path.replaceAll(/:\w+/g, 'x_1'), methods.includes('GET') ? [...methods, 'HEAD'] : methods]
  }),
)

describe('methods of a path', () => {
  it('are listed by Allow in the 405 for every other method, even without credentials', async () => {
    await using gateway = await testGateway()
    for (const [path, allowed] of methodsOf) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (one) => !allowed.includes(one),
      )) {
        const { status, headers, body } = await gateway.call({ method, path })
        const got = [status, body.code, headers.allow]
        assert.deepEqual(got, [405, 'method_not_allowed', allowed.toSorted().join(', ')], `${method} ${path}`)
      }
    }
  })

  const rows: [request: string, status: number, allow: string | undefined][] = [
    // These were read as ids.
    ['GET /api/v1/emails/batch', 405, 'POST'],
    ['HEAD /api/v1/emails/batch', 405, 'POST'],
    ['PATCH /api/v1/emails/validate', 405, 'POST'],
    ['GET /api/v1/templates/preview', 405, 'POST'],
    ['DELETE /api/v1/members/invitations', 405, 'GET, HEAD, POST'],
    // The alias of a template may be a word.
    ['PUT /api/v1/templates/welcome', 405, 'DELETE, GET, HEAD, PATCH'],
    ['POST /api/v1/emails/all', 404, undefined],
  ]
  for (const [request, status, allow] of rows)
    it(`return ${status} with Allow ${allow} for ${request}`, async () => {
      await using gateway = await testGateway()
      const [method = '', path = ''] = request.split(' ')
      const response = await gateway.call({ method, path })
      assert.deepEqual([response.status, response.headers.allow], [status, allow])
    })
})
