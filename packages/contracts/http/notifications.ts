import {
  type NotificationKind,
  notificationKindNames,
  notificationKinds,
} from '@postrider/domain/notifications/kinds.ts'
import { z } from 'zod'
import { strictObject } from './schema.ts'

/* Which emails about their workspace and account a person gets. */

const textOf = (kind: NotificationKind): string => `Emails when ${notificationKinds[kind].text}.`

const fields = <Field>(field: (kind: NotificationKind) => Field) =>
  Object.fromEntries(notificationKindNames.map((kind) => [kind, field(kind)])) as Record<NotificationKind, Field>

/** Body of `PATCH /api/v1/account/notifications`. */
export const UpdateNotifications = strictObject(fields((kind) => z.boolean().optional().describe(textOf(kind)))).meta({
  id: 'UpdateNotifications',
})

export const NotificationPreferencesRecord = z
  .looseObject({
    object: z.literal('notification_preferences'),
    workspace: z
      .string()
      .describe('The workspace of the session. `sign_in` is the same in all workspaces of the person.'),
    ...fields((kind) => z.boolean().describe(textOf(kind))),
  })
  .meta({ id: 'NotificationPreferences' })
