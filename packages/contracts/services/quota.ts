import type { PendingReservation, QuotaStanding, Reservation } from '@postrider/domain/quota/quota.ts'
import type { QuotaDefinition } from '../gen/postrider/quota/v1/Quota.ts'
import { allowedCalls } from './allowedCalls.ts'
import { callMs, idempotent, mebibyte, read, write } from './rules.ts'
import type { Service, ServiceSpec } from './service.ts'

export type QuotaRpc = Service<QuotaDefinition>

export type Quota = Omit<QuotaRpc, 'Reserve' | 'Commit' | 'Release' | 'ListPending' | 'Settle' | 'Probe'> & {
  /** Reserves `count` sends in the month and day of `at`. Repeating an id reserves nothing more.
   * @returns the tighter quota after this call; null where nothing is limited
   * @throws Fault `quota_exceeded` */
  Reserve(entry: Reservation): Promise<{ token: string; standing: QuotaStanding | null }>
  /** Writes the reserve line. Idempotent. */
  Commit(entry: PendingReservation): Promise<void>
  /** Releases one send for each recipient number. Idempotent. */
  Release(entry: { workspace: string; id: string; recipients: readonly number[]; at: number }): Promise<void>
  /** Lists reservations older than `before` that have no line yet, the oldest first. */
  ListPending(request: { before: number; limit: number }): Promise<PendingReservation[]>
  /** Ends such a reservation: with a line if its email exists (`there`), else by giving its sends back. Idempotent.
   * @returns whether sends were released */
  Settle(request: { pending: PendingReservation; there: boolean }): Promise<boolean>
  /** Decides as `Reserve` does, and reserves nothing. @throws Fault `quota_exceeded` */
  Probe(entry: Omit<Reservation, 'id'>): Promise<void>
}

export const quotaSpec: ServiceSpec<QuotaRpc> = {
  proto: 'postrider/quota/v1/quota.proto',
  name: 'postrider.quota.v1.Quota',
  callers: { gateway: allowedCalls.gateway.quota, intake: allowedCalls.intake.quota },
  messageBytes: 4 * mebibyte,
  methods: {
    Reserve: idempotent,
    Commit: idempotent,
    Release: idempotent,
    ListPending: read,
    Settle: idempotent,
    GetUsage: read,
    SetLimits: write,
    GetLimits: read,
    GetPlan: read,
    ChangePlan: write,
    PreviewPlan: read,
    ListInvoices: read,
    GetInvoice: read,
    SetInvoiceStatus: write,
    Adjust: write,
    PayInvoice: write,
    OpenPortal: read,
    TakePaymentEvent: { deadlineMs: callMs, repeatable: true },
    GetPaymentProvider: read,
    Probe: idempotent,
  },
}
