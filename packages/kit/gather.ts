import { Fault } from './fault.ts'
import { currentPlace, goOnWith, type Place } from './trace.ts'

type Waiting<Given, Result> = {
  given: Given
  /** Where it was called: the batch must not pass for a part of whatever set it off. */
  place: Place
  resolve(result: Result): void
  reject(reason: unknown): void
}

/**
 * Makes one call out of many that come at the same time: those of an event-loop turn go together, and those that come
 * while `atOnce` batches are under way go with the next. So the batches grow with the load, and where there is none
 * nobody waits.
 * @param run answers a batch in its order; an Error in the place of a result is thrown to that call alone, and what it
 *   throws itself, all of the batch throw. `unavailable` is thrown to those that wait for the next batch too: they would
 *   only wait as long again to learn the same.
 * @param most calls in a batch
 */
export const gather = <Given, Result>({
  most,
  atOnce,
  run,
}: {
  most: number
  atOnce: number
  run(batch: readonly Given[]): Promise<readonly (Result | Error)[]>
}): ((given: Given) => Promise<Result>) => {
  const waiting: Waiting<Given, Result>[] = []
  let underWay = 0
  let isSet = false

  const fail = (calls: readonly Waiting<Given, Result>[], reason: unknown): void => {
    for (const { reject } of calls) reject(reason)
  }

  const send = async (batch: readonly Waiting<Given, Result>[]): Promise<void> => {
    underWay += 1
    try {
      const places = batch.map(({ place }) => place)
      const results = await goOnWith(places, () => run(batch.map(({ given }) => given)))
      if (results.length !== batch.length) throw new Error('a batch was not answered call by call')
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index] as Result | Error
        if (result instanceof Error) reject(result)
        else resolve(result)
      }
    } catch (thrown) {
      fail(batch, thrown)
      if (thrown instanceof Fault && thrown.code === 'unavailable') fail(waiting.splice(0), thrown)
    }
    underWay -= 1
    atEndOfTurn()
  }

  const start = (): void => {
    isSet = false
    while (underWay < atOnce && waiting.length > 0) void send(waiting.splice(0, most))
  }

  const atEndOfTurn = (): void => {
    if (isSet || underWay >= atOnce || waiting.length === 0) return
    isSet = true
    setImmediate(start)
  }

  return (given) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ given, place: currentPlace(), resolve, reject })
      atEndOfTurn()
    })
}
