import type { NotificationPreferences__Output as Preferences } from '@postrider/contracts/gen/postrider/accounts/v1/NotificationPreferences.ts'
import { NotificationPreferencesRecord, UpdateNotifications } from '@postrider/contracts/http/notifications.ts'
import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import { type NotificationKind, notificationKindNames } from '@postrider/domain/notifications/kinds.ts'
import { sessionRoute } from '../route.ts'

const path = '/api/v1/account/notifications'

const defaults =
  'Without a choice, owners get all kinds, admins `domains` and `webhooks`, and everyone `sign_in`. The first event of a kind is mailed immediately; those of the next hour come together in one email.'

const recordOf = ({ workspace, kinds }: Preferences) => {
  const wanted = Object.fromEntries(notificationKindNames.map((kind) => [kind, kinds[kind] ?? false]))
  return {
    object: 'notification_preferences',
    workspace,
    ...(wanted as Record<NotificationKind, boolean>),
  } satisfies RecordOf<typeof NotificationPreferencesRecord>
}

export const getNotifications = sessionRoute({
  name: 'getNotifications',
  method: 'GET',
  path,
  session: 'account:use',
  tag: 'Accounts',
  summary: 'Read which emails you get about the workspace and your account',
  description: `${defaults} Each member of each workspace chooses for themselves.`,
  limit: 'read',
  reply: {
    status: 200,
    body: NotificationPreferencesRecord,
    description: 'Your choice, with the defaults of your role.',
  },
  handle: async ({ session }, { accounts }) => ({
    json: recordOf(await accounts.GetNotifications({ token: session.token })),
  }),
})

export const updateNotifications = sessionRoute({
  name: 'updateNotifications',
  method: 'PATCH',
  path,
  session: 'account:use',
  tag: 'Accounts',
  summary: 'Choose which emails you get about the workspace and your account',
  description: `An absent field stays as it is. ${defaults} A choice stays when your role changes.`,
  limit: 'write',
  body: UpdateNotifications,
  reply: { status: 200, body: NotificationPreferencesRecord, description: 'Your choice after the change.' },
  handle: async ({ body, session, clientAddress }, { accounts }) => {
    const chosen = notificationKindNames.flatMap((kind) => {
      const isWanted = body[kind]
      return isWanted === undefined ? [] : [[kind, isWanted] as const]
    })
    const kinds = Object.fromEntries(chosen)
    const request = { token: session.token, kinds, client_address: clientAddress }
    return { json: recordOf(await accounts.SetNotifications(request)) }
  },
})
