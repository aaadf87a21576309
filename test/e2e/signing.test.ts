import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SendingDomain } from '@postrider/domain/domains/domain.ts'
import { dkimSecretPurpose, sealedContext } from '@postrider/domain/domains/keys.ts'
import { makeSecretBox, requireOpened } from '@postrider/kit/secretBox.ts'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { dmarc } from 'mailauth/lib/dmarc/index.js'
import { assertProblem } from '../support/assertProblem.ts'
import { fresh, freshDomain, rawMail, type Tenant } from '../support/client.ts'
import { startCollector } from '../support/collector.ts'
import { type DnsServer, startDnsServer } from '../support/dnsServer.ts'
import { type Owner, ownerOf } from '../support/domains.ts'
import { secretParts } from '../support/privateKeys.ts'
import { type Received, startReceiver } from '../support/receiver.ts'
import type { DnsRecord, DomainRecord } from '../support/records.ts'
import { skip } from '../support/skip.ts'
import { needsOwnProcess, ownSystem, useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

/** Returns the text records as a resolver returns them, from the zones as they are now. */
const resolverOf =
  ({ zones }: DnsServer) =>
  async (name: string, type: string): Promise<string[][]> => {
    const found = Object.values(zones).flatMap(({ names }) => (type === 'TXT' ? (names[name]?.TXT ?? []) : []))
    if (found.length === 0) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return found.map((record) => (Array.isArray(record) ? record : [record]))
  }

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).replace(/>$/, '')

/** Verifies a message as its receiver does now. */
const verify = async ({ raw, from }: Pick<Received, 'raw' | 'from'>, dns: DnsServer) => {
  const resolver = resolverOf(dns)
  const { results, headerFrom } = await dkimVerify(raw, { resolver })
  const passed = results.filter(({ status }) => status.result === 'pass')
  const headerDomain = domainOf(String(headerFrom))
  const dkimDomains = passed.map(({ signingDomain = '' }) => ({ domain: signingDomain, aligned: signingDomain }))
  const policy = await dmarc({ headerFrom: headerDomain, spfDomains: [], dkimDomains, resolver })
  return {
    from: headerDomain,
    returnPath: domainOf(from),
    count: results.length,
    by: passed.map(({ algo, signingDomain }) => `${algo} ${signingDomain}`).sort(),
    selectors: passed.map(({ selector = '' }) => selector),
    dmarc: policy ? policy.status.result : null,
  }
}

const keyNames = ({ records }: DomainRecord): DnsRecord[] => records.filter(({ purpose }) => purpose === 'dkim')

describe('mail of a sending domain', () => {
  const system = useSystem()
  let dns: DnsServer
  let tenant: Tenant
  let owner: Owner
  let domain: DomainRecord

  before(async function useDns() {
    const own = system().dns
    if (own === null) return skip(this, 'the service that runs already queries another DNS')
    dns = own
    tenant = await system().client.tenant()
    owner = ownerOf(await tenant.makeKey({ scopes: ['domains:write'] }), dns)
    domain = await verified(owner)
  })

  const verified = async (by: Owner, name?: string): Promise<DomainRecord> => {
    const added = await by.add(name)
    by.publish(added)
    const checked = await by.verify(added.id)
    assert.equal(checked.status, 'verified', JSON.stringify(checked))
    return checked
  }

  const deliver = async (over: Record<string, unknown>, by = tenant) => {
    const to = fresh()
    const response = await by.send(rawMail({ to: [to], ...over }))
    assert.equal(response.status, 202, response.text)
    const received = await system().receiver.waitFor(to)
    return { record: response.body, received }
  }

  it('leaves with its own From, signed with both algorithms and aligned, as soon as the domain is verified', async () => {
    const other = await system().client.tenant()
    const by = ownerOf(await other.makeKey({ scopes: ['domains:write'] }), dns)
    const name = freshDomain()
    const early = await deliver({ from_: `a@${name}` }, other)
    assert.equal(domainOf(early.record.from_), domainOf(other.workspace.sender))
    assert.match(early.record.notices.join(), /was replaced by the shared sender/)
    const own = await verified(by, name)
    const { record, received } = await deliver({ from_: `"Müller, Ann" <a@${name}>`, html: '<p>Hi</p>' }, other)
    assert.deepEqual([record.from_, record.domain_id, record.notices], [`"Müller, Ann" <a@${name}>`, own.id, []])
    assert.deepEqual(received.mail.from, { name: 'Müller, Ann', address: `a@${name}` })
    const { selectors, ...seen } = await verify(received, dns)
    assert.deepEqual(seen, {
      from: name,
      returnPath: `bounces.${name}`,
      count: 2,
      by: [`ed25519-sha256 ${name}`, `rsa-sha256 ${name}`],
      dmarc: 'pass',
    })
    assert.deepEqual(
      selectors.map((selector) => `${selector}._domainkey.${name}`).sort(),
      keyNames(own)
        .map((key) => key.name)
        .sort(),
    )
  })

  it('is signed by the domain for a subdomain, and has its own Message-ID', async () => {
    const { received, record } = await deliver({ from_: `a@news.${domain.name}`, domain_id: domain.id })
    const seen = await verify(received, dns)
    assert.deepEqual([seen.from, seen.dmarc, seen.count], [`news.${domain.name}`, 'pass', 2])
    assert.equal(seen.by[1], `rsa-sha256 ${domain.name}`)
    assert.equal(record.message_id, `<${record.id}@news.${domain.name}>`)
  })

  it('is signed under the A-labels of an IDN', async () => {
    const label = `bücher${fresh('x', '').slice(2, 10)}`
    const own = await verified(owner, `${label}.example`.replace('@', ''))
    assert.match(own.name, /^xn--/)
    const { received, record } = await deliver({ from_: `Bücher <a@${own.name}>` })
    assert.equal(record.from_, `Bücher <a@${own.name}>`)
    assert.equal((await verify(received, dns)).dmarc, 'pass')
  })

  it('is signed over long lines, folded headers, attachments and lines that begin with dots', async () => {
    const { received } = await deliver({
      from_: `a@${domain.name}`,
      subject: 'Größe '.repeat(60),
      text: `.\n..x\n${'y'.repeat(2_000)}\n \t\n.\n`,
      headers: { 'X-Long': 'word '.repeat(150).trim() },
      attachments: [{ filename: 'a.bin', content: Buffer.alloc(300_000, 7).toString('base64') }],
    })
    assert.deepEqual([(await verify(received, dns)).count, (await verify(received, dns)).dmarc], [2, 'pass'])
    const changed = Buffer.from(received.raw)
    changed.writeUInt8((changed.at(-400) ?? 0) ^ 1, changed.length - 400)
    assert.deepEqual((await verify({ ...received, raw: changed }, dns)).by, [])
  })

  it('is shown as raw as it was before it was signed', async () => {
    const { received, record } = await deliver({ from_: `a@${domain.name}` })
    const raw = await tenant.api.call<string>({ path: `/api/v1/emails/${record.id}/raw` })
    assert.equal(raw.status, 200)
    const sent = received.raw.toString('latin1')
    const start = sent.indexOf(`\r\nFrom: `) + 2
    assert.match(sent.slice(0, start), /^DKIM-Signature: .*\r\nDKIM-Signature: .*\r\n$/s)
    assert.equal(sent.slice(start), raw.text)
  })

  describe('with from_ or domain_id that the workspace may not use', () => {
    const foreign = freshDomain()
    const cases: [name: string, fields: () => Record<string, unknown>, problems: { path: string; code?: string }[]][] =
      [
        ['another domain', () => ({ from_: `a@${foreign}` }), [{ path: 'from_' }]],
        ['the shared sender', () => ({ from_: tenant.workspace.sender }), [{ path: 'from_' }]],
        ['an unknown domain_id', () => ({ domain_id: 'dom_x' }), [{ path: 'domain_id', code: 'unknown_domain' }]],
        [
          'both of other domains, and a malformed address',
          () => ({ from_: `a@${foreign}`, domain_id: 'dom_x', to: ['nonsense'] }),
          [{ path: 'to[0]' }, { path: 'domain_id', code: 'unknown_domain' }, { path: 'from_' }],
        ],
      ]
    for (const [name, fields, problems] of cases)
      it(`is refused with every problem: ${name}`, async () => {
        assertProblem(await tenant.send(rawMail(fields())), 422, 'validation_failed', problems)
      })

    it('is refused for a domain of another workspace, which its owner may use', async () => {
      const other = await system().client.tenant()
      const theirs = await verified(ownerOf(await other.makeKey({ scopes: ['domains:write'] }), dns))
      for (const fields of [{ domain_id: theirs.id }, { domain_id: theirs.id, from_: `a@${theirs.name}` }]) {
        const response = await tenant.send(rawMail(fields))
        assertProblem(response, 422, 'validation_failed', [])
        assert.match(response.text, /"code":"unknown_domain"/)
      }
      assertProblem(await tenant.send(rawMail({ from_: `a@${theirs.name}` })), 422, 'validation_failed', [
        { path: 'from_' },
      ])
      await deliver({ from_: `a@${theirs.name}` }, other)
    })

    it('is refused for the domain of another workspace, and for a subdomain that is switched off', async () => {
      const second = await verified(owner)
      const response = await tenant.send(rawMail({ from_: `a@${second.name}`, domain_id: domain.id }))
      assertProblem(response, 422, 'validation_failed', [{ path: 'domain_id' }])
      assert.equal((await owner.call('PATCH', `/${second.id}`, { subdomains: false })).status, 200)
      const sub = rawMail({ from_: `a@news.${second.name}` })
      // A process caches the former state for at most 5 s.
      await until('subdomains are off', async () => ((await tenant.send(sub)).status === 422 ? true : undefined))
      await deliver({ from_: `a@${second.name}` })
    })
  })

  it('leaves from the shared sender with domain_id alone, with a notice', async () => {
    const { record } = await deliver({ domain_id: domain.id })
    assert.deepEqual([domainOf(record.from_), record.domain_id], [domainOf(tenant.workspace.sender), null])
    assert.match(record.notices.join(), /from_ is omitted/)
  })

  it('still leaves while a record is missing, from its own sender', async () => {
    const own = await verified(owner)
    owner.publish(
      own,
      own.records.filter(({ purpose }) => purpose !== 'ownership'),
    )
    assert.equal((await owner.verify(own.id)).status, 'warning')
    const { received } = await deliver({ from_: `a@${own.name}` })
    assert.deepEqual([(await verify(received, dns)).from, (await verify(received, dns)).dmarc], [own.name, 'pass'])
  })

  it('waits after its domain was deleted, reports the reason, is never sent unsigned, and can be canceled', async () => {
    const own = await verified(owner)
    const to = fresh()
    const mail = rawMail({ to: [to], from_: `a@${own.name}`, scheduled_at: 'PT1S' })
    const { body: accepted } = await tenant.send(mail)
    assert.equal((await owner.call('DELETE', `/${own.id}`)).status, 204)
    const held = await tenant.until(
      accepted.id,
      ({ status, recipients }) => status !== 'scheduled' && !!recipients[0]?.reply,
    )
    const [recipient] = held.recipients
    assert.equal(
      recipient?.reply,
      'Its sending domain was deleted, so the mail cannot be signed. Cancel it, and send it again.',
    )
    assert.deepEqual([recipient.status, held.from_, held.attempts], ['deferred', `a@${own.name}`, []])
    assert.ok(recipient.next_at)
    const path = `/api/v1/emails/${accepted.id}/cancel`
    await until('the mail is canceled', async () => {
      const response = await tenant.api.call({ method: 'POST', path })
      return response.status === 200 ? true : undefined
    })
    assert.deepEqual(system().receiver.to(to), [])
  })

  it('fails at its expires_in if it may not be sent until then', async () => {
    const own = await verified(owner)
    const fields = { from_: `a@${own.name}`, scheduled_at: 'PT1S', expires_in: 'PT1S' }
    const { body: accepted } = await tenant.send(rawMail(fields))
    assert.equal((await owner.call('DELETE', `/${own.id}`)).status, 204)
    const ended = await tenant.until(accepted.id, ({ status }) => status === 'failed')
    assert.match(ended.recipients[0]?.reply ?? '', /^Not delivered before expires_in had passed\./)
  })

  it('verifies against the DNS of its moment while its keys are rotated', async () => {
    const own = await verified(owner)
    const before = new Set(keyNames(own).map(({ name }) => name.split('.')[0]))
    const seen = new Set<string>()
    /** Sends some mail, and verifies each as it arrives. */
    const sendSome = async (): Promise<void> => {
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          const { received } = await deliver({ from_: `a@${own.name}` })
          const { dmarc: result, count, selectors } = await verify(received, dns)
          assert.deepEqual([result, count], ['pass', 2])
          for (const selector of selectors) seen.add(selector)
        }),
      )
    }
    await sendSome()
    assert.deepEqual(seen, before)
    const rotated = await owner.call('POST', `/${own.id}/rotate-key`)
    assert.equal(rotated.status, 202, rotated.text)
    await sendSome()
    assert.deepEqual(seen, before)
    owner.publish(rotated.body)
    await Promise.all([owner.verify(own.id), sendSome(), sendSome()])
    await until('mail is signed with the new keys', async () => {
      await sendSome()
      return [...seen].filter((selector) => !before.has(selector)).length === 2 ? true : undefined
    })
    assert.equal(seen.size, 4)
  })
})

describe('mail of the shared sender', () => {
  needsOwnProcess()

  it('is signed by its domain, and no private key is in logs, traces, responses, or files', async () => {
    await using receiver = await startReceiver()
    await using dns = await startDnsServer({ zones: {} })
    await using collector = await startCollector()
    const secret = 'a-known-master-key-of-this-test-0123456789'
    await using own = await ownSystem({
      POSTRIDER_ROUTE: receiver.route,
      POSTRIDER_DNS: dns.address,
      POSTRIDER_SENDER: 'Platform <mail@platform.example>',
      POSTRIDER_SECRET: secret,
      LOG_LEVEL: 'trace',
      ...collector.env,
    })
    const tenant = await own.client.tenant()
    const operator = own.client.withOperatorToken()
    const shown = await operator.call<DomainRecord>({ path: '/api/v1/operator/platform-domain' })
    assert.equal(shown.status, 200, shown.text)
    const owner = ownerOf(await tenant.makeKey({ scopes: ['domains:write'] }), dns)
    owner.publish(shown.body)
    const domain = await owner.add()
    owner.publish(domain)
    await owner.verify(domain.id)
    const responses = [shown.text]
    for (const from_ of [undefined, `a@${domain.name}`]) {
      const to = fresh()
      const response = await tenant.send(rawMail({ to: [to], ...(from_ && { from_ }) }))
      assert.equal(response.status, 202, response.text)
      const received = await receiver.waitFor(to)
      const seen = await verify(received, dns)
      assert.deepEqual([seen.from, seen.dmarc, seen.count], [from_ ? domain.name : 'platform.example', 'pass', 2])
      const done = await tenant.until(response.body.id, ({ status }) => status === 'delivered')
      responses.push(received.raw.toString('latin1'), JSON.stringify(done))
    }
    for (const path of ['/api/v1/domains', `/api/v1/domains/${domain.id}`, '/metrics'])
      responses.push((await tenant.api.call({ path })).text)
    // Errors of each operation that handles keys.
    const path = `/api/v1/domains/${domain.id}`
    for (const [method, json, status] of [
      ['POST', { name: domain.name }, 409],
      ['POST', { name: 'co.uk' }, 422],
      ['POST', { name: domain.name, keys: [] }, 422],
      ['PATCH', { keys: [] }, 422],
      ['PUT', {}, 405],
    ] as const) {
      const isNew = method === 'POST'
      const response = await owner.call(method, isNew ? '' : `/${domain.id}`, json)
      assert.equal(response.status, status, response.text)
      responses.push(response.text)
    }
    const stranger = await own.client.tenant()
    for (const end of ['', '/verify', '/rotate-key']) {
      const method = end === '' ? 'GET' : 'POST'
      const response = await stranger.session.call({ method, path: `${path}${end}` })
      assert.equal(response.status, 404, response.text)
      responses.push(response.text)
    }
    responses.push((await owner.call('POST', `/${domain.id}/rotate-key`)).text)
    await own.standalone.stop()
    const keys = privateKeysIn(own.standalone.data, secret)
    // Two domains with two keys each, and two new ones of the rotation.
    assert.equal(keys.length, 6)
    const files = readdirSync(own.standalone.data).map((file) =>
      readFileSync(join(own.standalone.data, file), 'latin1'),
    )
    const outputs = {
      responses: responses.join('\n'),
      files: files.join('\n'),
      logs: own.standalone.output(),
      traces: collector.received(),
    }
    for (const [output, text] of Object.entries(outputs))
      for (const part of keys.flatMap(secretParts)) assert.ok(!text.includes(part), `a private key is in the ${output}`)
    assert.ok(!outputs.logs.includes(secret) && !outputs.responses.includes(secret))
  })
})

/** Opens every stored key with the master key. */
const privateKeysIn = (data: string, secret: string): Buffer[] => {
  using db = new DatabaseSync(join(data, 'postrider.db'), { readOnly: true })
  const box = makeSecretBox({ secrets: [secret], purpose: dkimSecretPurpose })
  return db
    .prepare('SELECT doc FROM domains')
    .all()
    .flatMap(({ doc }) => {
      const domain = JSON.parse(String(doc)) as SendingDomain
      return domain.keys.flatMap((key) =>
        key.sealed ? [requireOpened(box.open(key.sealed.box, sealedContext(domain, key)), key.selector)] : [],
      )
    })
}
