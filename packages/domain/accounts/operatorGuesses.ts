import { rateLimitClient } from '../network.ts'
import type { Bucket } from '../rateLimit/gcra.ts'

/** Returns the bucket of wrong operator tokens and unknown sessions from a client address: 10 a minute. */
export const operatorGuesses = (clientAddress: string): Bucket => ({
  key: `${rateLimitClient(clientAddress)}/operator`,
  rate: 10 / 60,
  burst: 20,
})
