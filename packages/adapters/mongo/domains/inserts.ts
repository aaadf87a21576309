import { nameClaim } from '@postrider/domain/domains/domain.ts'
import type { DomainStore } from '@postrider/ports/domains.ts'
import type { Collection, Filter } from 'mongodb'
import { type Outbox, untilUnchanged } from '../audit/outbox.ts'
import { ignoreDuplicateKey } from '../client/errors.ts'
import { scalar } from '../client/scalar.ts'
import { slotIn, slotTries } from '../client/slots.ts'
import { changedFields, type DomainDoc } from './document.ts'

/**
 * Inserts a domain with one write, which unique indexes decide: of its id, its name in the workspace, its claimed name,
 * and its slot. A refused write is explained by reads; if these find nothing, another insert had the slot.
 */
export const insertDomain =
  (domains: Collection<DomainDoc>, outbox: Outbox): DomainStore['insert'] =>
  async (domain, nextCheckAt, max, audit) => {
    const { id, workspace, name } = domain
    const inWorkspace = { 'domain.workspace': scalar(workspace) }
    const exists = async (filter: Filter<DomainDoc>): Promise<boolean> =>
      (await domains.findOne(filter, { projection: { _id: 1 } })) !== null
    return untilUnchanged(async () => {
      if (await exists({ _id: scalar(id) })) return 'inserted'
      if (await exists({ ...inWorkspace, 'domain.name': scalar(name) })) return 'exists'
      const slot = await slotIn(domains, inWorkspace, { max, id })
      if (slot === null) return 'full'
      if (await exists({ nameClaim: nameClaim(domain) })) return 'taken'
      const doc = { _id: id, slot, fence: 0, ...changedFields(domain, nextCheckAt) }
      return (await ignoreDuplicateKey(() => outbox.insert(domains, doc, audit))) ? 'inserted' : undefined
    }, slotTries)
  }
