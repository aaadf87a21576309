import type { LookupResult, Question } from '@postrider/domain/domains/lookup.ts'

/** Asks the authoritative servers of a name, or the servers that the operator configured. No answer is cached. */
export type DnsLookup = {
  /** Never rejects: a fault is `{ kind: 'unknown' }`. Ends early with `unknown`/`failed` when `signal` is aborted. */
  lookup(question: Question, signal?: AbortSignal): Promise<LookupResult>
}
