import assert from 'node:assert/strict'
import { removedAddress } from '@postrider/domain/retention/purge.ts'
import { finish, type Steps } from '@postrider/mail/steps.ts'
import { redactResponses } from './redactResponses.ts'

/** Returns stored texts after an erasure. */
const redacted = async (stored: string, address: string): Promise<string[]> => {
  const found: string[] = []
  const changed = async (_: string, __: object, change: (stored: string) => Steps<string>) => {
    found.push(finish(change(stored)))
    return null
  }
  const deps = {
    emails: { changeResults: changed },
    idempotency: { changeResponses: changed },
    finishRunning: async () => {},
  }
  assert.equal(await redactResponses(deps, { workspace: 'ws_1', address }), null)
  return found
}

describe('refusals in stored responses to batches', () => {
  // An item is only parsed if its JSON contains the address.
  for (const address of ['ann@example.com', '"a\\"n\\\\n"@example.com', 'jürg@example.com', '"ſ\t"@example.com'])
    it(`lose the address ${JSON.stringify(address)} in any case`, async () => {
      const textWith = (text: string) =>
        JSON.stringify({
          isPermissive: true,
          refused: [
            { index: 0, status: 422, error: { detail: `to ${text}.`, errors: [{ path: 'to', message: text }] } },
            { index: 1, status: 422, error: { detail: 'other' } },
          ],
        })
      for (const text of [address, address.toUpperCase(), `é ${address}`]) {
        const wanted = textWith(text.startsWith('é') ? `é ${removedAddress}` : removedAddress)
        assert.deepEqual(await redacted(textWith(text), address), [wanted, wanted, wanted])
      }
    })
})
