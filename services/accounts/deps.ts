import type { Clock } from '@postrider/kit/clock.ts'
import type { AccountStore } from '@postrider/ports/accounts.ts'
import type { Audit } from '@postrider/ports/audit.ts'
import type { Limiter } from '@postrider/ports/limiter.ts'
import type { Lazily } from './lazily.ts'
import type { AccountLimits } from './limits.ts'
import type { Passwords } from './passwords.ts'

/** What every operation here may touch. */
export type Deps = {
  accounts: AccountStore
  audit: Audit
  limiter: Limiter
  now: Clock
  /** Who may sign up: anybody, only who was invited, nobody. */
  signup: 'open' | 'invite' | 'off'
  passwords: Passwords
  /** That many unpredictable bytes. */
  random: (size: number) => Uint8Array
  limits: AccountLimits
  lazily: Lazily
}
