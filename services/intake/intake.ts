import type { Intake, Quota } from '@postrider/contracts/services.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { EmailStore } from '@postrider/ports/emails.ts'
import type { MailboxStore } from '@postrider/ports/mailbox.ts'
import { cancelEmail } from './cancelEmail.ts'
import { capturedReaders } from './captured.ts'
import { checkRequest } from './checkRequest.ts'
import { readers } from './readEmails.ts'
import { resolveEmail } from './resolveEmail.ts'
import { type SubmitDeps, submitter } from './submit.ts'

export type IntakeDeps = SubmitDeps & {
  emails: EmailStore
  quota: Pick<Quota, 'Reserve' | 'Commit' | 'Release'>
  mailbox: MailboxStore
  audit: Audit
}

/** Takes email or refuses it, and tells what became of it. */
export const intakeService = (deps: IntakeDeps): Intake => ({
  Submit: submitter(deps),
  Check: checkRequest(deps),
  CancelEmail: cancelEmail(deps),
  ResolveEmail: resolveEmail(deps),
  ...readers(deps),
  ...capturedReaders(deps),
})
