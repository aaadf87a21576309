import { setTimeout as pause } from 'node:timers/promises'
import { fresh, rawMail, type Tenant } from '../support/client.ts'

/** One phase of the good tenant. */
export type Phase = {
  /** Recipients that it sent to. */
  addresses: string[]
  /** Milliseconds from each request to its response. */
  latencies: number[]
  /** CPU milliseconds that the service used from each request to its response, for this and for other requests. */
  costs: number[]
  refusals: string[]
}

const perSecond = 20

/**
 * Sends mail at a constant rate, whether or not earlier requests have been answered.
 * @param cpuMs returns the CPU milliseconds that the service has used
 */
export const sendSteadily = async (tenant: Tenant, durationMs: number, cpuMs: () => number): Promise<Phase> => {
  const phase: Phase = { addresses: [], latencies: [], costs: [], refusals: [] }
  const send = async (address: string): Promise<void> => {
    const mail = rawMail({ to: [address] })
    const once = () => tenant.send(mail, { 'idempotency-key': address })
    // The server can close an idle connection at the moment of its reuse. Clients repeat such a request, with the same
    // key.
    const again = (reason: NodeJS.ErrnoException) => (reason.code === 'ECONNRESET' ? once() : Promise.reject(reason))
    const cpuBefore = cpuMs()
    const response = await once()
      .catch(again)
      .catch((reason: Error) => ({ status: 0, elapsedMs: 0, text: reason.message }))
    if (response.status === 202) {
      phase.latencies.push(response.elapsedMs)
      phase.costs.push(cpuMs() - cpuBefore)
    } else phase.refusals.push(`${response.status} ${response.text.slice(0, 200)}`)
  }
  const sending: Promise<void>[] = []
  const startedAt = performance.now()
  for (let sent = 0; sent * 1_000 < durationMs * perSecond; sent++) {
    await pause(Math.max(0, startedAt + (sent * 1_000) / perSecond - performance.now()))
    const address = fresh('good')
    phase.addresses.push(address)
    sending.push(send(address))
  }
  await Promise.all(sending)
  return phase
}

/** @param part 0.99 for the 99th percentile */
export const percentile = (values: readonly number[], part: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}
