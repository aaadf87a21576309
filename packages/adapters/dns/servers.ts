import type { CheckAllowance } from './allowance.ts'
import { type Endpoint, type Exchange, exchange, type Failure } from './exchange.ts'
import type { Meaning } from './meaning.ts'
import type { DnsReply, Query } from './message.ts'

/** Settings for the queries of a check. `silent`: servers that did not answer in time, which are queried last. */
export type Sending = Omit<Exchange, 'allowance'> & { silent: Set<string> }

export type QueryServersOptions = {
  question: Pick<Query, 'name' | 'type' | 'wantsRecursion'>
  meaningOf(reply: DnsReply): Meaning
  sending: Sending
  allowance: CheckAllowance
}

/** Maximum number of servers that one query is sent to. */
const maxServers = 6

/** The failures by how much they explain: the first one that occurred is the result. */
const byWeight: readonly Failure[] = ['servfail', 'refused', 'lame', 'malformed', 'timeout', 'failed']

const keyOf = ({ address, port }: Endpoint): string => `${address} ${port}`

/**
 * Queries servers in turn until one has a usable reply. The servers that did not answer in time are queried once more
 * at the end, because a datagram may be lost; those that were silent before in this check are queried only then.
 */
export const queryServers = async (
  servers: Iterable<Endpoint> | AsyncIterable<Endpoint>,
  { question, meaningOf, sending, allowance }: QueryServersOptions,
): Promise<Meaning> => {
  const failures: Failure[] = []
  const later: Endpoint[] = []
  const queryOne = async (server: Endpoint): Promise<Meaning> => {
    const exchanged = await exchange(server, question, { ...sending, allowance })
    if (exchanged.kind === 'reply') sending.silent.delete(keyOf(server))
    else if (exchanged.why === 'timeout') sending.silent.add(keyOf(server))
    const meaning = exchanged.kind === 'reply' ? meaningOf(exchanged.reply) : exchanged
    if (meaning.kind === 'failed') failures.push(meaning.why)
    return meaning
  }
  const queried = new Set<string>()
  for await (const server of servers) {
    if (failures.length >= maxServers || allowance.refusal() !== null) break
    // Several hosts may have one address: a zone must not multiply the queries to it.
    if (queried.has(keyOf(server))) continue
    queried.add(keyOf(server))
    if (sending.silent.has(keyOf(server))) {
      later.push(server)
      continue
    }
    const meaning = await queryOne(server)
    if (meaning.kind !== 'failed') return meaning
    if (meaning.why === 'timeout') later.push(server)
  }
  for (const server of later.slice(0, maxServers)) {
    if (allowance.refusal() !== null) break
    const meaning = await queryOne(server)
    if (meaning.kind !== 'failed') return meaning
  }
  return { kind: 'failed', why: byWeight.find((why) => failures.includes(why)) ?? allowance.refusal() ?? 'lame' }
}
