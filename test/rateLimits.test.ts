import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { reputationLimits } from '@postrider/domain/reputation/reputation.ts'
import { root } from './support/project.ts'

// Imported by its path: its types need those of a browser, which the type check of the tests does not have.
const outcomes = pathToFileURL(join(root, 'services/dashboard/src/screens/overview/outcomes.ts'))

describe('limits of rates', () => {
  // The dashboard runs in a browser and does not import the domain, so it has a copy.
  it('are drawn by the dashboard where the service warns', async () => {
    const { rateLimits } = await import(outcomes.href)
    assert.deepEqual(rateLimits, reputationLimits)
  })
})
