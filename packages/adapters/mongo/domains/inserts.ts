import { nameClaim } from '@postrider/domain/domains/domain.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import type { Collection, Filter } from 'mongodb'
import { type Outbox, untilUnchanged } from '../audit/outbox.ts'
import { unlessDuplicate } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { changedFields, type DomainDoc } from './document.ts'

/** An insert that lost its slot to another one chooses again, at most this often. */
export const mostTries = 100

/**
 * Inserts a domain with one write, which unique indexes decide: of its id, its name in the workspace, its claimed name,
 * and its slot. A refused write is explained by reads; if these find nothing, another insert had the slot.
 */
export const insertDomain =
  (domains: Collection<DomainDoc>, outbox: Outbox): DomainStore['insert'] =>
  async (domain, nextCheckAt, most, audit) => {
    const { id, workspace, name } = domain
    const inWorkspace = { 'domain.workspace': scalar(workspace) }
    const exists = async (filter: Filter<DomainDoc>): Promise<boolean> =>
      (await domains.findOne(filter, { projection: { _id: 1 } })) !== null
    return untilUnchanged(async () => {
      if (await exists({ _id: scalar(id) })) return 'inserted'
      if (await exists({ ...inWorkspace, 'domain.name': scalar(name) })) return 'exists'
      const used = await domains.find(inWorkspace, { projection: { _id: 0, slot: 1 } }).toArray()
      const slot = freeSlot(
        used.map((one) => one.slot),
        most,
        id,
      )
      if (slot === null) return 'full'
      if (await exists({ nameClaim: nameClaim(domain) })) return 'taken'
      const doc = { _id: id, slot, fence: 0, ...changedFields(domain, nextCheckAt) }
      return (await unlessDuplicate(() => outbox.insert(domains, doc, audit))) ? 'inserted' : undefined
    }, mostTries)
  }

/**
 * Returns a slot that no domain has; null: there are `most` domains. The candidates are the lowest free slots, as many as
 * domains may be added: concurrent inserts, which choose from the same ones, can then not exceed `most`, even after it was
 * lowered. The id selects one of them, so that concurrent inserts rarely choose the same.
 */
export const freeSlot = (used: readonly number[], most: number, id: string): number | null => {
  const room = most - used.length
  if (room < 1) return null
  let slot = [...id].reduce((hash, char) => (hash * 31 + char.charCodeAt(0)) >>> 0, 0) % room
  for (const other of used.toSorted((a, b) => a - b)) if (other <= slot) slot += 1
  return slot
}
