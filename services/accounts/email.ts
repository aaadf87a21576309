import { parseMailbox } from '@postrider/mail/address.ts'

/** An account's address in the one spelling it is looked up by, or what is wrong with it. */
export const normaliseEmail = (text: string): { email: string } | { code: string; message: string } => {
  const parsed = parseMailbox(text.trim())
  if (!parsed.ok) return { code: parsed.code, message: parsed.message }
  if (parsed.mailbox.name !== '') return { code: 'invalid_address', message: 'must be an address without a name' }
  // The standard lets a local part's case matter; no provider does, and one person with two accounts helps nobody.
  return { email: parsed.mailbox.address.normalize('NFC').toLowerCase() }
}
