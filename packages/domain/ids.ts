/** The digits of a TypeID, which sort like their values. */
export const base32Digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns the lowest `length` base32 digits of a number. */
export const base32 = (number: number, length: number): string => {
  let text = ''
  for (let rest = number; text.length < length; rest = Math.floor(rest / 32))
    text = base32Digits.charAt(rest % 32) + text
  return text
}

/** Sorts after every id. */
export const afterAllIds = '~'
