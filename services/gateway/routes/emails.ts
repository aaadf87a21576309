import { EmailDetail, EmailList, ListEmails, RescheduleEmail, ResolveEmail } from '@postrider/contracts/http/email.ts'
import { Id } from '@postrider/contracts/http/schema.ts'
import type { ListEmailsRequest, Reader, Templates } from '@postrider/contracts/services.ts'
import { actorIdOf, keyFamilyOf } from '@postrider/domain/accounts/apiKey.ts'
import type { Mode } from '@postrider/domain/email/email.ts'
import { tagText } from '@postrider/domain/email/tag.ts'
import { firstThatFit, maxPageBytes } from '@postrider/domain/listPage.ts'
import { isAlias } from '@postrider/domain/templates/alias.ts'
import { newestVersion } from '@postrider/domain/templates/template.ts'
import { isoTimeOrAbsent } from '@postrider/domain/time.ts'
import { hasCode } from '@postrider/kit/fault.ts'
import { modeSeen } from '../callers/mode.ts'
import type { Identity } from '../deps.ts'
import { listPage } from '../lists.ts'
import { route } from '../route.ts'

/** Scopes that may read mail; any of them is enough. A key without `emails:read` reads only what it sent itself. */
export const readScopes = ['emails:read', 'emails:send'] as const

/**
 * Returns which mail the caller may read: with a key mail of its mode, with a session mail of both modes or of `mode`.
 */
export const readerOf = ({ caller, session }: Identity, mode?: Mode): Reader => ({
  workspace: caller.workspace,
  mode: modeSeen({ caller, session }, mode),
  sentBy: caller.scopes.includes('emails:read') ? null : keyFamilyOf(caller),
  actor: actorIdOf(caller),
  recipients: caller.recipients,
  domains: caller.domains,
})

/** Returns the reader of `readerOf` with the address of the client for the audit log. */
const changerOf = (request: Identity & { clientAddress: string }): Reader => ({
  ...readerOf(request),
  clientAddress: request.clientAddress,
})

const idOf = (record = '{}'): string | undefined => (JSON.parse(record) as { id?: string }).id

const path = '/api/v1/emails'

/** Usual most bytes of a record with all attempts, and of a message. An operator may allow larger messages. */
const recordBytes = 512 * 1_024
const messageBytes = 10 * 2 ** 20

/**
 * Returns the id of the template that a filter names by its alias; mail has the ids. An unknown alias matches no mail.
 */
const templateIdOf = async (
  templates: Pick<Templates, 'Get'>,
  workspace: string,
  named: string | undefined,
): Promise<string | null> => {
  if (named === undefined || !isAlias(named)) return named ?? null
  const found = await templates.Get({ workspace, id: named, version: newestVersion }).catch((thrown: unknown) => {
    if (hasCode(thrown, 'not_found')) return null
    throw thrown
  })
  return found?.id ?? named
}

export const listEmails = route({
  name: 'listEmails',
  method: 'GET',
  path,
  scope: readScopes,
  tag: 'Emails',
  summary: 'List sent and scheduled mail',
  description:
    'Newest first. A page has at most 4 MiB, so it may have fewer records than `limit` while `has_more` is true. A key sees mail of its own mode, a session sees both modes or that of `mode`. A key with `emails:send` but without `emails:read` sees only what it sent itself.',
  limit: 'read',
  query: ListEmails,
  responseBytes: maxPageBytes,
  reply: { status: 200, body: EmailList, description: 'A page of emails.' },
  handle: async ({ query, disconnected, ...identity }, { intake, templates, cursors }) => {
    const reader = readerOf(identity, query.mode)
    // A cursor signs times and a tag as text, so the gateways of two releases accept each other's cursors.
    const page = listPage(cursors, path, reader.workspace, {
      ...query,
      tag: query.tag && tagText(query.tag),
      created_after: isoTimeOrAbsent(query.created_after),
      created_before: isoTimeOrAbsent(query.created_before),
    })
    const filter: ListEmailsRequest = {
      reader,
      limit: page.limit,
      before: page.before || null,
      status: query.status ?? null,
      to: query.to ?? null,
      from: query.from_ ?? null,
      subject: query.subject ?? null,
      templateId: await templateIdOf(templates, reader.workspace, query.template_id),
      tag: query.tag ?? null,
      category: query.category ?? null,
      createdAfter: query.created_after ?? null,
      createdBefore: query.created_before ?? null,
    }
    const found = await intake.ListEmails(filter, disconnected())
    // The records arrive as JSON and are sent unchanged. Intake of release 0.1 does not end a page at its bytes.
    const data = firstThatFit(found.recordsJson, Buffer.byteLength)
    const isCut = data.length < found.recordsJson.length
    const hasMore = isCut || found.hasMore
    const nextCursor = JSON.stringify(page.nextCursor(hasMore, isCut ? idOf(data.at(-1)) : found.lastId))
    return {
      jsonText: `{"object":"list","data":[${data.join(',')}],"has_more":${hasMore},"next_cursor":${nextCursor}}`,
    }
  },
})

export const getEmail = route({
  name: 'getEmail',
  method: 'GET',
  path: '/api/v1/emails/:id',
  scope: readScopes,
  tag: 'Emails',
  summary: 'Read one email with its attempts and events',
  limit: 'read',
  responseBytes: recordBytes,
  params: Id,
  reply: {
    status: 200,
    body: EmailDetail,
    description: 'The email, every attempt with its SMTP conversation, and every event.',
  },
  handle: async ({ params: { id }, ...identity }, { intake }) => {
    const { record_json } = await intake.GetEmail({ reader: readerOf(identity), id })
    return { jsonText: record_json }
  },
})

export const getRawEmail = route({
  name: 'getRawEmail',
  method: 'GET',
  path: '/api/v1/emails/:id/raw',
  scope: readScopes,
  tag: 'Emails',
  summary: 'Read the message as it is sent to the relay',
  limit: 'read',
  responseBytes: messageBytes,
  isResponseCostly: true,
  params: Id,
  reply: {
    status: 200,
    type: 'message/rfc822',
    description:
      'The whole message, header and body, with CRLF line ends. Each attempt adds the fields DKIM-Signature before it.',
  },
  handle: async ({ params: { id }, ...identity }, { intake }) => {
    const { raw } = await intake.GetRaw({ reader: readerOf(identity), id })
    return {
      bytes: raw,
      type: 'message/rfc822',
      headers: { 'Content-Disposition': `attachment; filename="${id}.eml"` },
    }
  },
})

export const cancelEmail = route({
  name: 'cancelEmail',
  method: 'POST',
  path: '/api/v1/emails/:id/cancel',
  isRepeatable: true,
  scope: 'emails:send',
  tag: 'Emails',
  summary: 'Cancel an email before its first attempt',
  description:
    'The quota is released. Canceling again returns the same result; after an attempt has begun, it is a `conflict`. A key that is limited to `recipients` or `domains` cancels only mail that it may send itself: `forbidden`.',
  limit: 'write',
  params: Id,
  reply: { status: 200, body: EmailDetail, description: 'The canceled email.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ params: { id }, ...identity }, { intake }) => {
    const { record_json } = await intake.CancelEmail({ reader: changerOf(identity), id })
    return { jsonText: record_json }
  },
})

export const resolveEmail = route({
  name: 'resolveEmail',
  method: 'POST',
  path: '/api/v1/emails/:id/resolve',
  scope: 'emails:send',
  tag: 'Emails',
  summary: 'Decide the result of recipients in doubt',
  description:
    'For status `unknown`: the message was sent and the reply was lost, so a person has to decide. A key that is limited to `recipients` or `domains` decides only about mail that it may send itself: `forbidden`.',
  limit: 'write',
  params: Id,
  body: ResolveEmail,
  reply: { status: 200, body: EmailDetail, description: 'The email after the decision.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ params: { id }, body, ...identity }, { intake }) => {
    const { record_json } = await intake.ResolveEmail({ reader: changerOf(identity), id, as: body.as })
    return { jsonText: record_json }
  },
})

export const rescheduleEmail = route({
  name: 'rescheduleEmail',
  method: 'PATCH',
  path: '/api/v1/emails/:id',
  scope: 'emails:send',
  tag: 'Emails',
  summary: 'Move an email to another time',
  description:
    'For mail without an attempt, whether it was scheduled or waits for another reason. After an attempt has begun, and for mail that was canceled, it is a `conflict`. `expires_in` counts from the new time. A key that is limited to `recipients` or `domains` moves only mail that it may send itself: `forbidden`.',
  limit: 'write',
  params: Id,
  body: RescheduleEmail,
  reply: { status: 200, body: EmailDetail, description: 'The email with its new time.' },
  errors: ['forbidden', 'conflict'],
  handle: async ({ params: { id }, body, ...identity }, { intake }) => {
    const { record_json } = await intake.RescheduleEmail({ reader: changerOf(identity), id, sendAt: body.scheduled_at })
    return { jsonText: record_json }
  },
})
