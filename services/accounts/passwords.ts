import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { hashOrigin } from '@postrider/domain/accounts/logInLimits.ts'
import { fairTaskQueue } from '@postrider/kit/fairTaskQueue.ts'
import { Fault } from '@postrider/kit/fault.ts'

/**
 * Hashes wait in a queue in which networks that had fewer hashes recently go first; both functions throw the Fault
 * `unavailable` if it is full or too slow. `isKnown`: the account was used from this network before, so its hash does
 * not wait behind guesses from other networks.
 */
export type Passwords = {
  hash(password: string, clientAddress: string, isKnown?: boolean): Promise<string>
  /** Takes as long for a null hash (an unknown address) as for a wrong password. */
  verify(passwordHash: string | null, password: string, clientAddress: string, isKnown?: boolean): Promise<boolean>
}

/** OWASP's argon2id: 19 MiB, two passes, one lane. The number is the library's name for argon2id (a const enum). */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Verified for an unknown address: the same parameters, so the same time. It is not the hash of any password. */
const decoy = '$argon2id$v=19$m=19456,t=2,p=1$UmjoSywXkwaLsaw9bvAUPQ$Twp8godU1ZOMU5b7Y/QFxiyuNRBr4wHCYJ0ALlVRiYM'

/**
 * Hashes that run at the same time: one core stays free for the event loop. They share the thread pool with DNS
 * lookups, which deliveries wait for.
 */
const defaultMaxRunning = Math.min(2, Math.max(1, availableParallelism() - 1))
/** Hashes that wait: about a second's work on a quiet machine. */
const maxWaiting = 64
/** Hashes of one client that wait: half a second's work, for people of one office who log in at the same time. */
const maxWaitingPerClient = 32
/** The longest wait, on a machine that is so busy that a hash takes long. Callers wait 4.5 s for the whole call. */
const maxWaitMs = 3_000

const tooBusyFault = () =>
  new Fault('unavailable', 'Too many people are logging in at the moment; try again after the time in Retry-After.', {
    retryAfterMs: 2_000,
    expected: true,
  })

/** Returns the same password for every composition of its characters by a keyboard. */
const canonical = (password: string): string => password.toWellFormed().normalize('NFC')

export type Argon2Options = {
  /** Computes and compares hashes; tests replace it. */
  argon2?: { hash: typeof hash; verify: typeof verify }
  maxRunning?: number
}

/** Hashes with argon2id, off the main thread. */
export const argon2Passwords = ({
  argon2 = { hash, verify },
  maxRunning = defaultMaxRunning,
}: Argon2Options = {}): Passwords => {
  const queue = fairTaskQueue({
    maxRunning,
    maxWaiting,
    maxWaitingPerOwner: maxWaitingPerClient,
    maxWaitMs,
    onFull: tooBusyFault,
  })
  const queued = <T>(clientAddress: string, isKnown: boolean, work: () => Promise<T>): Promise<T> =>
    queue.run(hashOrigin(clientAddress, isKnown), work)
  return {
    hash: (password, clientAddress, isKnown = false) =>
      queued(clientAddress, isKnown, () => argon2.hash(canonical(password), argon2id)),
    verify: async (passwordHash, password, clientAddress, isKnown = false) => {
      const isRight = await queued(clientAddress, isKnown, () =>
        argon2.verify(passwordHash ?? decoy, canonical(password)),
      )
      return passwordHash !== null && isRight
    },
  }
}
