import { lanes, unknownPolicies } from '@postrider/domain/email/email.ts'
import { z } from 'zod'
import { Attachments, TemplateVars } from './content.ts'
import { CustomHeaders, Metadata, Tags } from './labels.ts'
import { MailboxEntry, Mailboxes, MailboxOrMailboxes, maxReplyTo, ReplyTo } from './recipients.ts'
import { RetentionSetting, retentionDescription } from './retention.ts'
import { block, line, strictObject } from './schema.ts'
import { ExpiresIn, ScheduledAt } from './times.ts'
import { categoryText, onUnknownText } from './values.ts'

const bodyBytes = 2 * 2 ** 20

/**
 * A field that the contract has and this version does not implement. It is refused unless it is absent: a caller that
 * requests an effect must not assume that there is one.
 */
const notSupportedYet = (description: string) =>
  z
    .custom<undefined>((value) => value === undefined, {
      params: { code: 'not_supported' },
      error: 'This field is not supported yet; leave it out.',
    })
    .meta({ type: 'string', description: `${description} Not supported yet: refused with \`not_supported\`.` })
    .optional()

/** Body of `POST /api/v1/emails`. Rules over several fields are in the gateway's `sendRules`. */
export const SendEmail = strictObject({
  to: Mailboxes.describe(
    'Recipients, one address per entry: `user@example.com` or `Name <user@example.com>`, with a name of up to 256 characters. In a domain, characters that UTS #46 maps, such as capital or full-width letters, are accepted as the mapped name, which the record shows. An address outside ASCII is sent where the relay offers SMTPUTF8, and bounces with 5.6.7 elsewhere; other recipients see it as the name of an empty group. At most 50 in `to`, `cc` and `bcc` together; each counts as one send.',
  ),
  subject: line(998)
    .optional()
    .describe('Subject, up to 998 characters. Required in raw mode; must be absent with `template_id`.')
    .meta({ example: 'Your invoice' }),
  html: block(bodyBytes, '2 MiB')
    .optional()
    .describe('HTML body, up to 2 MiB. If `text` is absent, a text part is generated from it.')
    .meta({ example: '<p>Thank you!</p>' }),
  text: block(bodyBytes, '2 MiB')
    .optional()
    .describe('Plain-text body, up to 2 MiB. Without `html` the mail has no HTML part.'),
  template_id: line(100)
    .optional()
    .describe(
      'Id or alias of a template of the workspace. Selects template mode: with `template_vars`, without `subject`, `html` and `text`.',
    ),
  template_version: z
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .optional()
    .describe('Version of the template; default: the newest one. Only with `template_id`.'),
  template_vars: TemplateVars.optional().describe(
    'Values for the template’s placeholders, up to 64 KiB and 5 levels deep; `{}` if it has none. Every placeholder needs a value; extra values are ignored.',
  ),
  from_: MailboxEntry.optional().describe(
    'Sender on a verified domain of the workspace, or on a subdomain of it unless `subdomains` is off; other senders are refused. If it is absent, or the workspace has no verified domain, the shared sender is used; the record shows it and a notice states it.',
  ),
  domain_id: line(100)
    .optional()
    .describe(
      'Id of a verified domain of the workspace. Optional, because `from_` decides. A domain that is not verified or does not match `from_` is refused.',
    ),
  cc: MailboxOrMailboxes.optional().describe('Recipients of a copy that all recipients see: one address or an array.'),
  bcc: MailboxOrMailboxes.optional().describe('Recipients of a copy that others do not see: one address or an array.'),
  reply_to: ReplyTo.optional().describe(
    `Addresses that replies go to: one address or an array of at most ${maxReplyTo}.`,
  ),
  headers: CustomHeaders.optional().describe(
    'Custom header fields, up to 30 with values up to 998 characters. Names that the service sets, that route mail, or that control a mail provider (such as `X-SMTPAPI`, `X-SES-…`) are refused; the operator can exclude more.',
  ),
  attachments: Attachments.optional().describe(
    'Up to 10 files; the finished message may have 10 MiB. Executable files are refused, by name, type or content.',
  ),
  tags: Tags.optional().describe(
    'Up to 10 labels to filter lists by; names and values have 1–256 letters, digits, `_`, `-`. An array of `{ name, value }` is also accepted.',
  ),
  metadata: Metadata.optional().describe(
    'Up to 20 texts, 10 KiB together. Events return them; they are never in the mail.',
  ),
  scheduled_at: ScheduledAt.optional().describe(
    'When to send it: RFC 3339 with offset, or an ISO 8601 duration from now; up to 30 days ahead.',
  ),
  expires_in: ExpiresIn.optional().describe(
    'Time for delivery, in whole seconds or as an ISO 8601 duration, counted from when the mail is due. No attempt is made after it.',
  ),
  on_unknown: z
    .enum(unknownPolicies)
    .optional()
    .describe(
      `What to do if a server accepted the message but its reply was lost. ${onUnknownText} Default: the workspace’s setting.`,
    ),
  category: z.enum(lanes).optional().describe(`Default \`transactional\`. ${categoryText}`),
  topic: notSupportedYet('Subject area of the mail, so that people can unsubscribe from it alone.'),
  retention: RetentionSetting.optional().describe(
    `How long the content is stored after acceptance or the scheduled time. ${retentionDescription} Default: the workspace’s setting.`,
  ),
}).meta({
  id: 'SendEmail',
  description: 'A message to send, raw or from a template.',
  example: { to: ['Jane Doe <jane@example.com>'], subject: 'Your invoice', text: 'Thank you!' },
})

export type SendEmail = z.output<typeof SendEmail>
