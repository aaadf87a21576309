import type { Captured__Output as Captured } from '@postrider/contracts/gen/postrider/intake/v1/Captured.ts'
import type { Intake } from '@postrider/contracts/services.ts'
import { messageOf } from '@postrider/domain/email/message.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { CapturedMail, MailboxStore } from '@postrider/ports/mailbox.ts'

type CapturedDeps = { emails: Pick<EmailStore, 'get' | 'content'>; mailbox: MailboxStore }

const capturedOf = (mail: CapturedMail, subject: string): Captured => ({
  id: mail.attemptId,
  email_id: mail.emailId,
  workspace: mail.workspace,
  mode: mail.mode,
  at: isoTime(mail.at),
  from: mail.from,
  to: mail.to,
  subject,
})

/** What the mailbox route kept instead of sending. */
export const capturedReaders = ({ emails, mailbox }: CapturedDeps): Pick<Intake, 'ListCaptured' | 'GetCaptured'> => ({
  ListCaptured: async ({ workspace, before, limit }) => {
    const kept = await mailbox.list({ workspace: workspace || null, before: before || null, limit })
    const withSubject = kept.map(async (mail) =>
      capturedOf(mail, (await emails.get(mail.emailId))?.email.subject ?? ''),
    )
    return { captured: await Promise.all(withSubject) }
  },

  GetCaptured: async ({ workspace, id }) => {
    const mail = await mailbox.get(id)
    const stored = mail && (workspace === '' || mail.workspace === workspace) ? await emails.get(mail.emailId) : null
    const content = stored && (await emails.content(stored.email.id))
    if (!mail || !stored || !content) throw new Fault('not_found', 'There is no captured mail with this id.')
    return {
      captured: capturedOf(mail, stored.email.subject),
      raw: Buffer.from(messageOf(stored.email, content)),
      html: content.html ?? '',
      text: content.text ?? '',
    }
  },
})
