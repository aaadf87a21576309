import {
  type DkimKey,
  type DomainSettings,
  platformWorkspace,
  type RecordPurpose,
  type SendingDomain,
} from './domain.ts'
import { isRequiredKey } from './keys.ts'

/** A record that the owner of a domain has to publish. `value` is the whole content, unquoted and unsplit. */
export type ExpectedRecord = {
  purpose: RecordPurpose
  type: 'TXT' | 'MX'
  /** Fully qualified, without a final dot. */
  name: string
  value: string
  /** Preference of an MX record; absent: it is no MX record. */
  priority?: number
  /** The domain is verified when every required record is found. */
  required: boolean
}

type Named = Pick<SendingDomain, 'name'>

/** Begins the content of the ownership record; the token follows. */
export const ownershipPrefix = 'postrider-verification='

export const ownershipName = ({ name }: Named): string => `_postrider.${name}`
export const dkimName = ({ name }: Named, { selector }: Pick<DkimKey, 'selector'>): string =>
  `${selector}._domainkey.${name}`
/** Returns the domain of the envelope sender of aligned mail: it shares the organizational domain of From. */
export const returnPathName = ({ name }: Named): string => `bounces.${name}`
export const dmarcName = (name: string): string => `_dmarc.${name}`

export const returnPathSpf = (bounceDomain: string): string => `v=spf1 include:${bounceDomain} ~all`
/**
 * DMARC record that a domain without a policy is advised to publish: it changes nothing, and large receivers require
 * it.
 */
export const defaultDmarc = 'v=DMARC1; p=none'

/** Returns the records of a domain in the order in which a person should set them. */
export const expectedRecords = (domain: SendingDomain, settings: DomainSettings): ExpectedRecord[] => [
  ...ownershipRecords(domain),
  ...domain.keys.map((key) => ({
    purpose: 'dkim' as const,
    type: 'TXT' as const,
    name: dkimName(domain, key),
    value: key.publicRecord,
    required: isRequiredKey(key, domain.keys),
  })),
  ...returnPathRecords(domain, settings),
  { purpose: 'dmarc', type: 'TXT', name: dmarcName(domain.name), value: defaultDmarc, required: false },
]

/** The platform's own domain needs no proof: no customer competes for it. */
const ownershipRecords = (domain: SendingDomain): ExpectedRecord[] => {
  if (domain.workspace === platformWorkspace) return []
  const value = `${ownershipPrefix}${domain.token}`
  return [{ purpose: 'ownership', type: 'TXT', name: ownershipName(domain), value, required: true }]
}

const returnPathRecords = (domain: SendingDomain, { bounceDomain }: DomainSettings): ExpectedRecord[] => {
  // The bounces of the platform's own mail go to its sender.
  if (bounceDomain === null || domain.workspace === platformWorkspace) return []
  const name = returnPathName(domain)
  return [
    { purpose: 'return_path_mx', type: 'MX', name, value: bounceDomain, priority: 10, required: false },
    { purpose: 'return_path_spf', type: 'TXT', name, value: returnPathSpf(bounceDomain), required: false },
  ]
}

/** Identifies a record of a domain. */
export const recordKey = ({ purpose, name }: Pick<ExpectedRecord, 'purpose' | 'name'>): string => `${purpose} ${name}`
