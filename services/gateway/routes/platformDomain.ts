import { PlatformDomainRecord } from '@postrider/contracts/http/domains.ts'
import { platformDomainRecord } from '../records/domainRecords.ts'
import { operatorRoute } from '../route.ts'

export const getPlatformDomain = operatorRoute({
  name: 'getPlatformDomain',
  method: 'GET',
  path: '/api/v1/operator/platform-domain',
  operator: true,
  tag: 'Operator',
  summary: 'Read the domain of the shared sender, with its DNS records',
  description:
    'The domain of `POSTRIDER_SENDER`. Its mail is signed from the first start on, so set the records before you send.',
  limit: null,
  reply: {
    status: 200,
    body: PlatformDomainRecord,
    description: 'The domain, and what the last check found for each record.',
  },
  handle: async (_request, { domains }) => ({ json: platformDomainRecord(await domains.PlatformDomain()) }),
})
