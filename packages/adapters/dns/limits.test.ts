import assert from 'node:assert/strict'
import { example, modes, spoiled } from '../../../test/support/dnsHarness.ts'
import { apex, apexText, unknown } from '../../../test/support/dnsResults.ts'

for (const [mode, start] of modes)
  describe(`limits of a resolver ${mode}`, () => {
    it('reports each query and its outcome', async () => {
      await using harness = await start({ zones: [spoiled('truncated')] })
      await harness.resolver.lookup({ name: 'example.test', type: 'CNAME' })
      assert.deepEqual(harness.events.slice(-2), [
        { via: 'udp', outcome: 'truncated' },
        { via: 'tcp', outcome: 'reply' },
      ])
    })

    it('ends a query after 16 replies to other queries', async () => {
      await using harness = await start({ zones: [spoiled('wrongIdEndless')], isIgnoredLast: false })
      assert.deepEqual(await harness.resolver.lookup(apex), unknown('malformed'))
      assert.equal(harness.events.filter(({ outcome }) => outcome === 'ignored').length, 17)
    })

    it('stops at the time limit of a lookup', async () => {
      await using harness = await start({ zones: [spoiled('silent')], limits: { tryMs: 2_000, lookupMs: 3_000 } })
      assert.deepEqual(await harness.resolver.lookup(apex), unknown('timeout'))
      assert.equal(harness.time.elapsed(), 3_000)
    })

    it('stops at the time limit of a check', async () => {
      const check = { queries: 100, bytes: 100_000, ms: 5_000 }
      await using harness = await start({
        zones: [spoiled('silent')],
        limits: { tryMs: 2_000, lookupMs: 3_000, check },
      })
      const { lookup } = harness.resolver.begin()
      const results = [await lookup(apex), await lookup(apex), await lookup(apex)]
      assert.deepEqual(results, [unknown('timeout'), unknown('timeout'), unknown('timeout')])
      assert.equal(harness.time.elapsed(), 5_000)
    })

    it('sends no more queries than a check has', async () => {
      const check = { queries: 9, bytes: 100_000, ms: 5_000 }
      await using harness = await start({ zones: [example()], limits: { check } })
      const { lookup } = harness.resolver.begin()
      const question = { name: 'c2.example.test', type: 'CNAME' } as const
      let answers = 0
      for (let index = 0; index < 20; index++) if ((await lookup(question)).kind === 'answer') answers += 1
      assert.deepEqual(await lookup(question), unknown('failed'))
      // A walk queries the servers of `test`, an address of one of them, and at that server the servers of the zone.
      assert.equal(answers, mode === 'with configured servers' ? 9 : 6)
    })

    it('reads no more bytes than a check has', async () => {
      const check = { queries: 100, bytes: 5_000, ms: 5_000 }
      await using harness = await start({ zones: [example()], limits: { check } })
      assert.deepEqual(await harness.resolver.lookup({ name: 'long.example.test', type: 'TXT' }), unknown('failed'))
    })

    it('sends nothing if the signal is aborted before', async () => {
      await using harness = await start({ zones: [example()] })
      assert.deepEqual(await harness.resolver.lookup(apex, AbortSignal.abort()), unknown('failed'))
      assert.deepEqual(harness.events, [])
    })

    it('ends when the signal is aborted', async () => {
      await using harness = await start({ zones: [spoiled('silent')] })
      const stopping = new AbortController()
      for (const server of harness.servers) server.onSilence = () => stopping.abort()
      assert.deepEqual(await harness.resolver.lookup(apex, stopping.signal), unknown('failed'))
      assert.equal(harness.events.at(-1)?.outcome, 'failed')
    })

    it('queries a server that was silent last in the rest of the check', async () => {
      await using harness = await start({ zones: [spoiled('silent'), example()] })
      const { lookup } = harness.resolver.begin()
      assert.deepEqual(await lookup(apex), apexText)
      const queriesBefore = harness.servers[0]?.queries.length
      assert.deepEqual(await lookup(apex), apexText)
      assert.equal(harness.servers[0]?.queries.length, queriesBefore)
    })
  })
