import { type DomainEventData, internalMode, type StoredEvent, type WorkspaceEvent } from '../events/event.ts'
import { isoTime } from '../time.ts'
import { platformWorkspace, type SendingDomain } from './domain.ts'

/** A new event of a domain, for the feed of its workspace. Its `at` is when it is stored there. */
export type NewDomainEvent = Omit<WorkspaceEvent, 'at'>

/**
 * Returns the event that a change of a domain brings; null: none. The domain of the platform has none, because no
 * customer reads its workspace.
 */
export const newDomainEvent = (before: SendingDomain, after: SendingDomain): NewDomainEvent | null => {
  const event = after.events.at(-1)
  if (event === undefined || before.events.at(-1)?.id === event.id || after.workspace === platformWorkspace) return null
  const data = dataOf(after, { sequence: event.sequence, changedAt: event.at })
  return { id: event.id, type: event.type, workspace: after.workspace, mode: 'live', data }
}

/**
 * Returns the internal event of a verified domain that has a missing or wrong record; null: there is none. Nothing
 * changed for its mail, so no feed has it.
 * @param id an unused `evt_…`
 */
export const newDomainNotice = (
  before: SendingDomain,
  after: SendingDomain,
  id: string,
): Omit<StoredEvent, 'at'> | null => {
  const { workspace, warningSince } = after
  const isNew = before.status === 'verified' && after.status === 'warning'
  if (!isNew || workspace === platformWorkspace) return null
  const data = dataOf(after, { sequence: after.events.at(-1)?.sequence ?? 0, changedAt: warningSince ?? 0 })
  return { id, type: 'domain.warning', workspace, mode: internalMode, data }
}

const dataOf = (
  { id, name, status, lastCheck }: SendingDomain,
  { sequence, changedAt }: { sequence: number; changedAt: number },
): DomainEventData => {
  const problems = lastCheck?.records.filter((record) => record.status === 'missing' || record.status === 'wrong') ?? []
  return {
    domain_id: id,
    name,
    status,
    sequence,
    changed_at: isoTime(changedAt),
    problems: problems.map((record) => ({
      purpose: record.purpose,
      type: record.type,
      name: record.name,
      status: record.status,
      problem: record.problem,
    })),
  }
}
