import { createHmac, timingSafeEqual } from 'node:crypto'
import { Fault } from '@postrider/kit/fault.ts'

/** What a cursor belongs to: used with another list, workspace or filter it is refused. */
export type CursorOf = { path: string; workspace: string; filters: Record<string, unknown> }

/** Makes and reads the opaque places where a list goes on. */
export type Cursors = {
  seal(list: CursorOf, lastId: string): string
  /** @returns the id after which the list goes on
   * @throws Fault `malformed_request`: not made here, or for another list */
  open(list: CursorOf, cursor: string): string
}

const macBytes = 16
const shape = /^[A-Za-z0-9_-]{23,200}$/

const refusal = (): Fault => {
  const message =
    'This is not a cursor of this list; take next_cursor of the page before, with the same filters, or leave it out.'
  return new Fault('malformed_request', `cursor: ${message}`, {
    problems: [{ path: 'cursor', code: 'invalid_cursor', message }],
  })
}

/** @param secret at least 32 bytes, the same wherever a cursor may come back */
export const makeCursors = (secret: Uint8Array | string): Cursors => {
  const mac = ({ path, workspace, filters }: CursorOf, id: string): Buffer => {
    const named = Object.entries(filters).sort(([left], [right]) => (left < right ? -1 : 1))
    const bound = JSON.stringify([path, workspace, named, id])
    return createHmac('sha256', secret).update('cursor').update(bound).digest().subarray(0, macBytes)
  }
  return {
    seal: (list, lastId) => Buffer.concat([mac(list, lastId), Buffer.from(lastId)]).toString('base64url'),
    open: (list, cursor) => {
      if (!shape.test(cursor)) throw refusal()
      const bytes = Buffer.from(cursor, 'base64url')
      const id = bytes.subarray(macBytes).toString()
      if (timingSafeEqual(bytes.subarray(0, macBytes), mac(list, id))) return id
      throw refusal()
    },
  }
}
