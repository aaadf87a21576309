import { hash, verify } from '@node-rs/argon2'
import { Fault } from '@postrider/kit/fault.ts'

export type Passwords = {
  hash(password: string): Promise<string>
  /** Takes as long for a null hash (an unknown address) as for a wrong password. */
  verify(passwordHash: string | null, password: string): Promise<boolean>
}

/** OWASP's argon2id: 19 MiB, two passes, one lane. The number is the library's name for argon2id (a const enum). */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Verified for an unknown address: the same parameters, so the same time. It is the hash of no one's password. */
const decoy = '$argon2id$v=19$m=19456,t=2,p=1$UmjoSywXkwaLsaw9bvAUPQ$Twp8godU1ZOMU5b7Y/QFxiyuNRBr4wHCYJ0ALlVRiYM'

/** Hashes that run at the same time. They share the thread pool with DNS look-ups, which deliveries wait for. */
const mostRunning = 2
/** Hashes that wait: about a second's work. */
const mostWaiting = 64

const tooBusy = () =>
  new Fault('unavailable', 'Too many people are logging in at the moment; try again after the time in Retry-After.', {
    retryAfterMs: 2_000,
  })

/** Runs at most `mostRunning` tasks at the same time, queues `mostWaiting` more, and rejects the rest at once. */
const taskGate = () => {
  let running = 0
  const queue: (() => void)[] = []
  const enter = async (): Promise<void> => {
    if (running < mostRunning) {
      running += 1
      return
    }
    if (queue.length >= mostWaiting) throw tooBusy()
    await new Promise<void>((start) => queue.push(start))
  }
  const leave = (): void => {
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return async <T>(task: () => Promise<T>): Promise<T> => {
    await enter()
    try {
      return await task()
    } finally {
      leave()
    }
  }
}

/** The same password for every way in which a keyboard composes its characters. */
const canonical = (password: string): string => password.toWellFormed().normalize('NFC')

/** Hashes with argon2id, off the main thread. */
export const argon2Passwords = (): Passwords => {
  const queued = taskGate()
  return {
    hash: (password) => queued(() => hash(canonical(password), argon2id)),
    verify: async (passwordHash, password) => {
      const isRight = await queued(() => verify(passwordHash ?? decoy, canonical(password)))
      return passwordHash !== null && isRight
    },
  }
}
