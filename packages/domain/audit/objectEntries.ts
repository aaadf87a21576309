import type { AuditAction, AuditNoun, AuditVerb } from './actions.ts'
import { type AuditBy, type AuditEntry, type AuditState, auditEntry } from './entry.ts'

type Changed = Pick<AuditEntry, 'before' | 'after'>

/** The entries about one kind of objects of workspaces. */
export type ObjectEntries<Noun extends AuditNoun, Stored> = {
  /** Returns the entry of a change. @param change absent: nothing that an entry shows */
  of(object: Stored, by: AuditBy, verb: AuditVerb<Noun>, change?: Changed): AuditEntry
  created(object: Stored, by: AuditBy): AuditEntry
  deleted(object: Stored, by: AuditBy): AuditEntry
}

/** Nouns whose objects are created and deleted by a person. */
type ObjectNoun = { [Noun in AuditNoun]: 'create' | 'delete' extends AuditVerb<Noun> ? Noun : never }[AuditNoun]

/**
 * Returns how the entries about one kind of objects are made.
 * @param view returns the fields of an object for the log, without secrets
 * @param newId returns a new id of `aud_…`
 */
export const objectEntries = <Noun extends ObjectNoun, Stored extends { id: string; workspace: string }>({
  noun,
  view,
  newId,
}: {
  noun: Noun
  view: (object: Stored) => AuditState
  newId: () => string
}): ObjectEntries<Noun, Stored> => {
  const of = (
    { id: target, workspace }: Stored,
    by: AuditBy,
    verb: string,
    change: Changed = { before: null, after: null },
  ): AuditEntry => auditEntry(newId(), by, { workspace, action: `${noun}.${verb}` as AuditAction, target, ...change })
  return {
    of,
    created: (object, by) => of(object, by, 'create', { before: null, after: view(object) }),
    deleted: (object, by) => of(object, by, 'delete', { before: view(object), after: null }),
  }
}
