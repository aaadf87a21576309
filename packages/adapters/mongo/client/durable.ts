import type { Durable, Units } from '@postrider/ports/durable.ts'

/**
 * Durability in MongoDB. Each write is durable when it returns (`w: majority, j: true`), so there is no commit to wait
 * for or to lose.
 */
export const mongoDurable: Durable & Units = { synced: async () => {}, unit: (work) => work() }
