import { usdText } from '@postrider/contracts/http/values.ts'

/** Returns an amount of the API for people: `$1,234.50`, `−$5.00`. */
export const usd = (amount: string): string => {
  const [dollars = '0', cents = '00'] = amount.replace(/^-/, '').split('.')
  return `${amount.startsWith('-') ? '−' : ''}$${dollars.replaceAll(/\B(?=(\d{3})+$)/g, ',')}.${cents.padEnd(2, '0')}`
}

/** Returns cents for people. */
export const usdOfCents = (cents: number): string => usd(usdText(cents))
