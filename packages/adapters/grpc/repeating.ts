import { status } from '@grpc/grpc-js'
import type { Clock } from '@postrider/kit/clock.ts'
import type { Answer, Ask } from './ask.ts'

/** Before each repeat, in milliseconds; shortened at random by up to half, so that many don't come at once. */
const waitsMs = [20, 100, 300, 800]

/** Nobody answered, or whoever did went away meanwhile; a refusal of the service itself has a body. */
export const nobodyAnswered = ({ code, body }: Answer): boolean =>
  (code === status.UNAVAILABLE || code === status.CANCELLED) && body.length === 0

/** gRPC's own words where it knew of nobody to send the call to. */
const noConnection = /No connection established|Name resolution failed|has an address$/

/** Nobody was there to send it to, so whatever it asks for wasn't done. */
export const neverLeft = (answer: Answer): boolean => nobodyAnswered(answer) && noConnection.test(answer.told)

type Deps = {
  ask: Ask
  /** After which answers the call is made again. */
  after(answer: Answer): boolean
  now: Clock
  random(): number
  pause(ms: number): Promise<unknown>
}

/**
 * Makes a call again, until its deadline. gRPC's own repeats can't: of calls that travel together each has its own rule,
 * and some may be repeated for what they carry.
 */
export const repeating =
  ({ ask, after, now, random, pause }: Deps): Ask =>
  async (call) => {
    for (const waitMs of waitsMs) {
      const answer = await ask(call)
      const restMs = waitMs * (1 - random() / 2)
      if (!after(answer) || now() + restMs >= call.deadlineAt) return answer
      await pause(restMs)
    }
    return ask(call)
  }
