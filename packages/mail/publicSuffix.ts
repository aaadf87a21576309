import { getDomain } from 'tldts'

/**
 * Private suffixes of the list (github.io, s3.amazonaws.com) count: their labels belong to different owners, as below a
 * top-level domain. Names are A-labels already, so nothing is to be extracted or validated.
 */
const options = { allowPrivateDomains: true, extractHostname: false, validateHostname: false } as const

/**
 * Returns the name that someone registered: `example.co.uk` for `mail.example.co.uk`; null for a public suffix. DMARC
 * calls it the organizational domain (RFC 7489 §3.2). A top-level domain that is not in the list is a suffix.
 * @param name in lower-case A-labels; it may have underscores
 */
export const registrableDomain = (name: string): string | null => getDomain(name, options)
