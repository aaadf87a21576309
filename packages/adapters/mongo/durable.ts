import type { Durable, Units } from '@postrider/ports/durable.ts'

/** Each write waits for the majority's journal itself, so nothing is left to wait for and no writes fail together. */
export const mongoDurable: Durable & Units = { settled: async () => {}, unit: (work) => work() }
