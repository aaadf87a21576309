/** System mail to one person. */
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
