import type { EmailStore } from './emails.ts'
import { batches } from './emailsBatches.conformance.ts'
import { claims, claimsById, shares } from './emailsClaims.conformance.ts'
import { filters, lists } from './emailsLists.conformance.ts'
import { firstDue, parking } from './emailsParking.conformance.ts'
import { purges } from './emailsPurges.conformance.ts'
import { queueCounts } from './emailsQueueCounts.conformance.ts'
import { suspendedMail } from './emailsSuspension.conformance.ts'
import { deathsOfWorkers, inserts, moves, writes } from './emailsWrites.conformance.ts'

/** Declares the tests that every email store must pass. */
export const emailsConformance = (adapter: string, open: () => EmailStore | Promise<EmailStore>) =>
  describe(`email store in ${adapter}`, () => {
    describe('inserts', () => inserts(open))
    describe('batches', () => batches(open))
    describe('claims', () => claims(open))
    describe('claims by id', () => claimsById(open))
    describe('shares of workspaces', () => shares(open))
    describe('writes and leases', () => writes(open))
    describe('moves to another time', () => moves(open))
    describe('deaths of workers', () => deathsOfWorkers(open))
    describe('lists', () => lists(open))
    describe('filters', () => filters(open))
    describe('counts of the queue', () => queueCounts(open))
    describe('mail that is due first', () => firstDue(open))
    describe('parked mail', () => parking(open))
    describe('removals', () => purges(open))
    describe('mail of suspended workspaces', () => suspendedMail(open))
  })
