import { z } from 'zod'
import { Attachments } from './attachments.ts'
import { closed } from './closed.ts'
import { CustomHeaders, Metadata, Tags } from './labels.ts'
import { Mailbox, Mailboxes, MailboxOrMailboxes } from './recipients.ts'
import { TemplateVars } from './templateVars.ts'
import { block, line } from './text.ts'
import { ExpiresIn, ScheduledAt } from './times.ts'

const bodyBytes = 2 * 2 ** 20

/** Body of `POST /api/v1/emails`. What several fields decide together is in `sendRules`. */
export const SendEmail = closed({
  to: Mailboxes.describe(
    'Recipients, one address an entry. At most 50 in `to`, `cc` and `bcc` together; each counts as one send.',
  ),
  subject: line(998)
    .optional()
    .describe('Subject, up to 998 characters. Needed in raw mode; must be absent beside `template_id`.')
    .meta({ example: 'Your invoice' }),
  html: block(bodyBytes, '2 MiB')
    .optional()
    .describe('HTML body, up to 2 MiB. A text part is made from it where `text` is absent.')
    .meta({ example: '<p>Thank you!</p>' }),
  text: block(bodyBytes, '2 MiB').optional().describe('Plain-text body, up to 2 MiB. Alone it is sent as text alone.'),
  template_id: line(100)
    .optional()
    .describe(
      'Id of a template of the workspace: selects template mode, with `template_vars` and without `subject`, `html` and `text`.',
    ),
  template_vars: TemplateVars.optional().describe(
    'Values for the template’s placeholders, up to 64 KiB and 5 levels deep; `{}` where it has none. Every placeholder needs one, extra ones are ignored.',
  ),
  from_: Mailbox.optional().describe(
    'Sender on a verified domain. Absent, or while the workspace has no verified domain: the shared platform sender; the record shows it and a notice says so.',
  ),
  domain_id: line(100).optional().describe('Id of a verified domain of the workspace to send from.'),
  cc: MailboxOrMailboxes.optional().describe('Recipients of a copy, shown to everybody: one address or an array.'),
  bcc: MailboxOrMailboxes.optional().describe('Recipients of a copy that nobody sees: one address or an array.'),
  reply_to: MailboxOrMailboxes.optional().describe('Where answers go: one address or an array.'),
  headers: CustomHeaders.optional().describe(
    'Header fields of your own, up to 30 with values up to 998 characters. Names that we set, or that route mail, are refused.',
  ),
  attachments: Attachments.optional().describe(
    'Up to 10 files; the finished message may have 10 MiB. Files that can be run are refused.',
  ),
  tags: Tags.optional().describe(
    'Up to 10 labels to filter lists by, names and values of 1–256 letters, digits, `_`, `-`. An array of `{ name, value }` is taken too.',
  ),
  metadata: Metadata.optional().describe(
    'Up to 20 texts, 10 KiB together, that come back in events and are never in the mail.',
  ),
  scheduled_at: ScheduledAt.optional().describe(
    'When it is to leave: RFC 3339 with offset, or an ISO 8601 duration from now; up to 30 days ahead.',
  ),
  expires_in: ExpiresIn.optional().describe(
    'Give up after this long: whole seconds or an ISO 8601 duration, counted from when the mail is due. No attempt is made later.',
  ),
  on_unknown: z
    .enum(['retry', 'hold'])
    .optional()
    .describe(
      'What to do when a server took the message and its reply was lost: send again, or hold it for a person to decide. Default: the workspace’s.',
    ),
  category: z
    .enum(['transactional', 'marketing'])
    .optional()
    .describe(
      '`marketing` needs the workspace’s postal address and has a lane of its own; one-click unsubscribe is not added to it yet. Default `transactional`.',
    ),
  topic: line(100).optional().describe('What it is about, so that people can unsubscribe from that alone.'),
}).meta({ id: 'SendEmail', description: 'A message to send, raw or from a template.' })

export type SendEmail = z.output<typeof SendEmail>
