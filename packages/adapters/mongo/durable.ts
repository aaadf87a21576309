import type { Durable, Units } from '@postrider/ports/durable.ts'

/** Each MongoDB write is durable when it returns (`w: majority, j: true`), so there is no commit to wait for or to lose. */
export const mongoDurable: Durable & Units = { settled: async () => {}, unit: (work) => work() }
