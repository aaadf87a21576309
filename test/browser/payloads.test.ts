import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestPage, useBrowser, useDashboard } from '../support/browser.ts'
import { fresh, rawMail, type Tenant } from '../support/client.ts'
import { useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'
import { markupPayloads, remotePayloads, textPayloads } from './payloads.ts'

/** The browser logs what it refuses in a frame. */
const refusedInFrame = /^(console|script): /

/** Makes a function that scripts of the corpus would call, in every frame. */
const withCanary = async ({ context }: TestPage): Promise<string[]> => {
  const called: string[] = []
  await context.exposeFunction('canary', (what: unknown) => called.push(String(what)))
  return called
}

/** Loads pages in frames of a page of this service, and waits for each. */
const showInFrames = (opened: TestPage, paths: readonly string[], sandbox: string | null): Promise<unknown> =>
  opened.page.evaluate(`Promise.all(${JSON.stringify(paths)}.map((path) => new Promise((resolve) => {
    const frame = document.createElement('iframe')
    ${sandbox === null ? '' : `frame.setAttribute('sandbox', ${JSON.stringify(sandbox)})`}
    frame.onload = resolve
    frame.src = path
    document.body.append(frame)
  })))`)

/** A server of another origin that records what is loaded from it. */
const countRequests = async (): Promise<AsyncDisposable & { origin: string; paths: string[] }> => {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    paths,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('hostile content in a browser', () => {
  useDashboard()
  const system = useSystem()
  const open = useBrowser()
  let tenant: Tenant

  before(async () => {
    tenant = await system().client.tenant()
  })

  const sendAll = (all: readonly string[]): Promise<string[]> =>
    Promise.all(
      all.map(async (html) => {
        const sent = await tenant.send(rawMail({ html: `<p>before</p>${html}<p>after</p>` }))
        assert.equal(sent.status, 202, sent.text)
        return sent.body.id
      }),
    )

  it('the corpus calls the canary where nothing prevents it', async () => {
    await open({ url: 'http://localhost:9', expected: /./ }, async (opened) => {
      const called = await withCanary(opened)
      await opened.page.setContent('<p>x</p>')
      for (const markup of markupPayloads.slice(0, 8)) await opened.page.setContent(markup)
      // The calls reach this process after the page.
      await until('four calls of the canary', () => called.length >= 4 || undefined)
    })
  })

  it('59: HTML of an email runs no script in its frame, with and without the attribute sandbox', async () => {
    const ids = await sendAll(markupPayloads)
    assert.ok(ids.length >= 30)
    await open({ url: system().client.url, session: tenant.session, expected: refusedInFrame }, async (opened) => {
      const called = await withCanary(opened)
      await opened.page.goto('/docs')
      const paths = ids.map((id) => `/api/v1/emails/${id}/html`)
      await showInFrames(opened, paths, '')
      await showInFrames(opened, paths, null)
      await showInFrames(opened, paths, 'allow-scripts allow-same-origin allow-top-navigation allow-popups allow-forms')
      for (const path of paths.slice(0, 3)) await opened.page.goto(path)
      assert.deepEqual(called, [])
      assert.ok(opened.requests.filter(({ url }) => url.endsWith('/html')).length >= 3 * ids.length)
    })
  })

  it('59: HTML of an email loads nothing from other hosts, and only images if the reader allows them', async () => {
    await using elsewhere = await countRequests()
    const ids = await sendAll(remotePayloads(elsewhere.origin))
    const show = (query: string, isLoaded: () => boolean) =>
      open(
        {
          url: system().client.url,
          session: tenant.session,
          expected: query === '' ? refusedInFrame : /./,
        },
        async (opened) => {
          await opened.page.goto('/docs')
          const paths = ids.map((id) => `/api/v1/emails/${id}/html${query}`)
          await showInFrames(opened, paths, '')
          await showInFrames(opened, paths, null)
          // A frame is loaded before what it prefetches.
          await until('the requests of the frames', () => isLoaded() || undefined)
        },
      )
    await show('', () => true)
    assert.deepEqual(elsewhere.paths, [])
    // A prefetch is allowed where any other type is (CSP 3 §6.1.3).
    const allowed = ['/a.png', '/b.png', '/f', '/h.png']
    await show('?images=show', () => allowed.every((path) => elsewhere.paths.includes(path)))
    assert.deepEqual([...new Set(elsewhere.paths)].toSorted(), allowed)
  })

  it('a frame reads no cookie and reaches no page around it', async () => {
    const [id = ''] = await sendAll(['<p id="x">x</p>'])
    await open({ url: system().client.url, session: tenant.session }, async (opened) => {
      await opened.page.goto('/docs')
      await showInFrames(opened, [`/api/v1/emails/${id}/html`], null)
      const frame = opened.page.frames().find((one) => one.url().includes(id))
      // Evaluated by the debugger, which may run scripts where the page may not.
      const origin = (await frame?.evaluate('self.origin')) as string
      const cookie = await frame?.evaluate('(() => { try { return document.cookie } catch { return "refused" } })()')
      assert.deepEqual([origin, cookie], ['null', 'refused'])
    })
  })

  it('names, subjects and replies of servers are text on every page', async () => {
    const owner = await system().client.tenant()
    const named = async (path: string, json: object, method = 'POST'): Promise<void> => {
      const response = await owner.session.call({ method, path, json })
      assert.ok(response.status < 300, `${path} ${response.status} ${response.text}`)
    }
    await named('/api/v1/workspace', { name: '<img src=x onerror=canary(0)>' }, 'PATCH')
    const failing = textPayloads.map((text) => ({ text, address: fresh('refused') }))
    for (const { text, address } of failing) system().receiver.refuse(address, { code: 550, text: `5.1.1 ${text}` })
    const refused = await owner.send(
      rawMail({ to: failing.map(({ address }) => address), subject: textPayloads[0], html: '<p>x</p>' }),
    )
    for (const [index, text] of textPayloads.entries()) {
      await named('/api/v1/api-keys', { name: text.slice(0, 100) })
      await named('/api/v1/templates', { name: text, subject: `Subject ${index}`, text_body: 'x' })
      const attachments = [{ filename: 'a<img src=x onerror=canary(1)>.txt', content: 'eA==' }]
      await owner.send(rawMail({ subject: text, text, attachments, metadata: { note: text } }))
    }
    await owner.until(refused.body.id, ({ status }) => status === 'bounced' || status === 'failed')
    await open({ url: system().client.url, session: owner.session }, async (opened) => {
      const called = await withCanary(opened)
      const { page } = opened
      for (const path of [
        '/',
        '/emails',
        `/emails/${refused.body.id}`,
        '/keys',
        '/templates',
        '/webhooks',
        '/domains',
      ]) {
        await page.goto(path)
        await opened.hasRead()
        const images = await page.locator('img[src="x"]').count()
        assert.deepEqual([path, images, called], [path, 0, []])
      }
      await page.goto('/emails')
      await page
        .getByText(textPayloads[1] ?? '', { exact: false })
        .first()
        .waitFor()
    })
  })
})
