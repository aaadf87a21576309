import type { SystemMessage } from '@postrider/domain/email/systemMessage.ts'

/**
 * System mail itself to one person: invitations, confirmations, notices. It leaves through intake as mail of the
 * workspace `platform`: signed by the domain of the shared sender, not counted, and read by no tenant.
 */
export type SystemMail = {
  /**
   * Returns when the mail is stored durably. Repeating a key sends nothing more.
   * @throws Fault `unavailable` or `rate_limited`: it may be repeated; any other: it is refused
   */
  send(message: SystemMessage): Promise<void>
}
