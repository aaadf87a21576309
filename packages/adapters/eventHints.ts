import { type EmailWrite, givesHint, type WorkspacesWithEndpoints } from '@postrider/domain/webhooks/life.ts'
import { periodicJob } from '@postrider/kit/every.ts'
import type { Log } from '@postrider/kit/log.ts'
import type { Open } from '@postrider/kit/run.ts'
import type { Durable } from '@postrider/ports/durable.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { EventHints } from '@postrider/ports/eventHints.ts'
import type { WebhookEndpointStore } from '@postrider/ports/webhookEndpoints.ts'

/** The workspaces that had an enabled endpoint at the last read. */
export type HintedWorkspaces = AsyncDisposable &
  WorkspacesWithEndpoints & {
    /** Reads them now. */
    refresh(): Promise<void>
  }

/** A new endpoint is known to every process after about this time; a scan finds its earlier events. */
const refreshEveryMs = 2_000

/** Reads the workspaces periodically. A failed read leaves the former set. */
export const hintedWorkspaces = ({
  endpoints,
  log,
}: {
  endpoints: Pick<WebhookEndpointStore, 'enabledWorkspaces'>
  log: Pick<Log, 'info' | 'warn' | 'error'>
}): HintedWorkspaces => {
  let known: ReadonlySet<string> = new Set()
  const read = async (): Promise<void> => {
    known = await endpoints.enabledWorkspaces()
  }
  const { run, ...job } = periodicJob(read, {
    everyMs: refreshEveryMs,
    startNow: true,
    log,
    message: 'cannot read workspaces with webhooks',
  })
  return { has: (workspace) => known.has(workspace), refresh: run, ...job }
}

/**
 * Returns a store of endpoints whose changes take effect in this process immediately. For a process that changes
 * endpoints and sends hints.
 */
export const endpointsThatRefresh = (
  endpoints: WebhookEndpointStore,
  { refresh }: Pick<HintedWorkspaces, 'refresh'>,
): WebhookEndpointStore => ({
  ...endpoints,
  insert: async (...change) => {
    const result = await endpoints.insert(...change)
    await refresh()
    return result
  },
  write: async (...change) => {
    const isWritten = await endpoints.write(...change)
    await refresh()
    return isWritten
  },
})

export type EmailsWithHintsOptions = {
  emails: EmailStore
  hints: Pick<EventHints, 'ring'>
  workspaces: WorkspacesWithEndpoints
  durable: Pick<Durable, 'synced'>
}

/**
 * Returns a store of emails that sends a hint after each durable write of new events, if its workspace has an
 * endpoint. A write for another workspace costs one lookup in a set.
 */
export const emailsWithHints = ({ emails, hints, workspaces, durable }: EmailsWithHintsOptions): EmailStore => {
  const ring = ({ workspace, id }: { workspace: string; id: string }): void => {
    durable.synced().then(
      () => hints.ring([{ workspace, id }]),
      // Nothing was stored.
      () => {},
    )
  }
  const hasHint = (write: EmailWrite, workspace: string): boolean => givesHint(write, workspace, workspaces)
  return {
    ...emails,
    insert: async (email, content) => {
      const result = await emails.insert(email, content)
      if (result === 'inserted' && hasHint('insert', email.workspace)) ring(email)
      return result
    },
    acceptBatch: async (head, mails, given) => {
      const result = await emails.acceptBatch(head, mails, given)
      if (result === 'accepted' && hasHint('batch', head.workspace)) {
        // The batch is accepted. A missing hint delays an event; an error here would refuse the batch.
        const accepted = await emails.batch(head.id).catch(() => null)
        for (const { id } of accepted?.items ?? []) ring({ workspace: head.workspace, id })
      }
      return result
    },
    // Every attempt writes twice, so a write without a hint must not cost a promise.
    write: (id, fence, change) => {
      const { done, email } = change
      if (!hasHint(done ? 'outcome' : 'attempt', email.workspace)) return emails.write(id, fence, change)
      return emails.write(id, fence, change).then((isStored) => {
        if (isStored) ring(email)
        return isStored
      })
    },
    change: async (id, fence, now, change, audit) => {
      const isStored = await emails.change(id, fence, now, change, audit)
      if (isStored && hasHint('change', change.email.workspace)) ring(change.email)
      return isStored
    },
  }
}

type OpenEmailsWithHintsOptions = Pick<EmailsWithHintsOptions, 'emails' | 'hints' | 'durable'> & {
  open: Pick<Open, 'use'>
  endpoints: Pick<WebhookEndpointStore, 'enabledWorkspaces'>
  log: Pick<Log, 'info' | 'warn' | 'error'>
}

/** Opens the hints of a process: reads the workspaces with an endpoint periodically until it ends. */
export const openEmailsWithHints = ({ open, endpoints, log, ...rest }: OpenEmailsWithHintsOptions): EmailStore =>
  emailsWithHints({ ...rest, workspaces: open.use(hintedWorkspaces({ endpoints, log })) })
