import type { NotificationPreferences__Output } from '@postrider/contracts/gen/postrider/accounts/v1/NotificationPreferences.ts'
import type { NotificationsChange__Output } from '@postrider/contracts/gen/postrider/accounts/v1/NotificationsChange.ts'
import type { SessionRequest__Output } from '@postrider/contracts/gen/postrider/accounts/v1/SessionRequest.ts'
import { auditedChange } from '@postrider/domain/audit/entry.ts'
import {
  type NotificationKind,
  notificationKindNames,
  type Preferences,
  wants,
} from '@postrider/domain/notifications/kinds.ts'
import { newEntry } from './auditEntries.ts'
import type { Deps } from './deps.ts'
import { type OwnSession, ownSession } from './session.ts'

/** The workspace under which a person's choice is stored; `''`: it is the same in all. */
export const scopeOf = (kind: NotificationKind, workspace: string): string => (kind === 'sign_in' ? '' : workspace)

const chosenIn = async ({ notifications }: Pick<Deps, 'notifications'>, scope: string, user: string) =>
  (await notifications.preferences(scope, [user])).get(user) ?? {}

const record = async (deps: Deps, { open, user }: OwnSession): Promise<NotificationPreferences__Output> => {
  const chosen = { ...(await chosenIn(deps, open.workspace.id, user.id)), ...(await chosenIn(deps, '', user.id)) }
  const kinds = notificationKindNames.map((kind) => [kind, wants(chosen, open.role, kind)] as const)
  return { workspace: open.workspace.id, kinds: Object.fromEntries(kinds) }
}

/** Returns which emails a person gets in the workspace of the session, with the defaults of the role. */
export const getNotifications = async (deps: Deps, { token }: SessionRequest__Output) =>
  record(deps, await ownSession(deps, token))

/** Changes the given kinds. Kinds that are unknown to this release are ignored: the gateway has refused them. */
export const setNotifications = async (deps: Deps, request: NotificationsChange__Output) => {
  const { token, kinds, client_address: clientAddress } = request
  const own = await ownSession(deps, token)
  const { user, open } = own
  const changes = new Map<string, Preferences>()
  for (const kind of notificationKindNames) {
    const isWanted = kinds[kind]
    if (isWanted === undefined) continue
    const scope = scopeOf(kind, open.workspace.id)
    changes.set(scope, { ...changes.get(scope), [kind]: isWanted })
  }
  if (changes.size > 0) {
    const by = { actor: user.id, clientAddress, at: deps.now() }
    const line = { workspace: open.workspace.id, action: 'user.update_notifications' as const, target: user.id }
    await deps.notifications.setPreferences(user.id, changes, (before, after) => {
      const change = auditedChange(before, after, (chosen) => ({ ...chosen }))
      return change && newEntry(by, { ...line, ...change })
    })
  }
  return record(deps, own)
}
