import type { DomainRecord, PlatformDomainRecord } from '@postrider/contracts/http/domains.ts'
import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import type { DomainRecord as ShownDomain } from '@postrider/contracts/services.ts'
import { isoTime, isoTimeOrNull } from '@postrider/domain/time.ts'
import { present } from '../route.ts'

/**
 * A sending domain. Each member is named, so that no other member of a record, such as a sealed key, becomes public.
 */
export const domainRecord = ({ id, name, status, subdomains, createdAt, ...domain }: ShownDomain) =>
  ({
    object: 'domain',
    id,
    name,
    status,
    subdomains,
    created_at: isoTime(createdAt),
    ...domainCheck(domain),
  }) satisfies RecordOf<typeof DomainRecord>

/** The domain of the shared sender. It has no owner who could change it, so it has no id. */
export const platformDomainRecord = ({ name, status, ...domain }: ShownDomain) =>
  ({
    object: 'platform_domain',
    name,
    status,
    ...domainCheck(domain),
  }) satisfies RecordOf<typeof PlatformDomainRecord>

const domainCheck = ({
  verifiedAt,
  checkedAt,
  records,
}: Pick<ShownDomain, 'verifiedAt' | 'checkedAt' | 'records'>) => ({
  verified_at: isoTimeOrNull(verifiedAt),
  checked_at: isoTimeOrNull(checkedAt),
  records: records.map(({ purpose, type, name, value, priority, required, status, found, problem }) => ({
    purpose,
    type,
    name,
    value,
    ...present({ priority }),
    required,
    status,
    found,
    ...present({ problem }),
  })),
})
