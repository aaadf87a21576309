import { createHmac, timingSafeEqual } from 'node:crypto'
import { firstThatFit, jsonBytes } from '@postrider/domain/listPage.ts'
import { type Position, parsePosition, positionText } from '@postrider/domain/position.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { masterSecrets } from '@postrider/kit/secretBox.ts'

/** List that a cursor belongs to; with another list, workspace or filter it is refused. */
export type CursorScope = { path: string; workspace: string; filters: Record<string, unknown> }

/** Makes and reads cursors: opaque, signed positions in a list. */
export type Cursors = {
  seal(scope: CursorScope, lastId: string): string
  /** @returns the id after which the list continues
   * @throws Fault `malformed_request`: it was not made here, or for another list */
  open(scope: CursorScope, cursor: string): string
}

const macBytes = 16
const shape = /^[A-Za-z0-9_-]{23,200}$/

const refusalFault = (): Fault => {
  const message =
    'Not a cursor of this list; use next_cursor of the previous page with the same filters, or leave it out.'
  return new Fault('malformed_request', `cursor: ${message}`, {
    problems: [{ path: 'cursor', code: 'invalid_cursor', message }],
  })
}

/**
 * @param secret at least 32 bytes, the same in every gateway of an installation. While it is changed it has two master
 * keys (`masterSecrets`): the first signs, and cursors of both are valid
 */
export const makeCursors = (secret: Uint8Array | string): Cursors => {
  const secrets = typeof secret === 'string' ? masterSecrets(secret) : ([secret] as const)
  const macUnder = (key: Uint8Array | string, { path, workspace, filters }: CursorScope, id: string): Buffer => {
    const sorted = Object.entries(filters).sort(([left], [right]) => (left < right ? -1 : 1))
    const bound = JSON.stringify([path, workspace, sorted, id])
    return createHmac('sha256', key).update('cursor').update(bound).digest().subarray(0, macBytes)
  }
  return {
    seal: (scope, lastId) =>
      Buffer.concat([macUnder(secrets[0], scope, lastId), Buffer.from(lastId)]).toString('base64url'),
    open: (scope, cursor) => {
      if (!shape.test(cursor)) throw refusalFault()
      const bytes = Buffer.from(cursor, 'base64url')
      const id = bytes.subarray(macBytes).toString()
      const mac = bytes.subarray(0, macBytes)
      if (secrets.some((key) => timingSafeEqual(mac, macUnder(key, scope, id)))) return id
      throw refusalFault()
    },
  }
}

type Query = { limit: number; cursor?: string | undefined } & Record<string, unknown>

/** Returns where a page begins, and functions that make its body and the cursor of the next page. */
export const listPage = (cursors: Cursors, path: string, workspace: string, query: Query) => {
  const { limit, cursor, ...rest } = query
  const filters = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined))
  const scope = { path, workspace, filters }
  const before = cursor === undefined ? '' : cursors.open(scope, cursor)
  const nextCursor = (hasMore: boolean, last: string | Position | null | undefined): string | null =>
    hasMore && last != null ? cursors.seal(scope, typeof last === 'string' ? last : positionText(last)) : null
  return {
    limit,
    /** The page begins after this id; empty: with the newest record. */
    before,
    /**
     * Returns the position after which a page begins whose records are in the order of time; null: it has no cursor.
     */
    position: () => parsePosition(before),
    nextCursor,
    /**
     * Returns the body of the response, with the first of `records` that fit into 4 MiB.
     * @param hasMore whether records follow after these
     */
    body: <Item extends { id: string }>(records: readonly Item[], hasMore: boolean) => {
      const data = firstThatFit(records, jsonBytes)
      const more = hasMore || data.length < records.length
      return { object: 'list' as const, data, has_more: more, next_cursor: nextCursor(more, data.at(-1)?.id) }
    },
  }
}
