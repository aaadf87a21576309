import assert from 'node:assert/strict'
import { assertProblem } from '../support/assertProblem.ts'
import { freshDomain, type Tenant } from '../support/client.ts'
import type { DnsServer, Rrsets } from '../support/dnsServer.ts'
import { asZone, type Owner, ownerOf } from '../support/domains.ts'
import type { DnsRecord, DomainRecord, ListRecord } from '../support/records.ts'
import { skip } from '../support/skip.ts'
import { bounceDomain, useSystem } from '../support/suite.ts'
import { until } from '../support/until.ts'

const required = ({ records }: DomainRecord): DnsRecord[] => records.filter((record) => record.required)

const recordOf = ({ records }: DomainRecord, purpose: string): DnsRecord =>
  records.find((record) => record.purpose === purpose) ?? assert.fail(purpose)

const algorithmOf = ({ value }: DnsRecord): string | undefined => /k=(\w+)/.exec(value)?.[1]

const rsaOf = ({ records }: DomainRecord): DnsRecord[] =>
  records.filter((record) => record.purpose === 'dkim' && algorithmOf(record) === 'rsa')

describe('sending domains', () => {
  const system = useSystem()
  let dns: DnsServer
  let tenant: Tenant
  let owner: Owner
  /** Has all records in DNS. No request triggers its check. */
  let unattended: DomainRecord

  const ownerIn = async (workspace: Tenant): Promise<Owner> =>
    ownerOf(await workspace.makeKey({ scopes: ['domains:write'] }), dns)

  before(async function useDns() {
    const own = system().dns
    if (own === null) return skip(this, 'the running service uses another DNS server')
    dns = own
    tenant = await system().client.tenant()
    owner = await ownerIn(tenant)
    unattended = await owner.add()
    owner.publish(unattended)
  })

  /** Adds a domain with all records in DNS, and checks it. */
  const verified = async (by = owner, name?: string): Promise<DomainRecord> => {
    const domain = await by.add(name)
    by.publish(domain)
    const checked = await by.verify(domain.id)
    assert.equal(checked.status, 'verified', JSON.stringify(checked))
    return checked
  }

  it('returns the records to set', async () => {
    const name = freshDomain()
    dns.zones[name] = { names: {} }
    const answer = await owner.call('POST', '', { name: `${name.toUpperCase()}.` })
    assert.equal(answer.status, 201, answer.text)
    const { body: domain } = answer
    assert.match(domain.id, /^dom_[0-9a-z]{26}$/)
    assert.equal(answer.headers['location'], `/api/v1/domains/${domain.id}`)
    const { records, created_at, ...rest } = domain
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(rest, {
      object: 'domain',
      id: domain.id,
      name,
      status: 'pending',
      subdomains: true,
      verified_at: null,
      checked_at: null,
    })
    const [ownership, rsa, ed25519, mx, spf, dmarc] = records
    assert.equal(records.length, 6)
    assert.equal(ownership?.name, `_postrider.${name}`)
    assert.match(ownership.value, /^postrider-verification=\w{26}$/)
    assert.match(rsa?.name ?? '', new RegExp(`^\\w+\\._domainkey\\.${name}$`))
    assert.match(rsa?.value ?? '', /^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{392}$/)
    assert.match(ed25519?.value ?? '', /^v=DKIM1; k=ed25519; p=[A-Za-z0-9+/]{43}=$/)
    assert.notEqual(rsa?.name, ed25519?.name)
    assert.deepEqual([mx?.type, mx?.name, mx?.value, mx?.priority], ['MX', `bounces.${name}`, bounceDomain, 10])
    assert.deepEqual([spf?.name, spf?.value], [`bounces.${name}`, `v=spf1 include:${bounceDomain} ~all`])
    assert.deepEqual([dmarc?.name, dmarc?.value], [`_dmarc.${name}`, 'v=DMARC1; p=none'])
    assert.deepEqual(
      records.map(({ purpose, required }) => [purpose, required]),
      [
        ['ownership', true],
        ['dkim', true],
        ['dkim', false],
        ['return_path_mx', false],
        ['return_path_spf', false],
        ['dmarc', false],
      ],
    )
    for (const record of records) {
      assert.deepEqual([record.status, record.found], ['unknown', null])
      assert.ok(!('problem' in record))
      if (record.type === 'TXT') assert.ok(!('priority' in record))
    }
    assert.deepEqual(await owner.read(domain.id), domain)
  })

  it('is verified with the required records alone', async () => {
    const domain = await owner.add()
    owner.publish(domain, required(domain))
    const checked = await owner.verify(domain.id)
    assert.equal(checked.status, 'verified')
    const missing = checked.records.filter((record) => !record.required)
    for (const { status, found, problem } of missing) {
      assert.deepEqual([status, found], ['missing', null])
      assert.match(problem ?? '', /Add /)
    }
  })

  describe('a broken record', () => {
    type Broken = { status: string; problem: string }
    const cases: [
      mistake: string,
      purpose: string,
      zone: (d: DomainRecord) => Record<string, Rrsets>,
      (d: DomainRecord) => Broken,
    ][] = [
      [
        'that is missing',
        'ownership',
        ({ records }) => asZone(records.filter(({ purpose }) => purpose !== 'ownership')),
        ({ name }) => ({
          status: 'missing',
          problem: `There is no TXT record at _postrider.${name}. Add the record shown.`,
        }),
      ],
      [
        'with the domain appended twice',
        'ownership',
        (domain) => ({
          ...asZone(domain.records.filter(({ purpose }) => purpose !== 'ownership')),
          [`_postrider.${domain.name}.${domain.name}`]: { TXT: [recordOf(domain, 'ownership').value] },
        }),
        ({ name }) => ({
          status: 'missing',
          problem: `The record is at _postrider.${name}.${name} instead of _postrider.${name}. The domain was appended twice. If your DNS panel appends ${name} by itself, enter _postrider as the name.`,
        }),
      ],
      [
        'with quotes in its value',
        'dkim',
        (domain) => {
          const { name, value } = recordOf(domain, 'dkim')
          return { ...asZone(domain.records), [name]: { TXT: [`"${value}"`] } }
        },
        (domain) => ({
          status: 'wrong',
          problem: `The value at ${recordOf(domain, 'dkim').name} contains quotation marks; remove them, so that only the value shown is left.`,
        }),
      ],
      [
        'with a key that is cut off',
        'dkim',
        (domain) => {
          const { name, value } = recordOf(domain, 'dkim')
          return { ...asZone(domain.records), [name]: { TXT: [value.slice(0, 255)] } }
        },
        (domain) => ({
          status: 'wrong',
          problem: `The key at ${recordOf(domain, 'dkim').name} is cut off: its last 155 characters are missing. Enter the whole value shown; if your DNS panel accepts only 255 characters, split the value into several strings of one record.`,
        }),
      ],
      [
        'next to a CNAME',
        'dkim',
        (domain) => {
          const { name, value } = recordOf(domain, 'dkim')
          return { ...asZone(domain.records), [name]: { TXT: [value], CNAME: 'mail.provider.example' } }
        },
        (domain) => ({
          status: 'wrong',
          problem: `There is a CNAME to mail.provider.example at ${recordOf(domain, 'dkim').name} next to the TXT record; a name with a CNAME must have no other record. Delete the CNAME.`,
        }),
      ],
      [
        'with two SPF records',
        'return_path_spf',
        (domain) => {
          const { name, value } = recordOf(domain, 'return_path_spf')
          const { MX } = asZone(domain.records)[name] ?? assert.fail()
          return { ...asZone(domain.records), [name]: { TXT: [value, 'v=spf1 -all'], ...(MX && { MX }) } }
        },
        ({ name }) => ({
          status: 'wrong',
          problem: `There are 2 SPF records at bounces.${name}; receivers then reject all of them. Keep one: v=spf1 include:${bounceDomain} ~all`,
        }),
      ],
    ]
    for (const [mistake, purpose, zone, expected] of cases)
      it(`${mistake} is named with its fix`, async () => {
        const domain = await owner.add()
        dns.zones[domain.name] = { names: zone(domain) }
        const checked = await owner.verify(domain.id)
        const { status, problem, required: isRequired } = recordOf(checked, purpose)
        assert.deepEqual({ status, problem }, expected(domain))
        assert.equal(checked.status, isRequired ? 'pending' : 'verified')
        owner.publish(domain)
        assert.equal((await owner.verify(domain.id)).status, 'verified')
      })

    it('makes the domain a warning when it disappears, until it is there again', async () => {
      const domain = await verified()
      owner.publish(domain, domain.records.slice(1))
      const broken = await owner.verify(domain.id)
      assert.equal(broken.status, 'warning')
      assert.equal(broken.verified_at, domain.verified_at)
      owner.publish(domain)
      assert.equal((await owner.verify(domain.id)).status, 'verified')
    })

    it('is unknown and changes nothing when its server fails', async () => {
      const domain = await verified()
      for (const fault of ['servfail', 'refused'] as const) {
        dns.zones[domain.name] = { names: asZone(domain.records), fault }
        const checked = await owner.verify(domain.id)
        assert.equal(checked.status, 'verified')
        const { status, found, problem } = recordOf(checked, 'ownership')
        assert.deepEqual([status, found], ['unknown', recordOf(domain, 'ownership').value])
        assert.match(problem ?? '', /could not be checked; it is checked again soon/)
      }
    })
  })

  it('switches subdomains off and on, and changes nothing without a field', async () => {
    const domain = await owner.add()
    for (const [json, expected] of [
      [{ subdomains: false }, false],
      [{}, false],
      [{ subdomains: null }, false],
      [{ subdomains: true }, true],
    ] as const) {
      const answer = await owner.call('PATCH', `/${domain.id}`, json)
      assert.deepEqual([answer.status, answer.body.subdomains], [200, expected], answer.text)
      assert.equal((await owner.read(domain.id)).subdomains, expected)
    }
    assertProblem(await owner.call('PATCH', `/${domain.id}`, { subdomains: 'no' }), 422, 'validation_failed', [
      { path: 'subdomains', code: 'wrong_type' },
    ])
  })

  it('rotates its key: the new record is shown, found and then required, and the old record must stay', async () => {
    const domain = await verified()
    const [old] = rsaOf(domain)
    assert.ok(old)
    const answer = await owner.call('POST', `/${domain.id}/rotate-key`)
    assert.equal(answer.status, 202, answer.text)
    const fresh = rsaOf(answer.body).find(({ name }) => name !== old.name) ?? assert.fail(answer.text)
    assert.deepEqual([fresh.status, fresh.required], ['unknown', false])
    assert.equal(rsaOf(answer.body).find(({ name }) => name === old.name)?.required, true)
    const again = await owner.call('POST', `/${domain.id}/rotate-key`)
    assert.deepEqual(
      [again.status, rsaOf(again.body).map(({ name }) => name)],
      [202, rsaOf(answer.body).map(({ name }) => name)],
    )

    const waiting = await owner.verify(domain.id)
    assert.equal(waiting.status, 'verified')
    assert.equal(rsaOf(waiting).find(({ name }) => name === fresh.name)?.status, 'missing')

    owner.publish(waiting)
    const rotated = await owner.verify(domain.id)
    assert.equal(rotated.status, 'verified')
    const [now, before] = [fresh, old].map(({ name }) => rsaOf(rotated).find((record) => record.name === name))
    assert.deepEqual([now?.status, now?.required, now?.problem], ['found', true, undefined])
    assert.equal(before?.required, false)
    assert.match(before?.problem ?? '', /^This key was replaced\. Keep this record until \d{4}-\d\d-\d\dT/)
  })

  it('is deleted, and then has a new token and new keys when it is added again', async () => {
    const domain = await owner.add()
    const answer = await owner.call('DELETE', `/${domain.id}`)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', ''],
      ['POST', '/verify'],
      ['POST', '/rotate-key'],
    ] as const) {
      const json = method === 'PATCH' ? { subdomains: true } : undefined
      assertProblem(await owner.call(method, `/${domain.id}${path}`, json), 404, 'not_found')
    }
    const again = await owner.add(domain.name)
    const values = new Set(domain.records.flatMap(({ purpose, value }) => (/own|dkim/.test(purpose) ? [value] : [])))
    assert.equal(again.records.filter(({ value }) => values.has(value)).length, 0)
  })

  it('lists domains newest first, in pages', async () => {
    const other = await ownerIn(await system().client.tenant())
    const added = [await other.add(), await other.add(), await other.add()].map(({ id }) => id).reverse()
    const first = await other.call<ListRecord<DomainRecord>>('GET', '?limit=2')
    assert.deepEqual([first.body.data.map(({ id }) => id), first.body.has_more], [added.slice(0, 2), true])
    const [newest] = first.body.data
    assert.deepEqual(newest, await other.read(newest?.id ?? ''))
    const rest = await other.call<ListRecord<DomainRecord>>('GET', `?limit=2&cursor=${first.body.next_cursor}`)
    assert.deepEqual(
      [rest.body.data.map(({ id }) => id), rest.body.has_more, rest.body.next_cursor],
      [added.slice(2), false, null],
    )
  })

  describe('names', () => {
    const refused: [name: string, code: string][] = [
      ['co.uk', 'public_suffix'],
      ['localhost', 'public_suffix'],
      ['intranet', 'public_suffix'],
      ['127.0.0.1', 'public_suffix'],
      ['[::1]', 'public_suffix'],
      ['https://shop.example/', 'url'],
      ['jane@shop.example', 'address'],
      ['*.shop.example', 'wildcard'],
      ['shop .example', 'whitespace'],
      ['_dmarc.shop.example', 'underscore'],
      ['shop..example', 'empty_label'],
      [bounceDomain, 'platform_domain'],
      [`mail.${bounceDomain}`, 'platform_domain'],
    ]
    for (const [name, code] of refused)
      it(`are refused with the reason: ${name} (${code})`, async () => {
        const problem = assertProblem(await owner.call('POST', '', { name }), 422, 'validation_failed', [
          { path: 'name', code },
        ])
        assert.match(problem.detail, /^name: .*\.$/)
      })

    it('beyond ASCII are stored as A-labels', async () => {
      const name = `bücher-${freshDomain()}`
      const answer = await owner.call('POST', '', { name })
      assert.equal(answer.status, 201, answer.text)
      assert.match(answer.body.name, /^xn--bcher-/)
      assert.ok(answer.body.records.every((record) => record.name.endsWith(`.${answer.body.name}`)))
    })

    it('are unique in a workspace, in every spelling', async () => {
      const { name } = await owner.add()
      for (const spelling of [name, name.toUpperCase(), `${name}.`])
        assertProblem(await owner.call('POST', '', { name: spelling }), 409, 'conflict')
    })
  })

  describe('of several workspaces', () => {
    it('are 404 in every other workspace', async () => {
      const domain = await owner.add()
      const stranger = await ownerIn(await system().client.tenant())
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/verify'],
        ['POST', '/rotate-key'],
      ] as const) {
        const json = method === 'PATCH' ? { subdomains: false } : undefined
        assertProblem(await stranger.call(method, `/${domain.id}${path}`, json), 404, 'not_found')
      }
      const list = await stranger.call<ListRecord<DomainRecord>>('GET', '')
      assert.deepEqual(list.body.data, [])
      assert.equal((await owner.read(domain.id)).subdomains, true)
    })

    it('may have the same name pending, and one of them verifies it until it releases the name', async () => {
      const stranger = await ownerIn(await system().client.tenant())
      const mine = await owner.add()
      const theirs = await stranger.add(mine.name)
      assert.notEqual(recordOf(mine, 'ownership').value, recordOf(theirs, 'ownership').value)
      // The zone has the records of both.
      owner.publish(mine, [...mine.records, ...required(theirs)])
      assert.equal((await owner.verify(mine.id)).status, 'verified')
      const second = await stranger.verify(theirs.id)
      assert.equal(second.status, 'pending')
      assert.equal(
        recordOf(second, 'ownership').problem,
        `Another workspace has verified ${mine.name}. Remove its record from _postrider.${mine.name}: 24 h later, this workspace can verify the domain.`,
      )
      assert.equal((await owner.call('DELETE', `/${mine.id}`)).status, 204)
      assert.equal((await stranger.verify(theirs.id)).status, 'verified')
    })
  })

  describe('access', () => {
    it('follows the scopes of a key, also of a test key', async () => {
      const domain = await owner.add()
      for (const mode of ['live', 'test']) {
        const reader = ownerOf(await tenant.makeKey({ mode, scopes: ['domains:read'] }), dns)
        assert.deepEqual((await reader.read(domain.id)).id, domain.id)
        for (const [method, path] of [
          ['POST', ''],
          ['PATCH', `/${domain.id}`],
          ['DELETE', `/${domain.id}`],
          ['POST', `/${domain.id}/verify`],
          ['POST', `/${domain.id}/rotate-key`],
        ] as const) {
          const answer = await reader.call(
            method,
            path,
            method === 'PATCH' ? { subdomains: false } : { name: 'a.example' },
          )
          const { detail } = assertProblem(answer, 403, 'insufficient_scope')
          assert.match(detail, /domains:write/)
        }
        const sender = ownerOf(await tenant.makeKey({ mode, scopes: ['emails:send', 'templates:write'] }), dns)
        assertProblem(await sender.call('GET', ''), 403, 'insufficient_scope')
        const manager = ownerOf(await tenant.makeKey({ mode, scopes: ['domains:write'] }), dns)
        assert.equal((await manager.call('PATCH', `/${domain.id}`, { subdomains: mode === 'test' })).status, 200)
      }
    })

    it('follows the role of a session', async () => {
      const bySession = ownerOf(tenant.session, dns)
      const domain = await bySession.add()
      assert.equal((await bySession.call('DELETE', `/${domain.id}`)).status, 204)
    })
  })

  it('are shown to the operator only if they are of the platform', async () => {
    const path = '/api/v1/operator/platform-domain'
    const { body, status } = await system().client.withOperatorToken().call<DomainRecord>({ path })
    assert.equal(status, 200)
    assert.equal(body.object, 'platform_domain')
    assert.equal(body.name, tenant.workspace.sender.split('@')[1])
    assert.ok(body.records.some(({ purpose }) => purpose === 'dkim'))
    assertProblem(await tenant.api.call({ path }), 401, 'unauthenticated')
  })

  // Last, because the first check follows some seconds after the domain was added.
  describe('schedule of checks', () => {
    it('verifies a domain without another request when its records are in DNS', async () => {
      const found = await until('a verified domain', async () => {
        const domain = await owner.read(unattended.id)
        return domain.status === 'verified' ? domain : undefined
      })
      // A later check may have been made since.
      assert.ok((found.verified_at ?? '') <= (found.checked_at ?? ''), `${found.verified_at} ${found.checked_at}`)
      for (const record of found.records) {
        assert.equal(record.status, 'found')
        assert.equal(record.found, record.type === 'MX' ? `${record.priority} ${record.value}` : record.value)
        assert.equal(record.problem, undefined)
      }
    })
  })
})
