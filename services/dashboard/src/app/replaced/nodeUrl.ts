/*
 * Replaces `node:url` in the browser, for the schemas that check addresses.
 */

const hostOf = (name: string): string => {
  const url = `http://${name}`
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/** Returns a domain name in A-labels; empty: it is not a domain name. */
export const domainToASCII = (name: string): string => hostOf(name)

/** Returns the name as it is: the browser decodes no A-labels, and the API checks them. */
export const domainToUnicode = (name: string): string => name.replaceAll('xn--', '')
