import type { Role } from '@postrider/domain/accounts/roles.ts'
import type { StoredEvent } from '@postrider/domain/events/event.ts'
import {
  groupDueAt,
  groupIdentityOf,
  groupKey,
  type NotificationGroup,
  newGroup,
  nextStep,
  withNewEvents,
  withoutSealed,
  withSealed,
} from '@postrider/domain/notifications/group.ts'
import { wants } from '@postrider/domain/notifications/kinds.ts'
import { dayMs, hourMs } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import { isUnavailable } from '@postrider/kit/fault.ts'
import type { Log } from '@postrider/kit/log.ts'
import { busyFault, retryOnConflict } from '@postrider/kit/retryOnConflict.ts'
import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { NotificationStore, StoredGroup } from '@postrider/ports/notifications.ts'
import type { SystemMail } from '@postrider/ports/systemMail.ts'
import { notificationMail } from './notificationMails.ts'
import { mailEach } from './ownerMails.ts'
import { scopeOf } from './preferences.ts'

/*
 * Emails members of a workspace about its events. Producers only insert an event (`WorkspaceEventStore`); internal
 * types are in no feed. From there:
 *
 *   event ─▶ group (domain/notifications/group.ts) ─▶ sealed mail ─▶ intake, once for each member who wants the kind
 *
 * Each arrow can be repeated: a group stores the ids of its events, and an email has the same idempotency keys until it
 * has ended. So several processes may work at the same time, and a crash between any two writes neither loses an email
 * nor sends one twice.
 */

export type NotifierOptions = {
  notifications: NotificationStore
  accounts: Pick<AccountStore, 'people' | 'findUser' | 'workspace'>
  mail: SystemMail
  publicUrl: () => string
  now: Clock
  random?: () => number
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

export type Notifier = AsyncDisposable & {
  /** Groups new events, and sends the emails that are due. @returns how many emails intake accepted */
  notifyDue(): Promise<number>
}

/** Average time between two polls. */
const pollEveryMs = 2_000
/** Events, and groups, of one read. */
const [eventBatch, groupBatch] = [200, 50]
/** A device that was not used for so long is new again. */
const deviceMemoryMs = 180 * dayMs
const maxForgotten = 1_000
const forgetEveryMs = hourMs

export const openNotifier = (options: NotifierOptions): Notifier => {
  const { log, random = Math.random, now, notifications } = options
  let forgotAt = Number.NEGATIVE_INFINITY
  const notifyDue = async (stopping: AbortSignal): Promise<number> => {
    await groupEvents(options, stopping)
    const sent = await sendDue(options, stopping)
    if (now() - forgotAt < forgetEveryMs) return sent
    forgotAt = now()
    await notifications.forgetDevices(now() - deviceMemoryMs, maxForgotten)
    return sent
  }
  const { run, ...job } = periodicJob(
    async (stopping) => {
      const count = await notifyDue(stopping)
      if (count > 0) log.info({ count }, 'notifications sent')
      return count
    },
    { everyMs: pollEveryMs, log, message: 'cannot send notifications', random },
  )
  return { notifyDue: run, ...job }
}

type Groups = Pick<NotifierOptions, 'notifications' | 'now'>

/**
 * Applies `decide` to the stored group and writes the result.
 * @param decide returns null: it stays as it is
 * @returns the group as written; null: nothing was written
 */
const changeGroup = async (
  { notifications, now }: Groups,
  key: string,
  decide: (stored: StoredGroup | null) => NotificationGroup | null,
): Promise<NotificationGroup | null> => {
  return retryOnConflict(
    async () => {
      const stored = await notifications.group(key)
      const changed = decide(stored)
      if (changed === null) return null
      const dueAt = groupDueAt(changed, now())
      if (await notifications.writeGroup(key, changed, dueAt, stored?.version ?? null)) return changed
      return undefined
    },
    {
      rounds: 'sharedRecord',
      onBusy: () => busyFault('group of notifications'),
    },
  )
}

const groupEvents = async (options: Groups, stopping: AbortSignal): Promise<void> => {
  const { notifications } = options
  while (!stopping.aborted) {
    const events = await notifications.unnoticed(eventBatch)
    const byKey = Map.groupBy(events, (event) => {
      const identity = groupIdentityOf(event)
      return identity && groupKey(identity)
    })
    for (const [key, ofGroup] of byKey) if (key !== null) await addEvents(options, key, ofGroup)
    if (events.length > 0) await notifications.markNoticed(events.map(({ id }) => id))
    if (events.length < eventBatch) return
  }
}

const addEvents = async (options: Groups, key: string, events: readonly StoredEvent[]): Promise<void> => {
  const identity = events[0] && groupIdentityOf(events[0])
  if (!identity) return
  await changeGroup(options, key, (stored) => {
    const group = stored?.group ?? newGroup(identity)
    const changed = withNewEvents(group, events)
    return changed === group ? null : changed
  })
}

const sendDue = async (options: NotifierOptions, stopping: AbortSignal): Promise<number> => {
  const { notifications, now, log } = options
  let sent = 0
  for (const key of await notifications.dueGroups(now(), groupBatch)) {
    if (stopping.aborted) break
    try {
      sent += await sendGroup(options, key)
    } catch (err) {
      // An error concerns one group, which is due again later. An unavailable service ends the poll.
      if (isUnavailable(err)) throw err
      log.error({ err, group: key }, 'notification failed')
    }
  }
  return sent
}

const sendGroup = async (options: NotifierOptions, key: string): Promise<number> => {
  const { notifications, now } = options
  const stored = await notifications.group(key)
  if (stored === null || stored.dueAt > now()) return 0
  const step = nextStep(stored.group)
  if (step === 'remove') {
    await notifications.removeGroup(key, stored.version)
    return 0
  }
  const group = step === 'mail' ? withSealed(stored.group, now()) : stored.group
  // Of several processes that found the group due, one continues; a repetition waits for its lease to end.
  if (!(await notifications.writeGroup(key, group, groupDueAt(group, now()), stored.version))) return 0
  const { sealed } = group
  if (sealed === null) return 0
  const sent = await mailAll(options, group, sealed)
  await changeGroup(options, key, (found) => found && withoutSealed(found.group, sealed.at))
  return sent
}

type Sealed = NonNullable<NotificationGroup['sealed']>

const mailAll = async (options: NotifierOptions, group: NotificationGroup, events: Sealed): Promise<number> => {
  const { accounts, mail, publicUrl, log } = options
  const workspace = group.user === null ? await accounts.workspace(group.workspace) : null
  const { kind } = group
  const key = `${kind} ${group.user ?? group.workspace} ${events.at}`
  const context = { kind, events, key, workspaceName: workspace?.name ?? '', publicUrl: publicUrl() }
  const people = []
  for (const { user, role } of await recipientsOf(options, group)) {
    const found = await accounts.findUser(user)
    if (found !== null && found.disabled === null) people.push({ user, role, to: found.email })
  }
  return mailEach(people, {
    mail,
    compose: (person) => notificationMail({ ...person, ...context }),
    onRefused: (err) => log.warn({ err, group: groupKey(group) }, 'notification not accepted'),
  })
}

/** Returns the members who want the mail now; `role` null: the person whose account it is about. */
const recipientsOf = async (
  { notifications, accounts }: Pick<NotifierOptions, 'notifications' | 'accounts'>,
  { workspace, kind, user }: NotificationGroup,
): Promise<{ user: string; role: Role | null }[]> => {
  const scope = scopeOf(kind, workspace)
  if (user !== null) {
    const chosen = (await notifications.preferences(scope, [user])).get(user) ?? {}
    return wants(chosen, 'viewer', kind) ? [{ user, role: null }] : []
  }
  const members = (await accounts.people(workspace))?.members ?? []
  const users = members.map((member) => member.user)
  const chosen = await notifications.preferences(scope, users)
  return members.filter((member) => wants(chosen.get(member.user) ?? {}, member.role, kind))
}
