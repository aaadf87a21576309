import { rateLimitClient } from '../network.ts'
import type { Bucket } from '../rateLimit/gcra.ts'

/** Wrong operator tokens and unknown sessions that a client address may send in a minute. */
export const operatorGuessesPerMinute = 10

/** Returns the bucket of wrong operator tokens and unknown sessions from a client address. */
export const operatorGuesses = (clientAddress: string): Bucket => ({
  key: `${rateLimitClient(clientAddress)}/operator`,
  rate: operatorGuessesPerMinute / 60,
  burst: 20,
})
