/** The digits of a TypeID, which sort like their values. */
export const base32Digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns the lowest `length` base32 digits of a number. */
export const base32 = (number: number, length: number): string => {
  let text = ''
  for (let remaining = number; text.length < length; remaining = Math.floor(remaining / 32))
    text = base32Digits.charAt(remaining % 32) + text
  return text
}

/** Sorts after every id. */
export const afterAllIds = '~'
