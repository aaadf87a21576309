import type {
  Captured,
  CapturedPage,
  ContentReply,
  EmailRequest,
  EmailsPage,
  Intake,
  ListEmailsRequest,
} from '@postrider/contracts/services.ts'
import { changeRefusal, mayRead } from '@postrider/domain/accounts/keyRestrictions.ts'
import type { Content, Email, StoredEmail } from '@postrider/domain/email/email.ts'
import type { EmailQuery } from '@postrider/domain/email/filter.ts'
import { isLongContent, messageSteps, wantsUtf8 } from '@postrider/domain/email/message.ts'
import { containsText } from '@postrider/domain/letterCase.ts'
import { pageRoom } from '@postrider/domain/listPage.ts'
import { isoTime } from '@postrider/domain/time.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault } from '@postrider/kit/fault.ts'
import { makeSlices, nextSlice, type Slices } from '@postrider/kit/slices.ts'
import { bufferOf } from '@postrider/mail/bytes.ts'
import { inlineImages } from '@postrider/mail/inlineImages.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { CapturedMail, MailboxStore } from '@postrider/ports/mailbox.ts'
import { emailRecord, emailRecordInFull } from './emailRecord.ts'
import { explanation } from './explain.ts'

/** Reads the email of a request.
 * @throws Fault `not_found`: there is none, or the reader may not see it */
const readEmail = async (emails: Pick<EmailStore, 'get'>, { reader, id }: EmailRequest): Promise<StoredEmail> => {
  const stored = await emails.get(id)
  if (stored && mayRead(reader, stored.email)) return stored
  throw new Fault('not_found', 'There is no email with this id.')
}

/** Reads the email that a request changes. @throws Fault `not_found`; `forbidden`: the key may not send such mail */
export const readToChange = async (emails: Pick<EmailStore, 'get'>, request: EmailRequest): Promise<StoredEmail> => {
  const stored = await readEmail(emails, request)
  const refusal = changeRefusal(stored.email, request.reader)
  if (refusal !== null) throw new Fault('forbidden', refusal)
  return stored
}

type ReadDeps = { emails: Pick<EmailStore, 'get' | 'content' | 'list'>; now: Clock }

/** Returns the methods that read accepted email. */
export const emailReaders = (
  { emails, now }: ReadDeps,
  slices = makeSlices(),
): Pick<Intake, 'GetEmail' | 'GetRaw' | 'GetContent' | 'ExplainEmail' | 'ListEmails'> => ({
  GetEmail: async (request) => ({
    record_json: JSON.stringify(emailRecordInFull(await readEmail(emails, request), now())),
  }),

  GetRaw: async (request) => {
    const { email } = await readEmail(emails, request)
    const content = await emails.content(email.id)
    if (!content) throw contentRemovedFault(email)
    const shown = shownContent(email, content)
    return { raw: bufferOf(await slices.of(email.workspace).run(messageSteps(email, shown), isLongContent(shown))) }
  },

  GetContent: async (request) => {
    const { email } = await readEmail(emails, request)
    const content = await emails.content(email.id)
    if (!content) throw contentRemovedFault(email)
    return contentReply(email, content, request.inlineImages === true)
  },

  ExplainEmail: async (request) => ({
    record_json: JSON.stringify(explanation(await readEmail(emails, request), now())),
  }),

  ListEmails: (request, signal) => listPage({ emails, slices }, queryOf(request, now()), signal),
})

const contentReply = (
  { subject, attachmentsRemovedAt: removedAt }: Email,
  { html, text, headers, attachments }: Content,
  hasImages: boolean,
): ContentReply => ({
  subject,
  html,
  text,
  headers,
  attachments: attachmentRecords(removedAt, attachments, hasImages ? inlineImages(attachments) : []),
  attachmentsRemovedAt: removedAt ?? null,
})

/** @param withContent the files whose content is part of the reply */
const attachmentRecords = (
  removedAt: number | undefined,
  attachments: Content['attachments'],
  withContent: readonly Content['attachments'][number][],
): ContentReply['attachments'] => {
  const isRemoved = removedAt !== undefined
  return attachments.map((file) => ({
    filename: file.filename,
    contentType: file.contentType,
    contentId: file.contentId || null,
    size: isRemoved ? null : file.content.byteLength,
    ...(!isRemoved && withContent.includes(file) && { content: bufferOf(file.content) }),
  }))
}

const contentRemovedFault = ({ contentRemovedAt: at }: Email): Fault => {
  const since = at === undefined ? 'is no longer stored' : `was removed at ${isoTime(at)}`
  return new Fault(
    'not_found',
    `The content of this email ${since}; the workspace’s retention decides how long it is kept.`,
  )
}

/** Returns the content with a sentence in place of each attachment that was removed. */
const shownContent = ({ attachmentsRemovedAt: at }: Email, content: Content): Content => {
  if (at === undefined) return content
  const sentence = Buffer.from(`This attachment was removed at ${isoTime(at)}.\r\n`)
  const attachments = content.attachments.map((attachment) => ({
    ...attachment,
    contentType: 'text/plain',
    content: sentence,
  }))
  return { ...content, attachments }
}

/** Emails that one step of a page reads: each is read with all its attempts, which a list does not show. */
const stepEmails = 10

/** How long one slice should take: one step of long records takes longer. */
const sliceMs = 1

/** Reads a page in steps until its number of records or its bytes end it. */
const listPage = async (
  { emails, slices }: { emails: Pick<EmailStore, 'list'>; slices: Slices },
  query: EmailQuery,
  signal: AbortSignal | undefined,
): Promise<EmailsPage> => {
  const room = pageRoom<string>(query.limit)
  const page: EmailsPage = { recordsJson: room.page().items, lastId: null, hasMore: true }
  let since = performance.now()
  while (page.hasMore && page.recordsJson.length < query.limit && !signal?.aborted) {
    const limit = Math.min(stepEmails, query.limit - page.recordsJson.length)
    const found = await emails.list({ ...query, before: page.lastId ?? query.before, limit }, signal)
    for (const stored of found.emails) {
      const json = JSON.stringify(emailRecord(stored, query.now))
      if (!room.add(json, Buffer.byteLength(json))) return page
      page.lastId = stored.email.id
    }
    page.hasMore = found.hasMore
    if (performance.now() - since > sliceMs) {
      await nextSlice(slices.of(query.workspace))
      since = performance.now()
    }
  }
  return page
}

const queryOf = ({ reader, ...query }: ListEmailsRequest, now: number): EmailQuery => ({
  ...query,
  workspace: reader.workspace,
  mode: reader.mode,
  keyId: reader.sentBy,
  now,
})

type CapturedDeps = { emails: Pick<EmailStore, 'get' | 'content'>; mailbox: Pick<MailboxStore, 'get' | 'list'> }

/** Reads the mail that the mailbox route captured instead of sending. */
export const capturedReaders = (
  { emails, mailbox }: CapturedDeps,
  slices = makeSlices(),
): Pick<Intake, 'ListCaptured' | 'GetCaptured'> => ({
  ListCaptured: async ({ of, before, limit, query }, signal) => {
    const workspace = of === 'every_workspace' ? null : of.workspace
    const read = async (from: string | null, max: number): Promise<Captured[]> => {
      const mails = await mailbox.list({ workspace, before: from, limit: max })
      const withSubject = mails.map(async (mail) =>
        capturedRecord(mail, (await emails.get(mail.emailId))?.email.subject ?? ''),
      )
      return Promise.all(withSubject)
    }
    return query === undefined
      ? { captured: await read(before, limit) }
      : searchCaptured(read, { query, before, limit, slices: slices.of(workspace ?? ''), signal })
  },

  GetCaptured: async ({ of, id, inlineImages: withImages = false, attachment = -1 }) => {
    const mail = await mailbox.get(id)
    const isOf = mail && (of === 'every_workspace' || mail.workspace === of.workspace)
    const stored = isOf ? await emails.get(mail.emailId) : null
    const content = stored && (await emails.content(stored.email.id))
    if (!mail || !stored || !content) throw new Fault('not_found', 'There is no captured mail with this id.')
    const form = wantsUtf8(stored.email, mail.to) ? 'utf8' : 'ascii'
    const shown = shownContent(stored.email, content)
    const wanted = content.attachments.filter((_, number) => number === attachment)
    const withContent = withImages ? inlineImages(content.attachments) : wanted
    return {
      captured: capturedRecord(mail, stored.email.subject),
      raw: bufferOf(await slices.of(mail.workspace).run(messageSteps(stored.email, shown, form), isLongContent(shown))),
      html: content.html || null,
      text: content.text || null,
      attachments: attachmentRecords(stored.email.attachmentsRemovedAt, content.attachments, withContent),
    }
  },
})

/** Maximum number of messages that one search reads, and how many at a time. */
const [maxSearched, messagesPerRead] = [500, 20]

type CapturedSearch = {
  query: string
  before: string | null
  limit: number
  slices: Slices
  signal: AbortSignal | undefined
}

/** Reads captured mail until enough of it matches, until one search has read its most, or until the caller has left. */
const searchCaptured = async (
  read: (before: string | null, limit: number) => Promise<Captured[]>,
  { query, before, limit, slices, signal }: CapturedSearch,
): Promise<CapturedPage> => {
  const matches = ({ subject, from, to }: Captured): boolean =>
    [subject, from, ...to].some((text) => containsText(text, query))
  const captured: Captured[] = []
  const end = { hasMore: true, lastId: before }
  for (let searched = 0; searched < maxSearched && !signal?.aborted; searched += messagesPerRead) {
    const page = await read(end.lastId, messagesPerRead)
    for (const one of page) {
      end.lastId = one.id
      if (matches(one)) captured.push(one)
      if (captured.length === limit) return { captured, end }
    }
    if (page.length < messagesPerRead) return { captured, end: { ...end, hasMore: false } }
    // A store in this process works synchronously.
    await nextSlice(slices)
  }
  return { captured, end }
}

const capturedRecord = (mail: CapturedMail, subject: string): Captured => ({
  id: mail.attemptId,
  emailId: mail.emailId,
  workspace: mail.workspace,
  mode: mail.mode,
  at: mail.at,
  from: mail.from,
  to: mail.to,
  subject,
})
