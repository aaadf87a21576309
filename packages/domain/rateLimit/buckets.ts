import { rateLimitClient } from '../network.ts'
import type { RateBucket } from './gcra.ts'

/** Wrong operator tokens and unknown sessions that a client address may send in a minute. */
export const operatorGuessesPerMinute = 10

/** Returns the bucket of wrong operator tokens and unknown sessions from a client address. */
export const operatorGuesses = (clientAddress: string): RateBucket => ({
  key: `${rateLimitClient(clientAddress)}/operator`,
  rate: operatorGuessesPerMinute / 60,
  burst: 20,
})

/** Questions of a domain whose records are all missing. */
const questionsOfCheck = 100
/** Enough to check each of 100 broken domains twice immediately, and then one of them each second. */
const minDomains = 100

/**
 * Returns what a workspace may cost over time, next to the rate of its requests: the DKIM keys that are made for it,
 * and the questions to DNS servers.
 * @param domains most domains of a workspace
 */
export const domainBuckets = (workspace: string, domains: number): { keys: RateBucket; questions: RateBucket } => {
  const max = Math.max(domains, minDomains)
  return {
    keys: { key: `domain-keys:${workspace}`, rate: 0.1, burst: 2 * max },
    questions: {
      key: `domain-questions:${workspace}`,
      rate: Math.max(max, questionsOfCheck),
      burst: 2 * max * questionsOfCheck,
    },
  }
}
