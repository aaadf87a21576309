import { removedAddress } from './purge.ts'

/**
 * Returns a text with an erased address replaced, in any case. An address that only contains it, such as `joann@example.com` of
 * `ann@example.com`, stays.
 */
export const withoutAddressIn = (text: string, address: string): string =>
  text.replaceAll(
    new RegExp(String.raw`(?<![\p{L}\p{N}._%+-])${RegExp.escape(address)}(?![\p{L}\p{N}-]|\.[\p{L}\p{N}])`, 'giu'),
    removedAddress,
  )
