import { ShowEmail } from '@postrider/contracts/http/emailContent.ts'
import type { CapturedEmail, CapturedEmailDetail, CapturedEmailList } from '@postrider/contracts/http/mailbox.ts'
import type { Captured, CapturedReply, GetCapturedRequest } from '@postrider/contracts/services.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { z } from 'zod'
import type { Context, Step } from '../deps.ts'
import { attachmentRecord } from '../routes/emailDetails.ts'
import { disconnection } from '../steps/disconnection.ts'
import { slicesFor } from '../steps/scheduleRequests.ts'
import { sendIndex } from './dashboard.ts'
import type { DashboardFiles } from './dashboardFiles.ts'
import { framedHeaders, framedPage } from './framedEmail.ts'
import { sendJson } from './html.ts'
import { isPlain } from './logIn.ts'
import {
  forViewers,
  idParameter,
  listBytes,
  type MailboxDeps,
  mailBytes,
  mailId,
  pageMemory,
  pageSize,
} from './mailboxViewers.ts'

/*
 * What the dashboard's mailbox reads, under the rules of the pages: lists and messages as JSON, HTML for a frame,
 * files.
 */

/**
 * Whether a browser opens the path in a tab. Programs do not send this header, nor do browsers that cannot run scripts
 * of today.
 */
const isOpenedInTab = (context: Context): boolean =>
  context.get('sec-fetch-dest') === 'document' && context.get('accept').includes('text/html')

const wantsJson = (context: Context): boolean => {
  const accepted = context.get('accept')
  return accepted.includes('application/json') && !accepted.includes('text/html')
}

/**
 * Serves a path: the dashboard for a browser that opens it, JSON for a program that accepts JSON, else the
 * page without scripts. `?plain` selects that page also in a browser.
 */
export const mailboxFor = (
  dashboard: DashboardFiles | null | undefined,
  { page, json }: { page: Step; json: Step },
): Step =>
  function mailboxFor(context, next) {
    context.vary('Sec-Fetch-Dest, Accept')
    if (dashboard && isOpenedInTab(context) && !isPlain(context)) return sendIndex(context, dashboard)
    return wantsJson(context) ? json(context, next) : page(context, next)
  }

const captured = ({ id, emailId, workspace, mode, at, from, to, subject }: Captured): CapturedEmail => ({
  object: 'captured_email',
  id,
  email_id: emailId,
  workspace,
  mode,
  at: isoTime(at),
  from,
  to,
  subject,
})

/** Maximum number of characters of a search. */
const maxQueryLength = 200

const listParameters = { q: z.string().max(maxQueryLength).optional(), cursor: idParameter }

/** `/mailbox?q=&cursor=` as JSON: captured messages, newest first. The cursor is the id of a message. */
export const mailboxList = (deps: MailboxDeps): Step =>
  forViewers(deps, listParameters, async (context, { of }, { q = '', cursor: before = null }) => {
    using memory = await pageMemory(deps, context, of, listBytes)
    const search = q === '' ? {} : { query: q }
    const request = { of, before, limit: pageSize + 1, ...search }
    const found = await deps.intake.ListCaptured(request, disconnection(context))
    const data = found.captured.slice(0, pageSize)
    // A search that ends after its most messages has fewer than a page of them, and continues after the last that it
    // read.
    const isPart = found.captured.length <= pageSize && found.end?.hasMore === true
    const hasMore = isPart || found.captured.length > pageSize
    const last = isPart ? found.end?.lastId : data.at(-1)?.id
    const list: CapturedEmailList = {
      object: 'list',
      data: data.map(captured),
      has_more: hasMore,
      next_cursor: (hasMore && last) || null,
    }
    sendJson(context, list)
    await memory.send()
  })

const readMail = (
  deps: MailboxDeps,
  parameters: z.ZodRawShape,
  parametersOf: (context: Context) => Pick<GetCapturedRequest, 'inlineImages' | 'attachment'>,
  show: (context: Context, mail: CapturedReply) => void | Promise<void>,
): Step =>
  forViewers(deps, parameters, async (context, { of }) => {
    using memory = await pageMemory(deps, context, of, mailBytes)
    await show(context, await deps.intake.GetCaptured({ of, id: mailId(context), ...parametersOf(context) }))
    await memory.send()
  })

const detail = ({ html, text, attachments, ...mail }: CapturedReply): CapturedEmailDetail => ({
  ...captured(mail.captured),
  has_html: html !== null,
  text,
  attachments: attachments.map(attachmentRecord),
})

/** `/mailbox/{id}` as JSON: one message without its HTML, which `/mailbox/{id}/html` shows. */
export const capturedData = (deps: MailboxDeps): Step =>
  readMail(
    deps,
    {},
    () => ({}),
    (context, mail) => sendJson(context, detail(mail)),
  )

/** `/mailbox/{id}/html`: the HTML part as a page for a frame. `?images=show` loads images of other hosts. */
export const capturedHtml = (deps: MailboxDeps): Step =>
  readMail(
    deps,
    ShowEmail.shape,
    () => ({ inlineImages: true }),
    async (context, { html, text, attachments }) => {
      const page = framedPage({ html, text, attachments })
      context.set(framedHeaders(context.query['images'] === 'show'))
      context.body = await slicesFor(deps, context).run(page)
      context.set('Content-Type', 'text/html; charset=utf-8')
    },
  )

const numberOf = (context: Context): number => {
  const { number = '' } = (context as Context & { params?: Record<string, string> }).params ?? {}
  return /^\d{1,4}$/.test(number) ? Number(number) : -1
}

/** `/mailbox/{id}/attachments/{number}`: a file as a download, which no browser opens as a page of this service. */
export const capturedAttachment = (deps: MailboxDeps): Step =>
  readMail(
    deps,
    {},
    (context) => ({ attachment: numberOf(context) }),
    (context, { attachments }) => {
      const file = attachments[numberOf(context)]
      if (file?.content === undefined) throw new Fault('not_found', 'There is no such attachment, or it was removed.')
      context.attachment(file.filename || 'attachment')
      context.set('Content-Type', 'application/octet-stream')
      context.body = file.content
    },
  )
