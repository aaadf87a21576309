import type { EmailRequest__Output as EmailRequest } from '@postrider/contracts/gen/postrider/intake/v1/EmailRequest.ts'
import type { ListEmailsRequest__Output as ListEmailsRequest } from '@postrider/contracts/gen/postrider/intake/v1/ListEmailsRequest.ts'
import type { Reader__Output as Reader } from '@postrider/contracts/gen/postrider/intake/v1/Reader.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import type { StoredEmail } from '@postrider/domain/email/email.ts'
import type { EmailQuery } from '@postrider/domain/email/filter.ts'
import { messageOf } from '@postrider/domain/email/message.ts'
import type { EmailStatus } from '@postrider/domain/email/status.ts'
import type { Clock } from '@postrider/kit/clock.ts'
import { Fault, given } from '@postrider/kit/fault.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import { emailRecord, emailRecordInFull } from './record.ts'

type ReadDeps = { emails: Pick<EmailStore, 'get' | 'content' | 'list'>; now: Clock }

const mayRead = (reader: Reader, { email }: StoredEmail): boolean =>
  email.workspace === reader.workspace &&
  (reader.mode === '' || email.mode === reader.mode) &&
  (reader.sent_by === '' || email.keyId === reader.sent_by)

/** The email a request names. Another workspace's is as absent as one that never was. */
export const readEmail = async (
  emails: Pick<EmailStore, 'get'>,
  { reader, id }: Pick<EmailRequest, 'reader' | 'id'>,
): Promise<StoredEmail> => {
  const stored = await emails.get(id)
  if (stored && mayRead(given(reader, 'reader'), stored)) return stored
  throw new Fault('not_found', 'There is no email with this id.')
}

export const readers = ({ emails, now }: ReadDeps): Pick<Intake, 'GetEmail' | 'GetRaw' | 'ListEmails'> => ({
  GetEmail: async (request) => ({
    record_json: JSON.stringify(emailRecordInFull(await readEmail(emails, request), now())),
  }),

  GetRaw: async (request) => {
    const { email } = await readEmail(emails, request)
    const content = await emails.content(email.id)
    if (!content) throw new Fault('not_found', 'The content of this email is no longer kept.')
    return { raw: Buffer.from(messageOf(email, content)) }
  },

  ListEmails: async (request) => {
    const found = await emails.list(queryOf(request, now()))
    return {
      records_json: found.emails.map((stored) => JSON.stringify(emailRecord(stored, now()))),
      last_id: found.emails.at(-1)?.email.id ?? '',
      has_more: found.hasMore,
    }
  },
})

const timeOrNull = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text))

const tagOf = (tag: string | undefined): EmailQuery['tag'] => {
  if (tag === undefined) return null
  const colon = tag.indexOf(':')
  return { name: tag.slice(0, colon), value: tag.slice(colon + 1) }
}

const queryOf = (request: ListEmailsRequest, now: number): EmailQuery => {
  const reader = given(request.reader, 'reader')
  return {
    workspace: reader.workspace,
    mode: reader.mode === 'live' || reader.mode === 'test' ? reader.mode : null,
    keyId: reader.sent_by || null,
    before: request.before || null,
    limit: request.limit,
    now,
    status: (request.status as EmailStatus | undefined) ?? null,
    to: request.to ?? null,
    from: request.from ?? null,
    subject: request.subject ?? null,
    templateId: request.template_id ?? null,
    tag: tagOf(request.tag),
    category: request.category === 'marketing' || request.category === 'transactional' ? request.category : null,
    createdAfter: timeOrNull(request.created_after),
    createdBefore: timeOrNull(request.created_before),
  }
}
