import type { ApiKeyRecord } from '@postrider/contracts/http/apiKey.ts'
import type { RecordOf } from '@postrider/contracts/http/schema.ts'
import type { ApiKey } from '@postrider/contracts/services.ts'
import { dayOf, isoTime, isoTimeOrEmpty, isoTimeOrNull } from '@postrider/domain/time.ts'

/** An API key without its secret. */
export const apiKeyRecord = (key: ApiKey) =>
  ({
    object: 'api_key',
    id: key.id,
    name: key.name,
    scopes: key.scopes,
    mode: key.mode,
    prefix: key.prefix,
    last_four: key.last_four,
    created_at: isoTime(key.created_at),
    expires_at: isoTimeOrNull(key.expires_at),
    last_used_at: isoTimeOrNull(key.last_used_at),
    revoked_at: isoTimeOrNull(key.revoked_at),
    domains: key.domains,
    networks: key.networks,
    recipients: key.recipients,
    last_used_from: key.last_used_from || null,
    unused_since: isoTimeOrNull(key.unused_since),
    notices: keyNotices(key),
    rolled_to: key.rolled_to || null,
    rolled_from: key.rolled_from || null,
  }) satisfies RecordOf<typeof ApiKeyRecord>

/** Sentences about a key that its workspace should read. */
const keyNotices = ({ unused_since, rolled_to, expires_at, revoked_at }: ApiKey): string[] => [
  ...(unused_since === null
    ? []
    : [`This key was not used since ${dayOf(unused_since)}; revoke it if it is not needed.`]),
  ...(rolled_to === ''
    ? []
    : [
        revoked_at === null
          ? `This key was replaced by ${rolled_to} and is valid until ${isoTimeOrEmpty(expires_at)}.`
          : `This key was replaced by ${rolled_to}.`,
      ]),
]
