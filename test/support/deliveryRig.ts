import assert from 'node:assert/strict'
import type { Content, Email } from '@postrider/domain/email/email.ts'
import type { RecipientResult, Transmission } from '@postrider/domain/email/transmission.ts'
import { type ByteBudget, byteBudget } from '@postrider/kit/byteBudget.ts'
import { Fault } from '@postrider/kit/fault.ts'
import type { Outgoing } from '@postrider/ports/transport.ts'
import { type DeliverDeps, deliver } from '../../services/dispatcher/deliver.ts'
import type { Signing } from '../../services/dispatcher/signer.ts'
import { aRecipient } from './anEmail.ts'
import { transportsOver } from './transportsOver.ts'

export const fence = 3
export const content: Content = { html: null, text: 'It works.', headers: {}, attachments: [] }
export const unavailable = (): Fault => new Fault('unavailable', 'The disk is full.')

export const answered = (code: number, text: string): RecipientResult => ({
  kind: 'answered',
  reply: { code, enhanced: null, text },
})
export const accepted = answered(250, 'queued')

/** One transmission: null accepts the recipient, so it reaches the gate; anything else is its result. */
export type Script = (RecipientResult | null)[]

/** One claimed email over a store, a server and a clock that the test controls. `log` has the order of effects. */
export const deliveryRig = (email: Email, scripts: Script[]) => {
  const log: string[] = []
  const state = {
    stored: email,
    /** What is stored after a commit that failed. */
    onDisk: email,
    done: false,
    /** How often the worker read what is stored. */
    reads: 0,
    isLeased: true,
    /** Whether the workspace is suspended. */
    suspended: false,
    /** The fence in the store, which another worker's claim raises. */
    fence,
    /** The faults that the next writes and `synced` calls throw; null for none. */
    writes: [] as (Fault | null)[],
    syncs: [] as (Fault | null)[],
    /** The server's reply to the final dot. */
    afterDot: accepted as RecipientResult,
    beforeGate: (): void => {},
    atPause: (): void => {},
    sent: [] as Outgoing[],
    pauses: 0,
    at: 1_000,
    /** How the mail may leave. */
    signing: { kind: 'unsigned' } as Signing,
    /** Whether the transports read the message, by call of the signer. */
    prepared: [] as boolean[],
    held: [] as [cause: string, isFirst: boolean][],
  }
  const stopping = new AbortController()
  const transmit = async (message: Outgoing): Promise<Transmission> => {
    state.sent.push(message)
    const script = scripts.shift() ?? assert.fail('unexpected transmission')
    const atGate = script.flatMap((result, number) => (result === null ? [number] : []))
    const results = (outcome: RecipientResult): Transmission => ({
      host: 'mx.example:25',
      steps: [],
      results: script.map((result) => result ?? outcome),
    })
    if (atGate.length === 0) return results(accepted)
    state.beforeGate()
    if (!(await message.gate(atGate))) return results({ kind: 'gate_closed' })
    log.push('dot')
    return results(state.afterDot)
  }
  const deps: DeliverDeps = {
    emails: {
      content: async () => content,
      write: async (_, token, { email, done }) => {
        const fault = state.writes.shift() ?? null
        if (fault) throw fault
        if (token !== state.fence) return false
        log.push(done ? 'write, done' : 'write')
        Object.assign(state, { stored: email, done })
        return true
      },
      lastWrite: async (_, token) => {
        state.reads += 1
        return token === state.fence ? { email: state.stored, writtenAt: null } : null
      },
    },
    durable: {
      synced: async () => {
        const fault = state.syncs.shift() ?? null
        if (fault) {
          state.stored = state.onDisk
          throw fault
        }
        state.onDisk = state.stored
        log.push('on disk')
      },
    },
    leases: { isLeased: (_, token) => state.isLeased && token === fence },
    suspended: { has: () => state.suspended },
    transports: transportsOver({ mailRoute: 'smtp', readsMessage: true, send: transmit, close: async () => {} }),
    signer: {
      prepare: async (_, isRead) => {
        state.prepared.push(isRead)
        return state.signing
      },
    },
    platformAddress: 'mail@postrider.test',
    onHeld: (_, { cause }, isFirst) => void state.held.push([cause, isFirst]),
    messageBytes: { transactional: budgetOf(1_000_000), marketing: budgetOf(1_000_000) },
    maxMessageBytes: 1_000_000,
    now: () => state.at,
    random: () => 0.5,
    pause: async (ms) => {
      state.pauses += 1
      state.at += ms
      state.atPause()
    },
    stopping: stopping.signal,
    onAttempt: () => {},
  }
  const run = () => deliver(deps)({ email, fence, deaths: 0 })
  return { deps, log, state, stopping, run }
}

export const budgetOf = (capacityBytes: number): ByteBudget =>
  byteBudget({ capacityBytes, maxBytesPerOwner: capacityBytes })

export const statuses = ({ recipients }: Email): string[] => recipients.map(({ status }) => status)
export const noTransmission = (): Script[] => []
export const two = [aRecipient(), aRecipient({ address: 'bob@example.com' })]
