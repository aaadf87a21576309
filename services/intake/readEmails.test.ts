import assert from 'node:assert/strict'
import { recordedSlices } from '../../test/support/recordedSlices.ts'
import { caller, listRequest, noon, reader, request, testIntake, workspace } from '../../test/support/testIntake.ts'
import { capturedReaders, emailReaders } from './readEmails.ts'

describe('readers of mail', () => {
  const system = async () => {
    const opened = await testIntake()
    const submit = async (over: Parameters<typeof caller>[0]) =>
      (await opened.intake.Submit(request({ caller: caller(over) }))).id
    const live = await submit({})
    const test = await submit({ mode: 'test' })
    const other = await submit({ keyId: 'key_2' })
    return { ...opened, live, test, other }
  }
  const readers = [
    ['a session reads both modes', reader(), ['live', 'test', 'other']],
    ['a key reads its own mode', reader({ mode: 'live' }), ['live', 'other']],
    ['a key that may only send reads what it sent', reader({ mode: 'live', sentBy: 'key_2' }), ['other']],
    ['another workspace reads nothing', reader({ workspace: 'ws_01m7yr6cabfzvahf8pz72f0kb5' }), []],
  ] as const
  for (const [name, who, expected] of readers) {
    it(`${name}, one by one and in lists`, async () => {
      await using opened = await system()
      const found: string[] = []
      for (const which of ['live', 'test', 'other'] as const) {
        const read = opened.intake.GetEmail({ reader: who, id: opened[which] })
        if ((expected as readonly string[]).includes(which)) {
          assert.equal(JSON.parse((await read).record_json).id, opened[which])
          found.push(opened[which])
        } else await assert.rejects(read, { code: 'not_found' })
      }
      const { recordsJson } = await opened.intake.ListEmails(listRequest({ reader: who }))
      assert.deepEqual(recordsJson.map((record) => JSON.parse(record).id).toSorted(), found.toSorted())
    })
  }
})

describe('reading an email', () => {
  it('shows sending while it is leased, and queued once the lease has expired', async () => {
    await using system = await testIntake()
    const id = await system.send()
    await system.emails.claim({ lane: 'transactional', now: noon, limit: 1, leaseMs: 30_000 })
    const status = async () => JSON.parse((await system.intake.GetEmail({ reader: reader(), id })).record_json).status
    assert.equal(await status(), 'sending')
    system.time.at += 30_000
    assert.equal(await status(), 'queued')
  })

  it('returns the bytes that are sent, without the bcc recipients', async () => {
    await using system = await testIntake()
    const id = await system.send({ bcc: [{ name: '', address: 'eve@example.com' }] })
    const raw = (await system.intake.GetRaw({ reader: reader(), id })).raw.toString()
    assert.match(raw, /^To: ann@example\.com, bob@example\.com\r$/m)
    assert.ok(!raw.includes('eve@example.com'))
  })

  it('does not find a tombstone', async () => {
    await using system = await testIntake()
    await system.emails.tombstone('em_01m7yr6cabfzvahf8pz72f0kb4')
    const read = system.intake.GetEmail({ reader: reader(), id: 'em_01m7yr6cabfzvahf8pz72f0kb4' })
    await assert.rejects(read, { code: 'not_found' })
    assert.deepEqual((await system.intake.ListEmails(listRequest())).recordsJson, [])
  })
})

describe('listing emails', () => {
  it('continues after the last email of the previous page', async () => {
    await using system = await testIntake()
    const ids: string[] = []
    for (let n = 0; n < 5; n++) {
      ids.unshift(await system.send())
      system.time.at += 1
    }
    const pages: string[] = []
    for (let [before, more]: [string | null, boolean] = [null, true]; more; ) {
      const page = await system.intake.ListEmails(listRequest({ limit: 2, before }))
      pages.push(...page.recordsJson.map((record) => JSON.parse(record).id))
      ;[before, more] = [page.lastId, page.hasMore]
    }
    assert.deepEqual(pages, ids)
  })

  it('ends a page at 4 MiB, and the next page continues after it', async () => {
    await using system = await testIntake()
    const metadata = { long: 'x'.repeat(600_000) }
    const ids: string[] = []
    for (let n = 0; n < 15; n++) {
      ids.unshift(await system.send({ metadata }))
      system.time.at += 1
    }
    const seen: string[] = []
    for (let [before, more]: [string | null, boolean] = [null, true]; more; ) {
      const page = await system.intake.ListEmails(listRequest({ limit: 100, before }))
      assert.ok(Buffer.byteLength(page.recordsJson.join()) <= 4 * 2 ** 20)
      seen.push(...page.recordsJson.map((record) => JSON.parse(record).id))
      ;[before, more] = [page.lastId, page.hasMore]
    }
    assert.deepEqual(seen, ids)
  })

  it('filters by a tag whose value contains a colon', async () => {
    await using system = await testIntake()
    const id = await system.send({ tags: { link: 'a:b' } })
    await system.send({ tags: { link: 'a' } })
    const { recordsJson } = await system.intake.ListEmails(listRequest({ tag: { name: 'link', value: 'a:b' } }))
    assert.deepEqual(
      recordsJson.map((record) => JSON.parse(record).id),
      [id],
    )
    assert.equal((await system.stored(id)).email.workspace, workspace)
  })

  it('filters by the time of acceptance', async () => {
    await using system = await testIntake()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      ids.push(await system.send())
      system.time.at += 1_000
    }
    const between = listRequest({ createdAfter: noon, createdBefore: noon + 2_000 })
    const { recordsJson } = await system.intake.ListEmails(between)
    assert.deepEqual(
      recordsJson.map((record) => JSON.parse(record).id),
      [ids[1]],
    )
  })
})

describe('captured mail', () => {
  it('is searched by subject and addresses, ignoring case, and continues after the last message that was read', async () => {
    await using system = await testIntake()
    const ids: string[] = []
    for (let n = 0; n < 75; n++) {
      const one = [{ name: '', address: 'ann@example.com' }]
      const emailId = await system.send({
        to: one,
        subject: n % 30 === 0 ? `Invoice ${n}` : n === 8 ? 'ΟΔΟΣ İ' : `Note ${n}`,
      })
      const attemptId = `att_${String(n).padStart(26, '0')}`
      ids.push(attemptId)
      const to = [n === 7 ? 'Jane@example.com' : 'ann@example.com']
      await system.deps.mailbox.put({
        attemptId,
        emailId,
        workspace,
        mode: 'live',
        at: noon + n,
        from: 'x@y.example',
        to,
      })
    }
    const search = async (query: string, before: string | null = null, limit = 51) => {
      const of = { workspace }
      const { captured, end } = await system.intake.ListCaptured({ of, before, limit, query })
      return { subjects: captured.map(({ subject }) => subject), ...end }
    }
    assert.deepEqual(await search('iNVOICE'), {
      subjects: ['Invoice 60', 'Invoice 30', 'Invoice 0'],
      hasMore: false,
      lastId: ids[0],
    })
    assert.deepEqual(await search('invoice', null, 2), {
      subjects: ['Invoice 60', 'Invoice 30'],
      hasMore: true,
      lastId: ids[30],
    })
    assert.deepEqual((await search('invoice', ids[30], 2)).subjects, ['Invoice 0'])
    assert.deepEqual((await search('jane@')).subjects, ['Note 7'])
    assert.deepEqual((await search('x@Y')).subjects.length, 51)
    // Regression: the list of emails ignored the case of these letters, and this search did not.
    assert.deepEqual((await search('οδοσ i')).subjects, ['ΟΔΟΣ İ'])
    const ofOther = { of: { workspace: 'ws_2' }, before: null, limit: 51, query: 'invoice' }
    assert.deepEqual((await system.intake.ListCaptured(ofOther)).captured, [])
    const ofAll = { ...ofOther, of: 'every_workspace' as const }
    assert.equal((await system.intake.ListCaptured(ofAll)).captured.length, 3)
  })

  // A search read its 500 messages for a client that had disconnected.
  it('is not searched further after the caller has left', async () => {
    const caller = new AbortController()
    let reads = 0
    const list = async () => {
      reads++
      if (reads === 2) caller.abort()
      const one = { emailId: 'em_1', workspace, mode: 'live' as const, at: noon, from: 'x@y.example', to: [] }
      return Array.from({ length: 50 }, (_, n) => ({ ...one, attemptId: `att_${reads}_${n}` }))
    }
    const mailbox = { get: async () => null, list }
    const { ListCaptured } = capturedReaders({ emails: { get: async () => null, content: async () => null }, mailbox })
    await ListCaptured({ of: { workspace }, before: null, limit: 51, query: 'nothing' }, caller.signal)
    assert.equal(reads, 2)
  })
})

// Pages that only waited for an event loop iteration ran in one iteration with those of all other requests.
describe('pages of mail in the slices of the process', () => {
  it('are read on in slices of the workspace after about 1 ms', async () => {
    await using system = await testIntake()
    for (let number = 0; number < 25; number++) await system.send()
    const list: typeof system.emails.list = (query) => {
      const endsAt = performance.now() + 2
      while (performance.now() < endsAt);
      return system.emails.list(query)
    }
    const owners: string[] = []
    const deps = { emails: { ...system.emails, list }, now: () => noon }
    await emailReaders(deps, recordedSlices(owners)).ListEmails(listRequest())
    assert.deepEqual(owners, [workspace, workspace])
  })

  it('are searched for captured mail in slices of the workspace', async () => {
    await using system = await testIntake()
    const owners: string[] = []
    const emailId = await system.send()
    const captured = {
      workspace,
      emailId,
      mode: 'live' as const,
      at: noon,
      from: 'x@y.example',
      to: ['ann@example.com'],
    }
    for (let number = 100; number < 145; number++)
      await system.deps.mailbox.put({ ...captured, attemptId: `att_${number}` })
    const readers = capturedReaders({ emails: system.emails, mailbox: system.deps.mailbox }, recordedSlices(owners))
    await readers.ListCaptured({ of: { workspace }, before: null, limit: 20, query: 'none' })
    assert.deepEqual(owners, [workspace, workspace])
  })
})
