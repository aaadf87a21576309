import type { Caller__Output as CallerMessage } from '@postrider/contracts/gen/postrider/accounts/v1/Caller.ts'
import type { Caller, SessionCaller } from '@postrider/contracts/services.ts'
import type { Role } from '@postrider/domain/accounts/roles.ts'
import {
  invalidRetention,
  parseRetention,
  type Retention,
  retentionText,
} from '@postrider/domain/retention/retention.ts'
import { invalid } from '@postrider/kit/fault.ts'
import { recordCodec } from './times.ts'

/* Conversion of callers, which are in messages of accounts and of intake. */

const callerTimes = recordCodec({ maybe: ['deletes_at'] })

/** Returns a text of a message; null: it is empty, which stands for no value. */
export const textOrNull = (text: string): string | null => (text === '' ? null : text)

/** The gateway checks a retention, so only a bug sends another text. @throws Fault `validation_failed` */
export const readRetention = (text: string): Retention => {
  const retention = parseRetention(text)
  if (retention !== null) return retention
  throw invalid({ path: 'retention', code: 'invalid_value', message: invalidRetention })
}

export const callerMessage = ({ rate, burst, ...caller }: Caller): CallerMessage => ({
  workspace: caller.workspace,
  key_id: caller.keyId ?? '',
  key_family: caller.keyFamily ?? '',
  user_id: caller.userId ?? '',
  role: caller.role ?? '',
  mode: caller.mode,
  scopes: caller.scopes,
  domains: caller.domains,
  recipients: caller.recipients,
  needs_totp: caller.needsTotp,
  sender_name: caller.senderName,
  has_postal_address: caller.hasPostalAddress,
  on_unknown: caller.onUnknown,
  retention: retentionText(caller.retention),
  suspended: caller.suspended,
  suspended_reason: caller.suspendedReason ?? '',
  ...callerTimes.write(caller),
  ...(rate !== undefined && { rate }),
  ...(burst !== undefined && { burst }),
})

/** A retention that cannot be read, which an earlier release stored, is that of the installation. */
export const readCaller = ({ rate, burst, ...message }: CallerMessage): Caller => ({
  workspace: message.workspace,
  keyId: textOrNull(message.key_id),
  keyFamily: textOrNull(message.key_family),
  userId: textOrNull(message.user_id),
  role: textOrNull(message.role) as Role | null,
  mode: message.mode === 'test' ? 'test' : 'live',
  scopes: message.scopes,
  domains: message.domains,
  recipients: message.recipients,
  needsTotp: message.needs_totp ?? false,
  senderName: message.sender_name,
  hasPostalAddress: message.has_postal_address,
  onUnknown: message.on_unknown === 'hold' ? 'hold' : 'retry',
  retention: parseRetention(message.retention ?? ''),
  suspended: message.suspended,
  suspendedReason: textOrNull(message.suspended_reason),
  ...callerTimes.read(message),
  ...(rate !== undefined && { rate }),
  ...(burst !== undefined && { burst }),
})

/** Returns the caller of a session, who always has an id and a role. */
export const readSessionCaller = (message: CallerMessage): SessionCaller => ({
  ...readCaller(message),
  userId: message.user_id,
  role: message.role as Role,
})
