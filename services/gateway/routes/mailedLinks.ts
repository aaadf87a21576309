/** Returns the record of a request for an email. */
export const requestedMail = (detail: string) => ({ object: 'mail_request' as const, detail })

/** The sentence about links in the descriptions of the operations that take one. */
export const linkText =
  'A link works once; an unknown, used, replaced or expired one is refused with `invalid_link` at `token`.'
