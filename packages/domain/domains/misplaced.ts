import { registrableDomain } from '@postrider/mail/publicSuffix.ts'
import { type QueryRecord, textsAt } from './finding.ts'

/** A wrong name under which a record may be, with the fix. */
export type WrongName = { name: string; fix: string }

const enterAs = (relative: string, zone: string): string =>
  `If your DNS panel appends ${zone} by itself, enter ${relative} as the name.`

/**
 * Returns the names under which people and DNS panels put the record `<prefix>.<domain>` by mistake.
 * @param prefix labels before the domain, such as `_postrider`
 */
export const wrongNames = (prefix: string, domain: string): WrongName[] => {
  const name = `${prefix}.${domain}`
  const zone = registrableDomain(domain) ?? domain
  const inZone = name.slice(0, -zone.length - 1)
  return [
    { name: `${name}.${domain}`, fix: `The domain was appended twice. ${enterAs(prefix, domain)}` },
    ...(zone === domain
      ? []
      : [
          { name: `${name}.${zone}`, fix: `The domain was appended twice. ${enterAs(inZone, zone)}` },
          { name: `${prefix}.${zone}`, fix: `The name lacks a part. ${enterAs(inZone, zone)}` },
        ]),
    ...bareNames(prefix).map((bare) => ({ name: `${bare}.${domain}`, fix: `The name is wrong. Move it to ${name}.` })),
    { name: domain, fix: `The name is wrong. Move it to ${name}.` },
    { name: `${prefix}.www.${domain}`, fix: `The name has “www” in it. Move it to ${name}.` },
    { name: `www.${domain}`, fix: `The name is wrong. Move it to ${name}.` },
  ]
}

/** Selectors that people use when they overlook ours. */
const commonSelectors = ['postrider', 'default', 'mail', 'dkim']

/** Returns prefixes that are often entered instead: without `_domainkey`, without underscores, without the dot,
 * with another selector. */
const bareNames = (prefix: string): string[] => {
  const [selector, key] = prefix.split('.')
  if (key === '_domainkey') {
    const others = commonSelectors.map((other) => `${other}._domainkey`)
    return [`${selector}`, `${selector}.domainkey`, `${selector}_domainkey`, '_domainkey', ...others]
  }
  return prefix.startsWith('_') ? [prefix.slice(1)] : []
}

/** Returns the sentence about a record that is at a wrong name, or null. @param more further names to check */
export const misplacedProblem = (
  query: QueryRecord,
  prefix: string,
  domain: string,
  isRight: (text: string) => boolean,
  more: readonly WrongName[] = [],
): string | null => {
  for (const { name, fix } of [...more, ...wrongNames(prefix, domain)]) {
    if (textsAt(query, name).some(({ text }) => isRight(text))) {
      return `The record is at ${name} instead of ${prefix}.${domain}. ${fix}`
    }
  }
  return null
}
