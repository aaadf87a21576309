import { acceptedAt, exampleOf, list, type OperationExamples } from './parts.ts'

const domainId = 'dom_01jd7w3k5vf2ya4m9x0q8r6t1n'

const dkimRecord = (domain: string) => ({
  purpose: 'dkim',
  type: 'TXT',
  name: `prrh4k2m9xq._domainkey.${domain}`,
  value: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA…',
  required: true,
})

const ownershipRecord = (domain: string) => ({
  purpose: 'ownership',
  type: 'TXT',
  name: `_postrider.${domain}`,
  value: 'postrider-verification=k7m2x9q4n8h3b6v5c2z4w7r9t3',
  required: true,
})

const dmarcRecord = (domain: string) => ({
  purpose: 'dmarc',
  type: 'TXT',
  name: `_dmarc.${domain}`,
  value: 'v=DMARC1; p=none',
  required: false,
})

const unchecked = { status: 'unknown', found: null }

const newDomain = {
  object: 'domain',
  id: domainId,
  name: 'example.com',
  status: 'pending',
  subdomains: true,
  created_at: acceptedAt,
  verified_at: null,
  checked_at: null,
  records: [ownershipRecord, dkimRecord, dmarcRecord].map((record) => ({ ...record('example.com'), ...unchecked })),
}

const isFound = (record: { value: string }) => ({ ...record, status: 'found', found: record.value })

const verifiedDomain = {
  ...newDomain,
  status: 'verified',
  verified_at: '2026-11-21T10:15:00.000Z',
  checked_at: '2026-11-21T10:15:00.000Z',
  records: [ownershipRecord, dkimRecord, dmarcRecord].map((record) => isFound(record('example.com'))),
}

const brokenDomain = {
  ...newDomain,
  checked_at: '2026-11-21T10:15:00.000Z',
  records: [
    isFound(ownershipRecord('example.com')),
    {
      ...dkimRecord('example.com'),
      status: 'missing',
      found: null,
      problem:
        'The record is at prrh4k2m9xq._domainkey.example.com.example.com instead of prrh4k2m9xq._domainkey.example.com. The domain was appended twice. If your DNS panel appends example.com by itself, enter prrh4k2m9xq._domainkey as the name.',
    },
    isFound(dmarcRecord('example.com')),
  ],
}

const rotatingDomain = {
  ...verifiedDomain,
  records: [
    isFound(ownershipRecord('example.com')),
    {
      ...dkimRecord('example.com'),
      name: 'prrw8t3c5zv._domainkey.example.com',
      value: 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEB…',
      required: false,
      ...unchecked,
    },
    isFound(dkimRecord('example.com')),
    isFound(dmarcRecord('example.com')),
  ],
}

const platformDomain = {
  object: 'platform_domain',
  name: 'postrider.example',
  status: 'verified',
  verified_at: acceptedAt,
  checked_at: acceptedAt,
  records: [dkimRecord, dmarcRecord].map((record) => isFound(record('postrider.example'))),
}

/** Examples of the operations on sending domains. */
export const domainExamples: Readonly<Record<string, OperationExamples>> = {
  createDomain: { requests: exampleOf('A domain', { name: 'example.com' }), reply: newDomain },
  listDomains: { reply: list(verifiedDomain) },
  getDomain: { reply: verifiedDomain },
  updateDomain: {
    requests: exampleOf('Only addresses of the domain itself', { subdomains: false }),
    reply: { ...verifiedDomain, subdomains: false },
  },
  verifyDomain: { reply: brokenDomain },
  rotateDomainKey: { reply: rotatingDomain },
  getPlatformDomain: { reply: platformDomain },
}
