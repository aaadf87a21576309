import type { AuditBy } from '@postrider/domain/audit/entry.ts'
import { objectEntries } from '@postrider/domain/audit/objectEntries.ts'
import type { DomainStatus, SendingDomain } from '@postrider/domain/domains/domain.ts'
import { changesBetween } from '@postrider/domain/domains/life.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { AuditEntry } from '@postrider/ports/audit.ts'

const stateOf = ({ name, status, subdomains }: SendingDomain) => ({ name, status, subdomains })

const { of: entryOf, ...entries } = objectEntries<'domain', SendingDomain>({
  noun: 'domain',
  view: stateOf,
  newId: () => newId('aud'),
})

export const { created: createEntry, deleted: deleteEntry } = entries

export const updateEntry = (before: SendingDomain, after: SendingDomain, by: AuditBy): AuditEntry =>
  entryOf(before, by, 'update', {
    before: { subdomains: before.subdomains },
    after: { subdomains: after.subdomains },
  })

const selectorsOf = ({ keys }: SendingDomain): string[] =>
  keys.flatMap(({ state, selector }) => (state === 'shown' || state === 'active' ? [selector] : []))

/** The selectors of the keys that sign or will sign. */
export const rotationEntry = (before: SendingDomain, after: SendingDomain, by: AuditBy): AuditEntry =>
  entryOf(before, by, 'rotate_key', {
    before: { selectors: selectorsOf(before) },
    after: { selectors: selectorsOf(after) },
  })

/** An entry for the status, and one for each key whose state a check changed. */
export const checkEntries = (before: SendingDomain, checked: SendingDomain, by: AuditBy): AuditEntry[] =>
  changesBetween(before, checked).map((change) =>
    change.kind === 'status'
      ? entryOf(before, by, 'status', {
          before: { status: change.from satisfies DomainStatus },
          after: { status: change.to },
        })
      : entryOf(before, by, 'key', {
          before: { selector: change.selector, state: change.from },
          after: { selector: change.selector, state: change.to },
        }),
  )
