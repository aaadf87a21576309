import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { useBrowser, useDashboard } from '../support/browser.ts'
import { operatorUser } from '../support/operatorUser.ts'
import type { ListRecord } from '../support/records.ts'
import { useSystem } from '../support/suite.ts'

/** Serves one page at an origin of its own. */
const servePage = async (markup: string): Promise<AsyncDisposable & { port: number }> => {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(`<!doctype html><title>elsewhere</title><body>${markup}`)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('pages of other sites', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()

  // The same host with another port gets the cookie; another host does not.
  for (const kind of ['with the cookie', 'of another host'] as const) {
    const urlOf = (port: number) => {
      const own = new URL(system().client.url).hostname
      return `http://${kind === 'with the cookie' ? own : own === 'localhost' ? '127.0.0.1' : 'localhost'}:${port}`
    }

    it(`cannot frame a page: ${kind}`, async () => {
      const { session } = await system().client.tenant()
      const { url } = system().client
      const paths = ['/', '/emails', '/login', '/docs', '/mailbox', '/api/v1/auth/session']
      const frames = paths.map((path) => `<iframe src="${url}${path}"></iframe>`).join('')
      await using elsewhere = await servePage(frames)
      await open({ url: urlOf(elsewhere.port), expected: /./ }, async (opened) => {
        const { page, context } = opened
        await context.addCookies([{ name: 'sid', value: session.cookie.split('=')[1] ?? '', url }])
        await page.goto('/')
        await page.waitForLoadState('load')
        const shown = page.frames().filter((frame) => frame.url().startsWith(url))
        for (const frame of shown)
          assert.equal(
            (
              await frame
                .locator('body')
                .innerText()
                .catch(() => '')
            ).trim(),
            '',
          )
        assert.ok(page.frames().length === paths.length + 1)
      })
    })

    it(`cannot act or read with the session of a person: ${kind}`, async () => {
      const { session } = await system().client.tenant()
      const { url } = system().client
      await using elsewhere = await servePage('')
      await open({ url: urlOf(elsewhere.port), expected: /./ }, async (opened) => {
        const { page, context } = opened
        await context.addCookies([{ name: 'sid', value: session.cookie.split('=')[1] ?? '', url }])
        await page.goto('/')
        const token = session.record.csrf_token
        // The token is that of the session: a page cannot send it to another origin without permission.
        const outcome = (await page.evaluate(`(async () => {
        const url = ${JSON.stringify(url)}
        const attempt = (path, options) => fetch(url + path, { credentials: 'include', ...options }).then((one) => one.type + one.status, () => 'failed')
        const json = { method: 'POST', body: '{"name":"stolen"}' }
        return {
          read: await attempt('/api/v1/auth/session'),
          readOpaque: await attempt('/api/v1/auth/session', { mode: 'no-cors' }),
          plain: await attempt('/api/v1/api-keys', { ...json, mode: 'no-cors', headers: { 'content-type': 'text/plain' } }),
          json: await attempt('/api/v1/api-keys', { ...json, headers: { 'content-type': 'application/json', 'x-csrf-token': ${JSON.stringify(token)} } }),
          logout: await attempt('/api/v1/auth/logout', { method: 'POST', mode: 'no-cors' }),
        }
      })()`)) as Record<string, string>
        assert.deepEqual([outcome['read'], outcome['json']], ['failed', 'failed'], JSON.stringify(outcome))
        for (const path of ['/api/v1/api-keys', '/api/v1/auth/logout', '/mailbox/logout', '/mailbox/login']) {
          await page.goto('/')
          await page.evaluate(`(() => {
          const form = document.createElement('form')
          form.method = 'post'
          form.action = ${JSON.stringify(url + path)}
          form.innerHTML = '<input name="csrf_token" value="${token}"><input name="email" value="a@b.example"><input name="password" value="x">'
          document.body.append(form)
          form.submit()
        })()`)
          await page.waitForURL(`${url}/**`)
        }
        const keys = await session.call<ListRecord<{ name: string }>>({ path: '/api/v1/api-keys' })
        assert.equal(keys.status, 200, 'the session has ended')
        assert.ok(!keys.body.data.some(({ name }) => name === 'stolen'))
      })
    })

    it(`cannot act or read with the session of an operator: ${kind}`, async () => {
      const tenant = await system().client.tenant()
      const { session } = await operatorUser(system(), await system().client.tenant())
      const { url } = system().client
      const { id } = tenant.workspace
      const path = `/api/v1/operator/workspaces/${id}`
      await using elsewhere = await servePage('')
      await open({ url: urlOf(elsewhere.port), expected: /./ }, async ({ page, context }) => {
        await context.addCookies([{ name: 'sid', value: session.cookie.split('=')[1] ?? '', url }])
        await page.goto('/')
        const token = JSON.stringify(session.record.csrf_token)
        const outcome = (await page.evaluate(`(async () => {
          const attempt = (path, options) => fetch(${JSON.stringify(url)} + path, { credentials: 'include', ...options }).then((one) => one.type + one.status, () => 'failed')
          const headers = { 'content-type': 'application/json', 'x-csrf-token': ${token} }
          const body = '{"amount_usd":"-5.00","reason":"stolen"}'
          return {
            read: await attempt('/api/v1/operator/users'),
            remove: await attempt('${path}', { method: 'DELETE', headers }),
            stop: await attempt('${path}', { method: 'PATCH', headers, body: '{"suspended":true}' }),
            json: await attempt('${path}/adjustments', { method: 'POST', headers, body }),
            plain: await attempt('${path}/adjustments', { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body }),
          }
        })()`)) as Record<string, string>
        const { plain: _, ...others } = outcome
        assert.deepEqual(others, { read: 'failed', remove: 'failed', stop: 'failed', json: 'failed' })
      })
      const lines = async (query: string) => {
        const call = { path: `/api/v1/operator/audit-log?workspace=${id}&${query}` }
        const { status, body } = await session.call<ListRecord<{ action: string }>>(call)
        assert.equal(status, 200, 'the session cannot act')
        return body.data.map(({ action }) => action)
      }
      assert.deepEqual(await lines(`actor=${session.record.user.id}`), [])
      assert.deepEqual(await lines('action=adjustment.*'), [])
    })
  }
})
