import { areVarsSmall } from '@postrider/contracts/http/content.ts'
import { maxHeaders } from '@postrider/contracts/http/labels.ts'
import { isTooLong, maxRecipients, tooManyRecipients } from '@postrider/contracts/http/recipients.ts'
import { retentionOf } from '@postrider/contracts/http/retention.ts'
import { isObject } from '@postrider/contracts/http/schema.ts'
import type { SendEmail } from '@postrider/contracts/http/sendEmail.ts'
import { parseSendTime } from '@postrider/contracts/http/times.ts'
import type { CheckRequest, Intake, MailRequest, QuotaAfterSend, SubmitReply } from '@postrider/contracts/services.ts'
import { contentProblems } from '@postrider/domain/email/messageRules.ts'
import { freeBytes } from '@postrider/kit/bytes.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import { addressKey, mailboxParser, parseMailbox } from '@postrider/mail/address.ts'
import { checkHeader, checkHeaderPrefix } from '@postrider/mail/headers.ts'
import { contentTypeOf } from '@postrider/mail/mediaType.ts'
import { shortBodyBytes } from '../bodies/memory.ts'
import type { GatewayConfig } from '../config.ts'
import { present, type RouteResponse } from '../route.ts'

/*
 * The checks and forms of a message in a request, and the response to accepted mail, for each route that accepts
 * messages.
 */

/** Returns the entries of a list; none if the schema refused it as too long. */
const entriesOf = (list: unknown): readonly unknown[] => {
  const entries = typeof list === 'string' ? [list] : Array.isArray(list) ? list : []
  return isTooLong(entries) ? [] : entries
}

/** Counts different addresses in to, cc and bcc. */
const recipientCountProblems = (raw: Record<string, unknown>): Problem[] => {
  const entries = [raw['to'], raw['cc'], raw['bcc']].flatMap(entriesOf)
  if (entries.length <= maxRecipients) return []
  const keys = new Set<string>()
  for (const entry of new Set(entries)) {
    if (typeof entry !== 'string') continue
    const parsed = parseMailbox(entry)
    keys.add(parsed.ok ? addressKey(parsed.mailbox.address) : entry)
    if (keys.size > maxRecipients) return [{ path: 'to', ...tooManyRecipients }]
  }
  return []
}

/** Returns the problems between several fields of a send. */
const sendRules = (raw: Record<string, unknown>): Problem[] => [...contentProblems(raw), ...recipientCountProblems(raw)]

/** Returns the headers that the operator excludes. The schema already refused an object with too many of them. */
const headerProblems = ({ headers }: Record<string, unknown>, refused: readonly string[]): Problem[] => {
  const names = refused.length > 0 && typeof headers === 'object' && headers !== null ? Object.keys(headers) : []
  return names.slice(0, maxHeaders).flatMap((name) => {
    const problem = checkHeader(name, '') === null ? checkHeaderPrefix(name, refused) : null
    return problem === null ? [] : [{ path: `headers.${name}`, ...problem }]
  })
}

/** Returns the problems between several fields of a message, and the headers that the operator excludes. */
export const messageRules = (
  raw: Record<string, unknown>,
  { refusedHeaders = [] }: Pick<GatewayConfig, 'refusedHeaders'>,
): Problem[] => [...sendRules(raw), ...headerProblems(raw, refusedHeaders)]

/** Returns a checked body as intake accepts it. */
export const toMail = (body: SendEmail): MailRequest => ({
  from: body.from_ ?? null,
  to: body.to,
  cc: body.cc ?? [],
  bcc: body.bcc ?? [],
  replyTo: body.reply_to ?? [],
  subject: body.subject ?? null,
  html: body.html ?? null,
  text: body.text ?? null,
  template:
    body.template_id === undefined
      ? null
      : { id: body.template_id, vars: body.template_vars ?? {}, ...present({ version: body.template_version }) },
  domainId: body.domain_id ?? null,
  headers: body.headers ?? {},
  attachments: (body.attachments ?? []).map(({ filename, content, content_type, content_id }) => ({
    filename,
    content,
    contentType: content_type ?? contentTypeOf(filename),
    contentId: content_id ?? null,
  })),
  tags: body.tags ?? {},
  metadata: body.metadata ?? {},
  sendAt: body.scheduled_at ?? null,
  expiresInMs: body.expires_in ?? null,
  onUnknown: body.on_unknown ?? null,
  category: body.category ?? 'transactional',
  topic: null,
  ...present({ retention: body.retention }),
})

/** Frees the memory of long contents. Only after the response of intake: what it accepted is stored. */
export const freeContents = ({ attachments }: MailRequest): void => {
  for (const { content } of attachments) if (content.byteLength > shortBodyBytes) freeBytes(content)
}

/** Returns the problems that intake finds in the well-formed parts of a refused body. */
export const serviceProblemsOf = async (
  raw: Record<string, unknown>,
  caller: CheckRequest['caller'],
  intake: Pick<Intake, 'Check'>,
): Promise<Problem[]> =>
  (await intake.Check({ caller, ...toCheck(raw, { withRecipients: caller.recipients.length > 0 }) })).problems

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const versionOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value < 2 ** 31 ? value : undefined

const fromOf = (value: unknown): CheckRequest['from'] => {
  const parsed = parseMailbox(textOf(value) ?? '')
  return parsed.ok ? parsed.mailbox : null
}

/** Returns the well-formed parts of a refused body, which intake can still check. */
export const toCheck = (
  raw: Record<string, unknown>,
  { withRecipients }: { withRecipients: boolean },
): Omit<CheckRequest, 'caller'> => {
  const [templateId, vars] = [textOf(raw['template_id']), raw['template_vars']]
  return {
    template:
      templateId === null
        ? null
        : {
            id: templateId,
            vars: isObject(vars) && areVarsSmall(vars) ? vars : null,
            ...present({ version: versionOf(raw['template_version']) }),
          },
    from: fromOf(raw['from_']),
    domainId: textOf(raw['domain_id']),
    sendAt: parseSendTime(textOf(raw['scheduled_at']) ?? ''),
    category: raw['category'] === 'marketing' ? 'marketing' : 'transactional',
    ...present({ retention: retentionOf(raw['retention']) ?? undefined }),
    to: withRecipients ? mailboxesOf(raw['to']) : [],
    cc: withRecipients ? mailboxesOf(raw['cc']) : [],
    bcc: withRecipients ? mailboxesOf(raw['bcc']) : [],
  }
}

/** Returns a mailbox for each entry of a list, so that indexes stay the same; entries that cannot be read are empty. */
const mailboxesOf = (list: unknown): CheckRequest['to'] => {
  const parse = mailboxParser()
  return entriesOf(list).map((entry) => {
    const parsed = typeof entry === 'string' ? parse(entry) : null
    return parsed?.ok ? parsed.mailbox : { name: '', address: '' }
  })
}

/** Response headers of every route that accepts mail, for the API reference. */
export const submitHeaders = {
  'Quota-Limit': 'Sends of the tighter quota; absent if there is no limit.',
  'Quota-Remaining': 'Sends left in it.',
  'Quota-Reset': 'Seconds until it resets.',
  'Idempotent-Replayed': '`true` if this is the response of an earlier request with the same key.',
}

const quotaHeaders = ({ limit, remaining, resetsInMs }: QuotaAfterSend): Record<string, string> => ({
  'Quota-Limit': String(limit),
  'Quota-Remaining': String(remaining),
  'Quota-Reset': String(Math.max(0, Math.ceil(resetsInMs / 1_000))),
})

/** Returns the response to accepted mail, byte for byte that of the first request. */
export const submitResponse = (
  { status, bodyJson, replayed, quota }: SubmitReply,
  { about, headers = {} }: { about?: string; headers?: Record<string, string> } = {},
): RouteResponse<never> => ({
  status,
  jsonText: bodyJson,
  ...(about !== undefined && { about }),
  durable: true,
  headers: {
    ...headers,
    ...(replayed && { 'Idempotent-Replayed': 'true' }),
    ...(quota && quotaHeaders(quota)),
  },
})
