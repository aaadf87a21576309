import { hash, verify } from '@node-rs/argon2'
import { Fault } from '@postrider/kit/fault.ts'

export type Passwords = {
  hash(password: string): Promise<string>
  /** Takes the same time for no hash (an unknown address) as for a wrong password. */
  verify(passwordHash: string | null, password: string): Promise<boolean>
}

/** OWASP's argon2id: 19 MiB, two passes, one lane. The number is the library's name for argon2id (a const enum). */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** What an unknown address is held against: same parameters, so same time; nobody's password. */
const decoy = '$argon2id$v=19$m=19456,t=2,p=1$UmjoSywXkwaLsaw9bvAUPQ$Twp8godU1ZOMU5b7Y/QFxiyuNRBr4wHCYJ0ALlVRiYM'

/** Hashes at once: they share the thread pool with name look-ups, which deliveries wait for. */
const hashesAtOnce = 2
/** Hashes waiting: about a second's worth. */
const hashesWaiting = 64

const tooBusy = () =>
  new Fault('unavailable', 'Too many people are signing in at this moment; try again shortly.', { retryAfterMs: 2_000 })

/** Lets `atOnce` pieces of work run and `waiting` more wait; refuses the rest at once. */
const gate = (atOnce: number, waiting: number) => {
  let running = 0
  const queue: (() => void)[] = []
  const enter = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1
      return
    }
    if (queue.length >= waiting) throw tooBusy()
    await new Promise<void>((go) => queue.push(go))
  }
  const leave = (): void => {
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return async <T>(work: () => Promise<T>): Promise<T> => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/** One text, one password, however the keyboard composed it. */
const canonical = (password: string): string => password.toWellFormed().normalize('NFC')

/** argon2id, off the main thread. */
export const argon2Passwords = (): Passwords => {
  const inTurn = gate(hashesAtOnce, hashesWaiting)
  return {
    hash: (password) => inTurn(() => hash(canonical(password), argon2id)),
    verify: async (passwordHash, password) => {
      const right = await inTurn(() => verify(passwordHash ?? decoy, canonical(password)))
      return passwordHash !== null && right
    },
  }
}
