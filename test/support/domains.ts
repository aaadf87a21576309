import assert from 'node:assert/strict'
import { type Caller, freshDomain } from './client.ts'
import type { DnsServer, Rrsets } from './dnsServer.ts'
import type { HttpResponse } from './http.ts'
import type { DnsRecord, DomainRecord } from './records.ts'
import { until } from './until.ts'

/* Sending domains of tests, and the DNS of their owner. */

/** Returns the records as a zone has them. */
export const asZone = (records: readonly DnsRecord[]): Record<string, Rrsets> => {
  const names: Record<string, Rrsets> = {}
  for (const { type, name, value, priority = 0 } of records) {
    const { TXT = [], MX = [] } = names[name] ?? {}
    names[name] = {
      ...names[name],
      ...(type === 'TXT' ? { TXT: [...TXT, value] } : { MX: [...MX, [priority, value]] }),
    }
  }
  return names
}

export type Owner = {
  /** Adds a domain, whose zone is empty. */
  add(name?: string): Promise<DomainRecord>
  read(id: string): Promise<DomainRecord>
  /** Sets the records of a domain and no others. */
  publish(domain: DomainRecord, records?: readonly DnsRecord[]): void
  /** Requests checks until a check that began after the call has ended, and returns the record. */
  verify(id: string): Promise<DomainRecord>
  call<T = DomainRecord>(method: string, path: string, json?: Record<string, unknown>): Promise<HttpResponse<T>>
}

/** Makes the calls of an owner of domains. @param api needs `domains:write` */
export const ownerOf = (api: Caller, dns: DnsServer): Owner => {
  const call = <T = DomainRecord>(
    method: string,
    path: string,
    json?: Record<string, unknown>,
  ): Promise<HttpResponse<T>> => api.call<T>({ method, path: `/api/v1/domains${path}`, ...(json && { json }) })
  const read = async (id: string): Promise<DomainRecord> => {
    const answer = await call('GET', `/${id}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  return {
    call,
    read,
    add: async (name = freshDomain()) => {
      dns.zones[name] ??= { names: {} }
      const answer = await call('POST', '', { name })
      assert.equal(answer.status, 201, answer.text)
      return answer.body
    },
    publish: ({ name, records }, chosen = records) => {
      dns.zones[name] = { names: asZone(chosen) }
    },
    verify: async (id) => {
      let { checked_at: last } = await read(id)
      // A check that began before the call may end after it, so the end of the next one counts.
      let ended = 0
      return until(`a check of ${id}`, async () => {
        const { status, text, body } = await call('POST', `/${id}/verify`)
        assert.equal(status, 200, text)
        if (body.checked_at === last) return undefined
        last = body.checked_at
        ended += 1
        return ended === 2 ? body : undefined
      })
    },
  }
}
