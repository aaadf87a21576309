import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DnsResolver, dnsResolver } from '@postrider/adapters/dns/resolver.ts'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import { auditEntryOf } from '@postrider/adapters/sqlite/audit/list.ts'
import { sqliteDomains } from '@postrider/adapters/sqlite/domains/domains.ts'
import type { DomainRecord } from '@postrider/contracts/services.ts'
import type { RecordPurpose, SendingDomain } from '@postrider/domain/domains/domain.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { type DkimKeyPair, generateDkimKey } from '@postrider/mail/dkimKeys.ts'
import type { DkimAlgorithm } from '@postrider/mail/dkimSignature.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import type { DomainLimits } from '../../services/domains/deps.ts'
import { openDomains } from '../../services/domains/domains.ts'
import { domainsMetrics } from '../../services/domains/metrics.ts'
import { type DnsServer, type Rrsets, startDnsServer } from './dnsServer.ts'
import { openNewDatabase } from './newDatabase.ts'

export const noon = Date.UTC(2026, 10, 21, 12)
export const workspace = 'ws_01m7yr6cabfzvahf8pz72f0kb4'
export const actor = 'key_01m7yr6cabfzvahf8pz72f0kb4'
export const secret = 'a-master-key-of-the-tests-0123456789'

/** Publishes records at their names, next to what the zone has there. */
export const publish = (dns: DnsServer, zone: string, records: DomainRecord['records']): void => {
  const names = dns.zones[zone]?.names ?? assert.fail(`no zone ${zone}`)
  for (const { type, name, value, priority = 0 } of records) {
    const at: Rrsets = names[name] ?? {}
    names[name] = type === 'MX' ? { ...at, MX: [[priority, value]] } : { ...at, TXT: [...(at.TXT ?? []), value] }
  }
}

/** Removes every record at the names of the records. */
export const unpublish = (dns: DnsServer, zone: string, records: DomainRecord['records']): void => {
  for (const { name } of records) delete dns.zones[zone]?.names[name]
}

export const purposes = (domain: DomainRecord, ...wanted: RecordPurpose[]): DomainRecord['records'] =>
  domain.records.filter(({ purpose }) => wanted.includes(purpose))

/** Generates real keys, each one once in a process: an RSA key needs some hundred milliseconds. */
const knownKeys = () => {
  const made = new Map<DkimAlgorithm, Promise<DkimKeyPair>[]>()
  let calls = 0
  const generate = async (algorithm: DkimAlgorithm): Promise<DkimKeyPair> => {
    const known = made.get(algorithm) ?? Array.from({ length: 3 }, () => generateDkimKey(algorithm))
    made.set(algorithm, known)
    const key = (await known[calls++ % known.length]) ?? assert.fail('no key')
    // The service overwrites the private key after it has encrypted it.
    return { ...key, privateKey: Buffer.from(key.privateKey) }
  }
  return {
    generate,
    all: async () => (await Promise.all([...made.values()].flat())).map(({ privateKey }) => privateKey),
  }
}

const keys = knownKeys()

type ProcessOptions = {
  secrets?: readonly [string, ...string[]]
  sender?: string
  bounceDomain?: string
  maxDomains?: number
  rotationDays?: number
  random?: () => number
  generate?: typeof generateDkimKey
  pause?: (ms: number) => Promise<unknown>
  /** Default: one that queries the DNS server of the rig. */
  dns?: DnsResolver
  /** Default: SQLite. */
  store?: DomainStore
  limits?: Partial<DomainLimits>
  limiter?: Pick<Limiter, 'take'>
}

/** Limits of a resolver that no machine is too slow for. */
export const slow = { tryMs: 100_000, lookupMs: 200_000, check: { queries: 250, bytes: 2 ** 18, ms: 300_000 } }

/**
 * Opens the domains service on a SQLite database in a new file and a DNS server with the zone example.com. The test
 * sets the clock with `time.at`. `open` starts one more process on the same store.
 */
export const testDomains = async (options: ProcessOptions = {}) => {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-domains-'))
  const stack = new AsyncDisposableStack()
  stack.defer(() => rm(directory, { recursive: true }))
  const onFatal = (reason: unknown) => assert.fail(String(reason))
  const db = stack.use(openNewDatabase({ path: join(directory, 'db'), onFatal }))
  const dns = stack.use(
    await startDnsServer({ zones: { 'example.com': { names: {} }, 'postrider.test': { names: {} } } }),
  )
  const time = { at: noon }
  const store = options.store ?? sqliteDomains(db)
  const lines: unknown[][] = []
  const write = (...line: unknown[]): void => void lines.push(line)
  const log = { info: write, warn: write, error: write } as never
  const metrics = makeMetrics(domainsMetrics)
  const open = async (over: ProcessOptions = {}) => {
    const given = { ...options, ...over }
    return stack.use(
      await openDomains({
        domains: store,
        // A test may hold an answer back, and the machine may be slow: no query ends by its time limit.
        dns: given.dns ?? dnsResolver({ servers: [{ address: dns.host, port: dns.port }], limits: slow }),
        limiter: given.limiter ?? memoryLimiter(),
        secrets: given.secrets ?? [secret],
        config: {
          POSTRIDER_SENDER: { name: 'Postrider', address: given.sender ?? 'mail@postrider.test' },
          POSTRIDER_BOUNCE_DOMAIN: given.bounceDomain,
          POSTRIDER_MAX_DOMAINS: given.maxDomains ?? 100,
          POSTRIDER_DKIM_ROTATION_DAYS: given.rotationDays,
        },
        generate: given.generate ?? keys.generate,
        random: given.random ?? (() => 0.5),
        ...(given.pause && { pause: given.pause }),
        ...(given.limits && { limits: given.limits }),
        now: () => time.at,
        log,
        metrics,
      }),
    )
  }
  const { domains, checkDue } = await open()
  const stored = async (id: string, of = workspace): Promise<SendingDomain> =>
    (await store.get(of, id))?.domain ?? assert.fail(`no domain ${id}`)
  /** Moves the clock, and makes each check when it is due. */
  const advanceTo = async (until: number): Promise<void> => {
    for (;;) {
      const due = await store.nextDue()
      if (due === null || due > until) break
      time.at = Math.max(time.at, due)
      await checkDue()
    }
    time.at = until
  }
  return {
    domains,
    checkDue,
    advance: (ms: number) => advanceTo(time.at + ms),
    /** Moves the clock immediately, and makes one check of each domain that is due then. */
    jump: async (ms: number): Promise<void> => {
      time.at += ms
      await checkDue()
    },
    open,
    store,
    stored,
    dns,
    time,
    /** The entries of the audit log, oldest first. */
    get entries(): AuditEntry[] {
      return db.prepare('SELECT * FROM audit_log ORDER BY seq').all().map(auditEntryOf)
    },
    lines,
    metrics,
    db,
    /** The files of `db`. */
    directory,
    /** Every private key of this test process. */
    privateKeys: keys.all,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
