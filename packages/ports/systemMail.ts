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

export type SystemMessage = {
  /** One address. */
  to: string
  subject: string
  text: string
  html: string
  /** Key of at most 255 characters. */
  idempotencyKey: string
  /** Delivery stops after this time, for example when the link in the mail has expired; absent: the usual schedule. */
  expiresInMs?: number
}
