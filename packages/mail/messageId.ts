/**
 * The Message-ID of an email, angle brackets included (RFC 5322 §3.6.4). It is the same in every try, so a receiver
 * that gets the mail twice can tell.
 */
export const messageId = (emailId: string, domain: string): string => `<${emailId}@${domain}>`
