import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '@postrider/kit/config.ts'
import { Config } from '@postrider/standalone/config.ts'
import { startChild } from '../backends/process.ts'
import { rawMail } from '../support/client.ts'
import { freePort } from '../support/freePort.ts'
import { type Http, openHttp } from '../support/http.ts'
import { openNewDatabase } from '../support/newDatabase.ts'
import { hasNginx, startNginx } from '../support/nginx.ts'
import { ownService } from '../support/ownService.ts'
import { root } from '../support/project.ts'
import { receiverCertificate } from '../support/receiver.ts'
import { skip } from '../support/skip.ts'
import { unusedSpace } from '../support/sqlitePages.ts'
import { needsOwnProcess, ownSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

/** The page whose blocks are run here as they are, apart from ports, folders and certificates. */
const page = readFileSync(join(root, 'docs/one-machine.md'), 'utf8')

const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text = '']) => text)
const block = (language: string): string => blocks(language)[0] ?? assert.fail(`no block of ${language}`)

/** Runs commands of the page, with other folders. systemd is not used. @returns what they print */
const runCommands = async (commands = '', { data, backups }: { data: string; backups: string }): Promise<string> => {
  const replaced = commands
    .replaceAll(/^systemctl .*$/gm, '')
    .replaceAll('/opt/postrider', root)
    .replaceAll('/var/lib/postrider', data)
    .replaceAll('/var/backups/postrider', backups)
  const { stdout, stderr } = await promisify(execFile)('bash', ['-e', '-c', replaced])
  return stdout + stderr
}

const publicHost = 'mail.example.com'
const tlsKey = receiverCertificate.replace(/cert\.pem$/, 'key.pem')

/** Starts a proxy in front of a service on a port. @returns its URL */
type StartProxy = (servicePort: string) => Promise<AsyncDisposable & { url: string }>

const nginx: StartProxy = async (servicePort) => {
  const [port, plain] = [await freePort(), await freePort()]
  const servers = block('nginx')
    .replaceAll(/listen \[::\]:.*\n/g, '\n')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('listen 80', `listen 127.0.0.1:${plain}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${receiverCertificate};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${tlsKey};`)
  const isReady = async () => (await fetch(`http://127.0.0.1:${plain}/`, { redirect: 'manual' })).status === 308
  const started = await startNginx(servers, isReady)
  return { url: `https://localhost:${port}`, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() }
}

const caddy: StartProxy = async (servicePort) => {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'postrider-caddy-'))
  const file = block('caddyfile')
    // The administration port and the port for redirects would collide with another Caddy.
    .replace('{\n', '{\n  admin off\n  auto_https disable_redirects\n')
    .replace(
      `${publicHost} {`,
      `https://localhost:${port}, https://${publicHost}:${port} {\n  tls ${receiverCertificate} ${tlsKey}`,
    )
    .replace('127.0.0.1:8080', `127.0.0.1:${servicePort}`)
  writeFileSync(join(folder, 'Caddyfile'), file)
  const child = await startChild({
    command: 'caddy',
    args: ['run', '--config', join(folder, 'Caddyfile')],
    env: { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    removeFolder: folder,
  })
  const close = async (): Promise<void> => {
    if (!child.hasEnded()) process.kill(child.pid, 'SIGTERM')
    await child.ended
    rmSync(folder, { recursive: true, force: true })
  }
  const http = openHttp(`https://localhost:${port}`, trusted)
  try {
    await until('caddy is ready', async () => {
      if (child.hasEnded()) throw new Error(`caddy ended:\n${child.lastOutput()}`)
      return http.call({ path: '/livez' }).then(
        ({ status }) => status === 200 || undefined,
        () => undefined,
      )
    })
  } catch (thrown) {
    await close()
    throw thrown
  } finally {
    http.close()
  }
  return { url: `https://localhost:${port}`, [Symbol.asyncDispose]: close }
}

/** The certificate of the tests is that of this machine. */
const trusted = { ca: readFileSync(receiverCertificate), servername: 'localhost' }

const mebibyte = 2 ** 20

const oldestCaddy = '2.6.4'

/** Returns why this machine cannot run the Caddyfile, or null if it can. */
const whyNoCaddy = (): string | null => {
  const { error, stdout } = spawnSync('caddy', ['version'], { encoding: 'utf8' })
  if (error !== undefined) return 'caddy is not installed'
  const isOld = stdout.replace(/^v/, '').localeCompare(oldestCaddy, 'en', { numeric: true }) < 0
  return isOld ? `caddy is older than ${oldestCaddy}` : null
}

for (const [name, startProxy, whyNot] of [
  ['nginx', nginx, () => (hasNginx() ? null : 'nginx is not installed')],
  ['caddy', caddy, whyNoCaddy],
] as const)
  describe(`standalone process behind the ${name} of docs/one-machine.md`, () => {
    needsOwnProcess()
    let stack: AsyncDisposableStack
    let http: Http

    before(async function () {
      const reason = whyNot()
      if (reason !== null) skip(this, reason)
      stack = new AsyncDisposableStack()
      const env = Object.fromEntries(envLines.filter(([name]) => /PUBLIC_URL|PROXIES/.test(name)))
      const own = stack.use(await ownSystem({ POSTRIDER_ROUTE: 'mailbox:', ...env }))
      const proxy = stack.use(await startProxy(new URL(own.client.url).port))
      http = openHttp(proxy.url, trusted)
      stack.defer(() => http.close())
    })
    after(async () => {
      await stack?.disposeAsync()
    })

    const forged = { host: publicHost, 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'http' }

    const signUp = async () => {
      const json = { email: `${name}@example.com`, password: 'correct horse battery', workspace_name: 'Acme' }
      const headers = { ...forged, origin: `https://${publicHost}` }
      const response = await http.call<{ csrf_token: string }>({ path: '/api/v1/auth/signup', json, headers })
      assert.equal(response.status, 201, response.text)
      const [cookie = ''] = response.headers['set-cookie'] ?? []
      assert.match(cookie, /^__Host-sid=.*; secure/i)
      return { cookie: cookie.split(';')[0] ?? '', 'x-csrf-token': response.body.csrf_token, host: publicHost }
    }

    it('passes on the host, the scheme and the real address of clients, and bodies up to the limit of the service', async () => {
      const session = await signUp()
      const makeKey = async (networks: string[]) => {
        const json = { name: 'Key', networks }
        const { status, body, text } = await http.call<{ key: string }>({
          path: '/api/v1/api-keys',
          json,
          headers: session,
        })
        assert.equal(status, 201, text)
        return { ...forged, authorization: `Bearer ${body.key}` }
      }
      const [local, remote] = [await makeKey(['127.0.0.0/8']), await makeKey(['203.0.113.0/24'])]
      const send = (headers: Record<string, string>, bytes = 10) =>
        http.call<{ code: string }>({ path: '/api/v1/emails', json: rawMail({ text: 'x'.repeat(bytes) }), headers })
      assert.equal((await send(local)).status, 202)
      // A header that the client made does not count.
      assert.ok([401, 403].includes((await send(remote)).status))
      // The service refuses a body over its limit, and the proxy only larger ones.
      const large = await send(local, 15.5 * mebibyte)
      assert.deepEqual([large.status, large.body?.code], [413, 'too_large'], large.text)
      assert.equal((await send(local, 17 * mebibyte)).status, 413)
      // A long body that the service accepts.
      assert.equal((await send(local, 1.9 * mebibyte)).status, 202)
    })

    it('shows neither captured mail nor metrics', async () => {
      for (const host of [publicHost, 'localhost'])
        for (const path of ['/mailbox', '/metrics']) {
          const { status } = await http.call({ path, headers: { host, accept: 'text/html' } })
          assert.ok([403, 404].includes(status), `${host}${path}: ${status}`)
        }
    })
  })

/** The settings of the page. */
const envLines = [...page.matchAll(/^ {4}(POSTRIDER_\w+)=(.*)$/gm)].map(
  ([, variable = '', value = '']) => [variable, value.replace(/^"(.*)"$/, '$1')] as const,
)

describe('systemd unit of docs/one-machine.md', () => {
  const unit = block('ini')

  it('has the settings of `npm start`, and a configuration that is valid', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
    const start = scripts.start.replace('exec node ', '')
    assert.ok(unit.includes(`ExecStart=/opt/postrider/node_modules/.bin/node ${start}\n`), start)
    assert.ok(envLines.length > 4)
    const read = readConfig(Config, Object.fromEntries(envLines))
    assert.deepEqual(['errors' in read ? read.errors : [], read.unknown], [[], []])
  })

  it('is accepted by systemd, which rates its isolation as good', async function () {
    if (spawnSync('systemd-analyze', ['--version']).error) skip(this, 'systemd-analyze is not installed')
    const folder = mkdtempSync(join(tmpdir(), 'postrider-unit-'))
    const file = join(folder, 'postrider.service')
    writeFileSync(file, unit.replace('/opt/postrider/node_modules/.bin/node', process.execPath))
    const analyze = async (...args: string[]) => {
      const { stdout, stderr } = await promisify(execFile)('systemd-analyze', [...args, file])
      return stdout + stderr
    }
    try {
      assert.equal((await analyze('verify', '--man=no', '--recursive-errors=no')).trim(), '')
      // Exits with an error above the threshold, in tenths.
      await analyze('security', '--offline=yes', '--threshold=25')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe('backup of docs/one-machine.md', () => {
  needsOwnProcess()

  /*
   * A backup that copied the pages of the file had parts of removed mail. In 10 of 60 random sequences of mail with
   * `retention: none`, SQLite had moved a row to another page and left its former copy in unused space, which
   * `secure_delete` does not reach.
   */
  it('has no data of removed rows, and the commands for the file remove such data from it', async () => {
    const [data, backups] = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'postrider-removed-'))) as [string, string]
    const path = join(data, 'postrider.db')
    const onFatal = (reason: unknown) => assert.fail(String(reason))
    const [removed, kept] = ['removed row', 'kept row']
    const has = (file: string) => [removed, kept].filter((text) => readFileSync(file).includes(text))
    try {
      writeFileSync(join(data, 'secret'), '')
      {
        await using db = openNewDatabase({ path, onFatal })
        db.write(() => db.prepare("INSERT INTO payment_notices VALUES ('id', 'ws', 1, ?)").run(kept))
      }
      const bytes = readFileSync(path)
      for (const [from, to] of unusedSpace(bytes))
        if (to - from > removed.length) bytes.write(removed, to - removed.length)
      writeFileSync(path, bytes)
      {
        await using db = openNewDatabase({ path, onFatal })
        db.write(() => db.prepare('UPDATE payment_notices SET at = 2').run())
        await db.synced()
        assert.equal(await runCommands(blocks('sh')[0], { data, backups }), '')
      }
      assert.deepEqual(has(path), [removed, kept])
      assert.deepEqual(has(join(backups, 'postrider.db')), [kept])
      // Once more: it replaces the former backup, and what one that was interrupted left.
      writeFileSync(join(backups, 'postrider.db.new'), 'interrupted')
      assert.equal(await runCommands(blocks('sh')[0], { data, backups }), '')
      assert.deepEqual(has(join(backups, 'postrider.db')), [kept])
      assert.equal(await runCommands(blocks('sh')[1], { data, backups }), '')
      assert.deepEqual(has(path), [kept])
    } finally {
      for (const folder of [data, backups]) rmSync(folder, { recursive: true })
    }
  })

  it('copies a running service, and the copy has every email accepted before it began', async () => {
    await using stack = new AsyncDisposableStack()
    const own = stack.use(await ownService({ POSTRIDER_ROUTE: 'mailbox:' }))
    const folder = mkdtempSync(join(tmpdir(), 'postrider-backup-'))
    stack.defer(() => rmSync(folder, { recursive: true }))
    const tenant = await own.client.tenant()
    const accepted = await Promise.all(Array.from({ length: 20 }, async () => (await tenant.send(rawMail())).body.id))
    const text = 'x\n'.repeat(mebibyte)
    for (let count = 0; count < 3; count++) accepted.push((await tenant.send(rawMail({ text }))).body.id)
    const state = { done: false }
    const sending = (async () => {
      while (!state.done) assert.equal((await tenant.send(rawMail())).status, 202)
    })()
    const printed = await runCommands(block('sh'), { data: own.data, backups: folder }).finally(() => {
      state.done = true
    })
    await sending
    assert.equal(printed, '')

    const copy = stack.use(await ownService({ POSTRIDER_ROUTE: 'mailbox:' }, { data: folder }))
    const api = copy.client.withKey(tenant.api.key)
    for (const id of accepted) assert.equal((await api.call({ path: `/api/v1/emails/${id}` })).status, 200)
    const raw = await api.call({ path: `/api/v1/emails/${accepted.at(-1)}/raw` })
    assert.equal([raw.status, raw.text.match(/^x\r$/gm)?.length].join(), `200,${mebibyte}`)
  })
})
