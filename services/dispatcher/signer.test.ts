import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import {
  type KeyAlgorithm,
  platformWorkspace,
  type SendingDomain,
  signingDomainOf,
} from '@postrider/domain/domains/domain.ts'
import { dkimSecretPurpose, sealedContext } from '@postrider/domain/domains/keys.ts'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import { messageSteps } from '@postrider/domain/email/message.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { makeLog } from '@postrider/kit/log.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { makeSecretBox, type SecretBox } from '@postrider/kit/secretBox.ts'
import { type DkimKeyPair, generateDkimKey } from '@postrider/mail/dkimKeys.ts'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { dmarc } from 'mailauth/lib/dmarc/index.js'
import { anEmail } from '../../test/support/anEmail.ts'
import { inOneStep } from '../../test/support/inOneStep.ts'
import { secretParts } from '../../test/support/privateKeys.ts'
import { signingDomains } from './keys.ts'
import { dispatcherMetrics } from './metrics.ts'
import { makeSigner, type Signing } from './signer.ts'

const messageOf = inOneStep(messageSteps)

const start = Date.UTC(2025, 10, 22)
const [secret, otherSecret] = ['a secret of the installation, long enough', 'another secret of the installation, too']
const content: Content = { html: null, text: 'It works.', headers: {}, attachments: [] }
const owner = 'ws_01m7yr6cabfzvahf8pz72f0kb4'

const boxOf = (...secrets: [string, ...string[]]) => makeSecretBox({ secrets, purpose: dkimSecretPurpose })

/** Two keys of each algorithm, because a test rotates them. */
const pairs: Record<KeyAlgorithm, DkimKeyPair[]> = { rsa: [], ed25519: [] }
before(async () => {
  for (let n = 0; n < 2; n++) {
    pairs.rsa.push(await generateDkimKey('rsa-sha256'))
    pairs.ed25519.push(await generateDkimKey('ed25519-sha256'))
  }
})

type KeyOver = Partial<SendingDomain['keys'][number]>

const keyOf = (id: string, algorithm: KeyAlgorithm, number: number, over: KeyOver = {}) => {
  const { privateKey, record } = pairs[algorithm][number] ?? assert.fail('no such key')
  const selector = `${algorithm}${number}`
  const box = boxOf(secret)
  return {
    selector,
    algorithm,
    publicRecord: record,
    sealed: { secretId: box.secretId, box: box.seal(privateKey, sealedContext({ id }, { selector })) },
    state: 'active' as const,
    shownAt: start,
    activeAt: start,
    retiredAt: null,
    ...over,
  }
}

const aDomain = (over: Partial<SendingDomain> = {}): SendingDomain => {
  const { id = 'dom_1' } = over
  return {
    id,
    workspace: owner,
    name: 'mine.com',
    createdAt: start,
    status: 'verified',
    subdomains: true,
    token: 'token',
    keys: [keyOf(id, 'rsa', 0), keyOf(id, 'ed25519', 0)],
    lastCheck: null,
    watchedSince: start,
    verifiedAt: start,
    warningSince: null,
    returnPathVerified: false,
    events: [],
    ...over,
  }
}

const platformDomain = (over: Partial<SendingDomain> = {}): SendingDomain =>
  aDomain({ id: 'dom_p', workspace: platformWorkspace, name: 'postrider.test', status: 'pending', ...over })

type BenchOptions = { stored?: SendingDomain[]; secrets?: [string, ...string[]] | null; sender?: string }

/** A signer over stored domains, a clock and a log that the test controls. */
const bench = ({ stored = [aDomain()], secrets = [secret], sender = 'mail@postrider.test' }: BenchOptions = {}) => {
  const state = { stored, at: start, reads: 0, opened: 0, fault: null as Error | null }
  const find = async (matches: (domain: SendingDomain) => boolean) => {
    state.reads += 1
    if (state.fault) throw state.fault
    return state.stored.find(matches) ?? null
  }
  const domains = {
    signing: async (id: string) => {
      const found = await find((domain) => domain.id === id)
      return found && signingDomainOf(found)
    },
    byName: async (workspace: string, name: string) => {
      const found = await find((domain) => domain.workspace === workspace && domain.name === name)
      return found && { domain: found, nextCheckAt: 0, leaseUntil: null, fence: 0 }
    },
  }
  const lines: string[] = []
  const metrics = makeMetrics(dispatcherMetrics)
  const now = () => state.at
  const box = secrets && boxOf(...secrets)
  const open: SecretBox['open'] = (...args) => {
    assert.ok(box)
    state.opened += 1
    return box.open(...args)
  }
  const signer = makeSigner({
    domains: signingDomains({ domains, elapsed: now }),
    senderAddress: sender,
    box: box && { ...box, open },
    now,
    log: makeLog('test', 'info', { write: (line) => void lines.push(line) }),
    metrics,
  })
  const series = async (name: string): Promise<string[]> =>
    (await metrics.registry.metrics())
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) && !line.endsWith(' 0'))
      .map((line) => line.slice(name.length))
  return { state, lines, signer, metrics, series }
}

const mine = (over: Partial<Email> = {}): Email =>
  anEmail({ domainId: 'dom_1', from: { name: 'Ann', address: 'a@mine.com' }, ...over })

/** Returns the message with its signatures, as a server receives it. */
const finished = async (signing: Signing, email: Email, form: 'ascii' | 'utf8' = 'ascii'): Promise<Buffer> => {
  if (signing.kind !== 'sign') return assert.fail(inspect(signing))
  const message = messageOf(email, content, form)
  const fields = await signing.sign(message, false)
  return 'kind' in fields ? assert.fail(inspect(fields)) : Buffer.concat([fields, message])
}

/** Verifies as a receiver that finds these domains' keys in DNS, except retired ones that were removed. */
const verified = async (message: Buffer, domains: readonly SendingDomain[]) => {
  const records = new Map<string, string>(
    domains.flatMap(({ name, keys }) => [
      ...keys.map(({ selector, publicRecord }) => [`${selector}._domainkey.${name}`, publicRecord] as const),
      [`_dmarc.${name}`, 'v=DMARC1; p=reject; adkim=r'] as const,
    ]),
  )
  const resolver = async (name: string): Promise<string[][]> => {
    const record = records.get(name)
    if (record === undefined) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return [[record]]
  }
  const dkim = await dkimVerify(message, { resolver, curTime: new Date(start + 60_000) })
  const passed = dkim.results.filter(({ status }) => status.result === 'pass')
  const domain = String(dkim.headerFrom).split('@').at(-1) ?? ''
  const aligned = passed.map(({ signingDomain = '' }) => ({ domain: signingDomain, aligned: signingDomain }))
  const policy = await dmarc({ headerFrom: domain, spfDomains: [], dkimDomains: aligned, resolver })
  return {
    passed: passed.map(({ selector, signingDomain }) => `${selector} ${signingDomain}`),
    count: dkim.results.length,
    dmarc: policy ? policy.status.result : null,
  }
}

const both = ['rsa0 mine.com', 'ed255190 mine.com']
const good = { passed: both, count: 2, dmarc: 'pass' }

describe('signer', () => {
  for (const [name, address] of [
    ['its domain', 'a@mine.com'],
    ['a subdomain', 'a@news.mine.com'],
    ['a UTF-8 address of its domain', 'é@mine.com'],
  ] as const)
    it(`signs mail from ${name} with both algorithms, aligned for DMARC`, async () => {
      const { signer, state, series } = bench()
      const email = mine({ from: { name: 'Ännchen', address } })
      const form = /[^\0-\x7f]/.test(address) ? 'utf8' : 'ascii'
      const message = await finished(await signer.prepare(email, true), email, form)
      assert.deepEqual(await verified(message, state.stored), good)
      assert.deepEqual(await series('postrider_mail_signatures_total'), [
        '{algorithm="rsa",outcome="signed"} 1',
        '{algorithm="ed25519",outcome="signed"} 1',
      ])
    })

  it('signs with the domain although it is in warning, and with RSA alone if only that is found', async () => {
    const stored = [
      aDomain({
        status: 'warning',
        keys: [keyOf('dom_1', 'rsa', 0), keyOf('dom_1', 'ed25519', 0, { state: 'shown' })],
      }),
    ]
    const { signer, state } = bench({ stored })
    const message = await finished(await signer.prepare(mine(), true), mine())
    assert.deepEqual(await verified(message, state.stored), { passed: ['rsa0 mine.com'], count: 1, dmarc: 'pass' })
  })

  const failedReason = 'The domain mine.com is not verified, so the mail waits.'
  const deleted = 'Its sending domain was deleted, so the mail cannot be signed. Cancel it, and send it again.'
  const closed = 'The signing key of mine.com cannot be used until the operator corrects the configuration.'
  const holds: [name: string, options: () => BenchOptions, email: Partial<Email>, cause: string, reason: string][] = [
    ['failed', () => ({ stored: [aDomain({ status: 'failed' })] }), {}, 'domain', failedReason],
    ['is pending again', () => ({ stored: [aDomain({ status: 'pending' })] }), {}, 'domain', failedReason],
    ['was deleted', () => ({ stored: [] }), {}, 'domain', deleted],
    ['belongs to another workspace', () => ({ stored: [aDomain({ workspace: 'ws_2' })] }), {}, 'domain', deleted],
    [
      'has no key that signs',
      () => ({ stored: [aDomain({ keys: [keyOf('dom_1', 'rsa', 0, { sealed: null, state: 'retiring' })] })] }),
      {},
      'domain',
      'The domain mine.com has no DKIM key that can sign.',
    ],
    [
      'is not the domain of From',
      () => ({}),
      { from: { name: '', address: 'a@notmine.com' } },
      'domain',
      'The domain mine.com cannot sign mail of notmine.com.',
    ],
    ['has keys under another secret', () => ({ secrets: [otherSecret] }), {}, 'key', closed],
    ['has keys, and no secret is configured', () => ({ secrets: null }), {}, 'key', closed],
    [
      'has the key of another domain',
      () => ({ stored: [aDomain({ keys: [keyOf('dom_2', 'rsa', 0), keyOf('dom_2', 'ed25519', 0)] })] }),
      {},
      'key',
      closed,
    ],
    [
      'has a damaged RSA key',
      () => ({
        stored: [
          aDomain({
            keys: [keyOf('dom_1', 'rsa', 0, { sealed: { secretId: '', box: 's1.x' } }), keyOf('dom_1', 'ed25519', 0)],
          }),
        ],
      }),
      {},
      'key',
      closed,
    ],
    [
      'has a key of another algorithm',
      () => ({ stored: [aDomain({ keys: [keyOf('dom_1', 'ed25519', 0, { algorithm: 'rsa' })] })] }),
      {},
      'key',
      closed,
    ],
  ]
  for (const [name, options, over, cause, reason] of holds)
    it(`holds mail whose domain ${name}`, async () => {
      const { signer } = bench(options())
      const held = await signer.prepare(mine(over), true)
      assert.deepEqual(held, { kind: 'hold', cause, hold: { reason, maxMs: 300_000 } })
    })

  it('holds mail of a failed domain also where no transport reads it, and opens no key there', async () => {
    const { signer, state } = bench({ secrets: null })
    assert.deepEqual(await signer.prepare(mine(), false), { kind: 'unsigned' })
    state.stored = [aDomain({ status: 'failed' })]
    state.at += 3_001
    assert.equal((await signer.prepare(mine(), false)).kind, 'hold')
  })

  it('signs with RSA if the Ed25519 key cannot be opened', async () => {
    const keys = [keyOf('dom_1', 'rsa', 0), keyOf('dom_1', 'ed25519', 0, { sealed: { secretId: '', box: 's1.x' } })]
    const { signer, state, series } = bench({ stored: [aDomain({ keys })] })
    const message = await finished(await signer.prepare(mine(), true), mine())
    assert.deepEqual((await verified(message, state.stored)).passed, ['rsa0 mine.com'])
    assert.deepEqual(await series('postrider_mail_signatures_total'), [
      '{algorithm="ed25519",outcome="failed"} 1',
      '{algorithm="rsa",outcome="signed"} 1',
    ])
  })

  it('holds mail while the store is unavailable, and signs as soon as it responds', async () => {
    const { signer, state } = bench()
    state.fault = new Fault('unavailable', 'The store is unavailable.')
    for (const domainId of ['dom_1', null]) {
      const held = await signer.prepare(mine({ domainId }), true)
      const reason = 'The signing key cannot be read at the moment, so the mail waits.'
      assert.deepEqual(held, { kind: 'hold', cause: 'store', hold: { reason, maxMs: 60_000 } })
    }
    state.fault = null
    assert.equal((await signer.prepare(mine(), true)).kind, 'sign')
  })

  it('throws an error of the store that is not an outage', async () => {
    const { signer, state } = bench()
    state.fault = new Error('a bug')
    await assert.rejects(signer.prepare(mine(), true), /a bug/)
  })

  it('holds mail whose signature fails, and counts that', async () => {
    const { signer, series, lines } = bench()
    const signing = await signer.prepare(mine(), true)
    const twice = Buffer.from('From: a@mine.com\r\nFrom: b@mine.com\r\n\r\nx')
    const held = signing.kind === 'sign' && (await signing.sign(twice, false))
    const reason = 'The mail could not be signed, so it waits.'
    assert.deepEqual(held, { kind: 'hold', cause: 'signature', hold: { reason, maxMs: 60_000 } })
    assert.deepEqual(await series('postrider_mail_signatures_total'), [
      '{algorithm="rsa",outcome="failed"} 1',
      '{algorithm="ed25519",outcome="failed"} 1',
    ])
    assert.match(lines.join(''), /signing failed/)
  })

  it('reads a domain once in 3 s, also for mail that comes while it is read', async () => {
    const { signer, state } = bench()
    await Promise.all(Array.from({ length: 20 }, () => signer.prepare(mine(), true)))
    state.at += 3_000
    await signer.prepare(mine(), true)
    assert.equal(state.reads, 1)
    state.at += 1
    await signer.prepare(mine(), true)
    assert.equal(state.reads, 2)
  })

  it('uses a new key 3 s after it is found; mail signed before still verifies', async () => {
    const { signer, state } = bench()
    const early = await finished(await signer.prepare(mine(), true), mine())
    const [rsa, ed25519] = aDomain().keys
    const retired = { sealed: null, state: 'retiring' as const, retiredAt: start }
    const fresh = [keyOf('dom_1', 'rsa', 1), keyOf('dom_1', 'ed25519', 1)]
    const old = [rsa, ed25519].flatMap((key) => (key ? { ...key, ...retired } : []))
    state.stored = [aDomain({ keys: [...fresh, ...old] })]
    const during = await finished(await signer.prepare(mine(), true), mine())
    state.at += 3_001
    const late = await finished(await signer.prepare(mine(), true), mine())
    const answers = await Promise.all([early, during, late].map((message) => verified(message, state.stored)))
    assert.deepEqual(answers, [good, good, { ...good, passed: ['rsa1 mine.com', 'ed255191 mine.com'] }])
  })

  it('opens a key once, and again after it was encrypted again', async () => {
    const { signer, state } = bench({ stored: [aDomain({ keys: [keyOf('dom_1', 'rsa', 0)] })] })
    for (const opened of [1, 1]) {
      await signer.prepare(mine(), true)
      assert.equal(state.opened, opened)
    }
    state.stored = [aDomain({ keys: [keyOf('dom_1', 'rsa', 0)] })]
    state.at += 3_001
    for (const opened of [2, 2]) {
      await signer.prepare(mine(), true)
      assert.equal(state.opened, opened)
    }
  })

  it('opens keys of an old secret while both are configured', async () => {
    const { signer } = bench({ secrets: [otherSecret, secret] })
    assert.equal((await signer.prepare(mine(), true)).kind, 'sign')
  })

  describe('for the platform', () => {
    const shared = (over: Partial<Email> = {}): Email =>
      anEmail({ from: { name: '', address: 'mail@postrider.test' }, ...over })

    it('signs also before its records are found', async () => {
      const keys = [keyOf('dom_p', 'rsa', 0, { state: 'shown' }), keyOf('dom_p', 'ed25519', 0, { state: 'shown' })]
      const { signer, state } = bench({ stored: [platformDomain({ keys })] })
      const message = await finished(await signer.prepare(shared(), true), shared())
      const passed = ['rsa0 postrider.test', 'ed255190 postrider.test']
      assert.deepEqual(await verified(message, state.stored), { passed, count: 2, dmarc: 'pass' })
    })

    it('leaves mail unsigned if there is no domain of it yet', async () => {
      const { signer } = bench({ stored: [] })
      assert.deepEqual(await signer.prepare(shared(), true), { kind: 'unsigned' })
    })

    // Mail that waited while the operator changed the sender left without a signature.
    it('signs mail of a former sender by the domain of that one', async () => {
      const former = platformDomain({ id: 'dom_old', name: 'old.test' })
      const { signer, state } = bench({ stored: [former, platformDomain()] })
      for (const [address, name] of [
        ['mail@OLD.test', 'old.test'],
        ['mail@postrider.test', 'postrider.test'],
      ] as const) {
        const email = shared({ from: { name: '', address } })
        const message = await finished(await signer.prepare(email, true), email)
        const passed = [`rsa0 ${name}`, `ed255190 ${name}`]
        assert.deepEqual(await verified(message, state.stored), { passed, count: 2, dmarc: 'pass' })
      }
    })

    it('is not signed by a domain of a workspace with its name', async () => {
      const { signer } = bench({ stored: [aDomain({ name: 'old.test' })] })
      const email = shared({ from: { name: '', address: 'mail@old.test' } })
      assert.deepEqual(await signer.prepare(email, true), { kind: 'unsigned' })
    })

    it('leaves mail of the placeholder unsigned until its records are found', async () => {
      const sender = 'mail@postrider.localhost'
      const email = shared({ from: { name: '', address: sender } })
      const named = { name: 'postrider.localhost' }
      const { signer, state } = bench({ stored: [platformDomain(named)], sender })
      assert.deepEqual(await signer.prepare(email, true), { kind: 'unsigned' })
      state.stored = [platformDomain({ ...named, status: 'verified' })]
      state.at += 3_001
      assert.equal((await signer.prepare(email, true)).kind, 'sign')
    })

    it('logs at the start that its keys cannot be opened', async () => {
      const wrong = bench({ stored: [platformDomain()], secrets: [otherSecret] })
      await wrong.signer.check()
      assert.match(wrong.lines.join(''), /cannot decrypt signing key/)
      assert.match(wrong.lines.join(''), /is not configured .*add it to POSTRIDER_SECRET/)
      const right = bench({ stored: [platformDomain()] })
      await right.signer.check()
      assert.deepEqual(right.lines, [])
    })

    it('holds mail if its keys cannot be opened', async () => {
      const { signer } = bench({ stored: [platformDomain()], secrets: [otherSecret] })
      assert.equal((await signer.prepare(shared(), true)).kind, 'hold')
    })

    it('reads nothing for test mail and for mail that no transport reads', async () => {
      const { signer, state } = bench()
      const test = await signer.prepare(mine({ mode: 'test' }), true)
      assert.deepEqual([test, await signer.prepare(shared(), false)], [{ kind: 'unsigned' }, { kind: 'unsigned' }])
      assert.equal(state.reads, 0)
    })
  })

  it('shows no part of a private key and no secret in logs, metrics, reasons and errors', async () => {
    const keys = [
      keyOf('dom_1', 'rsa', 0, { algorithm: 'ed25519' }),
      keyOf('dom_1', 'ed25519', 0, { algorithm: 'rsa' }),
      keyOf('dom_1', 'rsa', 1),
    ]
    const shown: unknown[] = []
    for (const options of [
      {},
      { stored: [aDomain({ keys })] },
      { secrets: [otherSecret] as [string] },
      { secrets: null },
    ]) {
      const { signer, state, lines, metrics } = bench(options)
      const signing = await signer.prepare(mine(), true)
      if (signing.kind === 'sign') shown.push(await signing.sign(Buffer.from('no message'), false))
      state.fault = new Fault('unavailable', 'The store is unavailable.')
      state.at += 3_001
      shown.push(signing, await signer.prepare(mine(), true), lines, await metrics.registry.metrics())
    }
    const text = inspect(shown, { depth: null, showHidden: true, maxStringLength: null })
    const parts = Object.values(pairs)
      .flat()
      .flatMap(({ privateKey }) => secretParts(privateKey))
    for (const part of [...parts, secret, otherSecret]) assert.ok(!text.includes(part), 'a secret is shown')
  })
})
