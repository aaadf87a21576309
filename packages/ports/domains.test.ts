import {
  isUsable,
  nameClaim,
  type SendingDomain,
  type StoredDomain,
  signingDomainOf,
} from '@postrider/domain/domains/domain.ts'
import { firstThatFit, jsonBytes } from '@postrider/domain/listPage.ts'
import { domainsConformance } from './domains.conformance.ts'
import type { DomainStore } from './domains.ts'
import { senderDomainOf } from './domainsFixtures.conformance.ts'

/** A store in memory that tests the suite itself. Each call copies what it stores and returns. */
const memoryDomains = (): DomainStore => {
  const rows = new Map<string, StoredDomain>()
  const of = (workspace: string) => [...rows.values()].filter(({ domain }) => domain.workspace === workspace)
  const copy = <T>(value: T): T => structuredClone(value)
  const isFree = ({ leaseUntil }: StoredDomain, now: number) => leaseUntil === null || leaseUntil <= now
  const lease = (row: StoredDomain, leaseUntil: number) => {
    Object.assign(row, { leaseUntil, fence: row.fence + 1 })
    return copy({ domain: row.domain, fence: row.fence })
  }
  const find = (workspace: string, isWanted: (row: StoredDomain) => boolean) =>
    copy(of(workspace).find(isWanted) ?? null)
  const isTaken = (domain: SendingDomain) =>
    [...rows.values()].some((row) => row.domain.id !== domain.id && nameClaim(row.domain) === nameClaim(domain))
  return {
    insert: async (domain, nextCheckAt, max) => {
      if (rows.has(domain.id)) return 'inserted'
      const own = of(domain.workspace)
      if (own.some((row) => row.domain.name === domain.name)) return 'exists'
      if (own.length >= max) return 'full'
      if (isTaken(domain)) return 'taken'
      rows.set(domain.id, copy({ domain, nextCheckAt, leaseUntil: null, fence: 0 }))
      return 'inserted'
    },
    get: async (workspace, id) => find(workspace, ({ domain }) => domain.id === id),
    byName: async (workspace, name) => find(workspace, ({ domain }) => domain.name === name),
    list: async (workspace, before, limit) => {
      const all = of(workspace)
        .map(({ domain }) => domain)
        .filter(({ id }) => before === null || id < before)
        .sort((a, b) => (a.id < b.id ? 1 : -1))
      const domains = firstThatFit(all.slice(0, limit), jsonBytes)
      return copy({ domains, hasMore: all.length > domains.length })
    },
    write: async (id, fence, { domain, nextCheckAt }) => {
      if (rows.get(id)?.fence !== fence) return 'lost'
      if (isTaken(domain)) return 'taken'
      rows.set(id, copy({ domain, nextCheckAt, leaseUntil: null, fence: fence + 1 }))
      return 'written'
    },
    remove: async (workspace, id) => {
      const row = find(workspace, ({ domain }) => domain.id === id)
      if (row) rows.delete(id)
      return row?.domain ?? null
    },
    claim: async ({ now, limit, leaseMs }) =>
      [...rows.values()]
        .filter((row) => row.nextCheckAt <= now && isFree(row, now))
        .sort((a, b) => a.nextCheckAt - b.nextCheckAt)
        .slice(0, limit)
        .map((row) => lease(row, now + leaseMs)),
    claimOne: async (id, now, leaseMs) => {
      const row = rows.get(id)
      return row && isFree(row, now) ? lease(row, now + leaseMs) : null
    },
    release: async (leases) => {
      for (const { id, fence } of leases) {
        const row = rows.get(id)
        if (row?.fence === fence) row.leaseUntil = null
      }
    },
    clearLeases: async () => {
      for (const row of rows.values()) row.leaseUntil = null
    },
    nextDue: async () => {
      const times = [...rows.values()].map(({ nextCheckAt, leaseUntil }) => Math.max(nextCheckAt, leaseUntil ?? 0))
      return times.length === 0 ? null : Math.min(...times)
    },
    counts: async (now) => {
      const byStatus = { pending: 0, verified: 0, warning: 0, failed: 0 }
      for (const { domain } of rows.values()) byStatus[domain.status]++
      return { byStatus, overdue: [...rows.values()].filter(({ nextCheckAt }) => nextCheckAt < now).length }
    },
    secretIds: async () => {
      const keys = [...rows.values()].flatMap(({ domain }) => domain.keys)
      return [...new Set(keys.flatMap(({ sealed }) => (sealed ? [sealed.secretId] : [])))]
    },
    senders: async (workspace) =>
      of(workspace).flatMap(({ domain }) => (isUsable(domain) ? [senderDomainOf(domain)] : [])),
    signing: async (id) => {
      const row = rows.get(id)
      return row ? copy(signingDomainOf(row.domain)) : null
    },
  }
}

domainsConformance('memory', memoryDomains)
