// node test/bench/domainChecks.ts [domains]: the cost of checking verified domains once. DNS runs in another process.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { dnsResolver } from '@postrider/adapters/dns/resolver.ts'
import { memoryLimiter } from '@postrider/adapters/memory/limiter.ts'
import { openDatabase } from '@postrider/adapters/sqlite/client/database.ts'
import { sqliteDomains } from '@postrider/adapters/sqlite/domains/domains.ts'
import type { SendingDomain } from '@postrider/domain/domains/domain.ts'
import { newDomain } from '@postrider/domain/domains/life.ts'
import { expectedRecords } from '@postrider/domain/domains/records.ts'
import { newId } from '@postrider/kit/ids.ts'
import { makeMetrics } from '@postrider/kit/metrics.ts'
import { generateDkimKey } from '@postrider/mail/dkimKeys.ts'
import { anEntry } from '@postrider/ports/auditFixtures.conformance.ts'
import { openDomains } from '../../services/domains/domains.ts'
import { domainsMetrics } from '../../services/domains/metrics.ts'
import { startDnsServer, type Zones } from '../support/dnsServer.ts'

const settings = { bounceDomain: 'bounces.platform.example' }
const sealed = { secretId: 'none', box: 'none' }

const makeDomains = async (count: number): Promise<SendingDomain[]> => {
  const [rsa, ed25519] = await Promise.all([generateDkimKey('rsa-sha256'), generateDkimKey('ed25519-sha256')])
  const keys = [
    { selector: 'prr1', algorithm: 'rsa' as const, publicRecord: rsa.record, sealed },
    { selector: 'pre1', algorithm: 'ed25519' as const, publicRecord: ed25519.record, sealed },
  ]
  return Array.from({ length: count }, (_, index) => {
    const identity = { id: newId('dom'), workspace: 'ws_1', name: `customer${index}.test`, token: `token${index}` }
    const domain = newDomain(identity, keys, 0)
    // Without private keys, which are not part of a check.
    return { ...domain, keys: domain.keys.map((key) => ({ ...key, sealed: null })) }
  })
}

const zonesOf = (domains: readonly SendingDomain[]): Zones => {
  const zones: Zones = {}
  for (const domain of domains) {
    const names: Zones[string]['names'] = {}
    for (const { type, name, value, priority = 0 } of expectedRecords(domain, settings))
      names[name] = { ...names[name], ...(type === 'MX' ? { MX: [[priority, value]] } : { TXT: [value] }) }
    zones[domain.name] = { names }
  }
  return zones
}

const serveDns = (): void => {
  process.on('message', async (zones: Zones) => {
    const server = await startDnsServer({ zones })
    process.send?.({ port: server.port })
  })
}

const measure = async (count: number): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-checks-'))
  const child = fork(new URL(import.meta.url), ['serve'])
  try {
    const domains = await makeDomains(count)
    child.send(zonesOf(domains))
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    await using db = openDatabase({ path: join(directory, 'db'), onFatal: console.error })
    const store = sqliteDomains(db)
    const at = Date.now()
    for (const domain of domains) await store.insert(domain, 0, count, anEntry())
    const metrics = makeMetrics(domainsMetrics)
    const counts = { queries: 0, claims: 0, writes: 0 }
    const counted = (name: keyof typeof counts) => {
      counts[name] += 1
    }
    const quiet = () => {}
    await using service = await openDomains({
      domains: {
        ...store,
        claim: (query) => {
          counted('claims')
          return store.claim(query)
        },
        write: (...change) => {
          counted('writes')
          return store.write(...change)
        },
      },
      dns: dnsResolver({ servers: [{ address: '127.0.0.1', port }], observe: () => counted('queries') }),
      limiter: memoryLimiter(),
      secrets: ['a-master-key-of-the-measurement-0123456789'],
      config: {
        POSTRIDER_SENDER: { name: '', address: 'mail@postrider.localhost' },
        POSTRIDER_BOUNCE_DOMAIN: settings.bounceDomain,
        POSTRIDER_MAX_DOMAINS: count,
        POSTRIDER_DKIM_ROTATION_DAYS: undefined,
      },
      now: () => at,
      log: { info: quiet, warn: console.error, error: console.error } as never,
      metrics,
    })
    const [startedAt, cpu] = [performance.now(), process.cpuUsage()]
    await service.checkDue()
    const { user, system } = process.cpuUsage(cpu)
    const { byStatus } = await store.counts(at)
    console.log(
      `${count} domains in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s, ${byStatus.verified} verified`,
    )
    console.log(
      `per check: ${((user + system) / 1_000 / count).toFixed(2)} CPU-ms, ${(counts.queries / count).toFixed(1)} queries,`,
    )
    console.log(`  ${(counts.claims / count).toFixed(2)} claims, ${(counts.writes / count).toFixed(2)} writes`)
  } finally {
    child.kill()
    await rm(directory, { recursive: true })
  }
}

if (process.argv[2] === 'serve') serveDns()
else await measure(Number(process.argv[2] ?? 2_000))
