import { addressKey, parseMailbox } from '@postrider/mail/address.ts'

/** An account's address in the one spelling it is looked up by, or what is wrong with it. */
export const normaliseEmail = (text: string): { email: string } | { code: string; message: string } => {
  const parsed = parseMailbox(text)
  if (!parsed.ok) return { code: parsed.code, message: parsed.message }
  if (parsed.mailbox.name !== '')
    return { code: 'invalid_address', message: 'An account has an address without a name.' }
  return { email: addressKey(parsed.mailbox.address) }
}
