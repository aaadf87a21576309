import type { CheckAllowance } from './allowance.ts'
import type { Endpoint } from './exchange.ts'
import { type Meaning, meaningOfConfigured } from './meaning.ts'
import type { RecordType } from './message.ts'
import { queryServers, type Sending } from './servers.ts'

/** Sends one query. The name is in lower case and passes `isQueryName`. */
export type QueryRecord = (question: { name: string; type: RecordType }, allowance: CheckAllowance) => Promise<Meaning>

/** Queries the servers that the operator configured, in their order. They may be resolvers or authorities. */
export const queryConfigured =
  (servers: readonly Endpoint[], sending: Sending): QueryRecord =>
  (question, allowance) =>
    queryServers(servers, {
      question: { ...question, wantsRecursion: true },
      meaningOf: (reply) => meaningOfConfigured(reply, question),
      sending,
      allowance,
    })
