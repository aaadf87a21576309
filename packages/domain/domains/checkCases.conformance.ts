import assert from 'node:assert/strict'
import type { RecordPurpose, RecordStatus, SendingDomain } from './domain.ts'
import { checkZone, ownershipRecord, pending, rsaRecord, withBounces, type Zone } from './zones.conformance.ts'

/** A zone with a mistake, and what the check of one record returns for it. */
export type CheckCase = {
  mistake: string
  zone: Zone
  record: RecordPurpose
  status: RecordStatus
  problem: string | null
  domain?: SendingDomain
}

/** Declares a test for each zone. */
export const declareCases = (title: string, cases: readonly CheckCase[]) =>
  describe(title, () => {
    for (const { mistake, zone, record, status, problem, domain = pending() } of cases)
      it(`returns “${status}” for ${mistake}`, () => {
        const { records } = checkZone(domain, withBounces, zone)
        const found = records.find(({ purpose }) => purpose === record)
        assert.deepEqual([found?.status, found?.problem], [status, problem])
      })
  })

export const contains = (name: string, what: string, them = 'them') =>
  `The value at ${name} contains ${what}; remove ${them}, so that only the value shown is left.`

export const appended = (name: string, at: string, relative: string, zone: string) =>
  `The record is at ${at} instead of ${name}. The domain was appended twice. If your DNS panel appends ${zone} by itself, enter ${relative} as the name.`

/** A domain whose DNS zone is the one above. */
export const mail = pending({ name: 'mail.example.com' })

/** Returns the required records of a domain. */
export const requiredAt = (name: string): Zone => ({
  [`TXT _postrider.${name}`]: [ownershipRecord],
  [`TXT prr1._domainkey.${name}`]: [rsaRecord],
})
