import { isAtLeast, type Role } from '../accounts/roles.ts'
import type { InternalEventType, WorkspaceEventType } from '../events/event.ts'

/**
 * Kinds of notifications by mail, and the least powerful role that gets them unless the member chooses. `sign_in` is
 * about the person's own account, and the same in all workspaces.
 */
export const notificationKinds = {
  quota: { least: 'owner', text: 'a quota is at 80 % or used up' },
  domains: { least: 'admin', text: 'the DNS records of a sending domain are missing or wrong' },
  webhooks: { least: 'admin', text: 'a webhook endpoint fails or was disabled' },
  reputation: { least: 'owner', text: 'many recipients bounce, or complain' },
  sign_in: { least: 'viewer', text: 'your account was used on a new device' },
} as const satisfies Record<string, { least: Role; text: string }>

export type NotificationKind = keyof typeof notificationKinds

export const notificationKindNames = Object.keys(notificationKinds) as NotificationKind[]

/** Choices of a member; an absent kind has the default of the role. */
export type Preferences = Partial<Record<NotificationKind, boolean>>

/** The changed kinds by workspace; `''`: those of the account. No kind is in two of them. */
export type PreferenceChanges = ReadonlyMap<string, Preferences>

/** One list of the choices of a person that are stored in several records. */
const merged = (choices: readonly Preferences[]): Preferences => Object.assign({}, ...choices)

/**
 * Returns what a person chose in each of the changed workspaces, after the change, and in all of them before and after
 * it. A kind that is not changed stays.
 * @param known what the person chose in a workspace so far
 */
export const changedPreferences = (known: (workspace: string) => Preferences, changes: PreferenceChanges) => {
  const scopes = [...changes].map(([scope, change]) => {
    const before = known(scope)
    return { scope, before, after: { ...before, ...change } }
  })
  return {
    choices: scopes.map(({ scope, after: kinds }) => ({ scope, kinds })),
    before: merged(scopes.map(({ before }) => before)),
    after: merged(scopes.map(({ after }) => after)),
  }
}

/** Returns whether a member gets emails of a kind. */
export const wants = (preferences: Preferences, role: Role, kind: NotificationKind): boolean =>
  preferences[kind] ?? isAtLeast(role, notificationKinds[kind].least)

const kindByType: Partial<Record<WorkspaceEventType | InternalEventType, NotificationKind>> = {
  'quota.warning': 'quota',
  'quota.exhausted': 'quota',
  'domain.warning': 'domains',
  'domain.failed': 'domains',
  'webhook.failing': 'webhooks',
  'webhook.disabled': 'webhooks',
  'reputation.warning': 'reputation',
  'reputation.critical': 'reputation',
  'sign_in.new_device': 'sign_in',
}

/** Returns the kind of the emails about an event; null: there is no mail about it. */
export const kindOf = (type: string): NotificationKind | null =>
  kindByType[type as WorkspaceEventType | InternalEventType] ?? null
