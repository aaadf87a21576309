import { domainOf } from '@postrider/mail/address.ts'
import type { DomainSettings } from './domain.ts'

/** Settings of the operator for the platform itself. */
export type PlatformSettings = DomainSettings & {
  /** Address of the shared sender, its domain in lower-case A-labels. */
  senderAddress: string
}

/** Returns the name of the domain of the shared sender, whose keys sign its mail. */
export const platformSenderDomain = ({ senderAddress }: Pick<PlatformSettings, 'senderAddress'>): string =>
  domainOf(senderAddress).toLowerCase()

/** Returns the names that no customer may add or send from, as their subdomains. */
export const platformDomains = ({ senderAddress, bounceDomain }: PlatformSettings): string[] => [
  ...new Set([platformSenderDomain({ senderAddress }), ...(bounceDomain === null ? [] : [bounceDomain])]),
]
