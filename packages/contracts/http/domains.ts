import { domainStatuses } from '@postrider/domain/domains/domain.ts'
import { z } from 'zod'
import { listOf, oneOf, strictObject, time } from './schema.ts'
import { domainStatusText, recordPurposes, recordPurposeText, recordStatuses, recordStatusText } from './values.ts'

/** Body of `POST /api/v1/domains`. The service checks the name, so that its response states what to enter instead. */
export const CreateDomain = strictObject({
  name: z
    .string()
    .min(1)
    .describe('A domain that you registered, or a subdomain of it. Letters outside ASCII are accepted.')
    .meta({ example: 'example.com' }),
}).meta({ id: 'CreateDomain' })

const subdomains = z.boolean().describe('Whether `from_` may be an address of a subdomain.')

/** Body of `PATCH /api/v1/domains/{id}`: an absent field stays as it is. */
export const UpdateDomain = strictObject({ subdomains: subdomains.optional() }).meta({ id: 'UpdateDomain' })

const DnsRecord = z
  .looseObject({
    purpose: oneOf(recordPurposes).describe(recordPurposeText).meta({ example: 'ownership' }),
    type: oneOf(['TXT', 'MX']).describe('Type of the DNS record.').meta({ example: 'TXT' }),
    name: z
      .string()
      .describe(
        'The fully qualified name, without a final dot. If your DNS panel appends the domain by itself, enter only the part before it.',
      )
      .meta({ example: '_postrider.example.com' }),
    value: z.string().describe('The whole content of the record, without quotes and not split.'),
    priority: z.int().optional().describe('Priority; MX records only.'),
    required: z.boolean().describe('Whether the domain is verified only when this record is found.'),
    status: oneOf(recordStatuses).describe(recordStatusText).meta({ example: 'found' }),
    found: z
      .string()
      .nullable()
      .describe('Records found at the name, one per line; null: none were found, or the name was not checked yet.'),
    problem: z.string().optional().describe('What is wrong and how to fix it; absent: no change is needed.'),
  })
  .meta({ id: 'DnsRecord', description: 'A DNS record of a sending domain, and what the last check found.' })

const records = z.array(DnsRecord).describe('The DNS records to set, in the order in which to set them.')
const verifiedAt = time().nullable().describe('When the domain was verified for the first time; null: never.')
const checkedAt = time().nullable().describe('When the records were last checked; null: not yet.')

export const DomainRecord = z
  .looseObject({
    object: z.literal('domain'),
    id: z
      .string()
      .describe('Id of the domain; it may be passed as `domain_id` when sending.')
      .meta({ example: 'dom_01jd7w3k5vf2ya4m9x0q8r6t1n' }),
    name: z.string().describe('The domain in lower-case A-labels.').meta({ example: 'example.com' }),
    status: oneOf(domainStatuses).describe(domainStatusText).meta({ example: 'pending' }),
    subdomains,
    created_at: time(),
    verified_at: verifiedAt,
    checked_at: checkedAt,
    records,
  })
  .meta({ id: 'Domain' })

export const DomainList = listOf(DomainRecord, 'DomainList')

/** The domain of the shared sender, for the operator. */
export const PlatformDomainRecord = z
  .looseObject({
    object: z.literal('platform_domain'),
    name: z.string().describe('The domain of the shared sender.').meta({ example: 'postrider.example' }),
    status: oneOf(domainStatuses).describe(domainStatusText).meta({ example: 'pending' }),
    verified_at: verifiedAt,
    checked_at: checkedAt,
    records,
  })
  .meta({ id: 'PlatformDomain' })
