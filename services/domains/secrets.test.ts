import assert from 'node:assert/strict'
import { createPublicKey } from 'node:crypto'
import { platformWorkspace } from '@postrider/domain/domains/domain.ts'
import { sealedContext } from '@postrider/domain/domains/keys.ts'
import { makeSecretBox } from '@postrider/kit/secretBox.ts'
import { dkimRecordText, parseDkimKey } from '@postrider/mail/dkimKeys.ts'
import { actor, publish, secret, testDomains, workspace } from '../../test/support/testDomains.ts'

const [hour, day] = [3_600_000, 86_400_000]
const fresh = 'another-master-key-of-the-tests-0123456789'
const example = { workspace, name: 'example.com', actor }

/** Returns the public records that the private keys of a domain have, opened with a secret. */
const openedWith = (master: string, domain: Awaited<ReturnType<Awaited<ReturnType<typeof testDomains>>['stored']>>) => {
  const box = makeSecretBox({ secrets: [master], purpose: 'dkim' })
  return domain.keys.map((key) => {
    const opened = box.open(key.sealed?.box ?? '', sealedContext(domain, key))
    if (opened.kind !== 'opened') return opened.kind
    return dkimRecordText(
      createPublicKey(parseDkimKey(key.algorithm === 'rsa' ? 'rsa-sha256' : 'ed25519-sha256', opened.plain)),
    )
  })
}

describe('private keys of sending domains', () => {
  it('are stored under the secret, bound to their domain and selector', async () => {
    await using rig = await testDomains()
    const { id } = await rig.domains.Create(example)
    const domain = await rig.stored(id)
    assert.deepEqual(
      openedWith(secret, domain),
      domain.keys.map(({ publicRecord }) => publicRecord),
    )
    assert.deepEqual(openedWith(secret, { ...domain, id: 'dom_other' }), ['damaged', 'damaged'])
    assert.deepEqual(openedWith(fresh, domain), ['unknown_secret', 'unknown_secret'])
  })

  it('are encrypted again by the next check after the secret was changed, including those of the shared sender', async () => {
    await using rig = await testDomains()
    const { id, records } = await rig.domains.Create(example)
    publish(rig.dns, 'example.com', records)
    await rig.advance(hour)
    const changed = await rig.open({ secrets: [fresh, secret] })
    rig.time.at += 2 * day
    await changed.checkDue()
    const domain = await rig.stored(id)
    assert.deepEqual(
      openedWith(fresh, domain),
      domain.keys.map(({ publicRecord }) => publicRecord),
    )
    assert.equal(domain.status, 'verified')
    await rig.open({ secrets: [fresh] })
  })

  it('are encrypted again for a former shared sender too, because its mail may wait', async () => {
    await using rig = await testDomains({ sender: 'mail@former.test' })
    const changed = await rig.open({ sender: 'mail@postrider.test', secrets: [fresh, secret] })
    rig.time.at += 2 * day
    await changed.checkDue()
    for (const name of ['former.test', 'postrider.test']) {
      const { domain } = (await rig.store.byName(platformWorkspace, name)) ?? assert.fail(name)
      const opened = openedWith(fresh, domain)
      assert.deepEqual(
        opened,
        domain.keys.map(({ publicRecord }) => publicRecord),
      )
    }
    await rig.open({ sender: 'mail@postrider.test', secrets: [fresh] })
  })

  it('end the start if their secret is not configured, with its id', async () => {
    await using rig = await testDomains()
    const { id } = await rig.domains.PlatformDomain()
    const [key] = (await rig.stored(id, platformWorkspace)).keys
    const message = `The secret that encrypted DKIM keys of sending domains is not configured (its id is ${key?.sealed?.secretId}); add it to POSTRIDER_SECRET after the current one, separated by a comma.`
    await assert.rejects(rig.open({ secrets: [fresh] }), { code: 'conflict', message })
    await rig.open({ secrets: [fresh, secret] })
  })

  it('end the start even if only one domain needs the former secret', async () => {
    await using rig = await testDomains({ sender: 'mail@postrider.localhost' })
    const { id } = await rig.domains.Create(example)
    const { domain, fence } = (await rig.store.get(workspace, id)) ?? assert.fail()
    const changed = await rig.open({ secrets: [fresh, secret] })
    await rig.store.write(id, fence, { domain, nextCheckAt: rig.time.at + 10 * day }, [])
    rig.time.at += 2 * day
    await changed.checkDue()
    const secretId = domain.keys[0]?.sealed?.secretId ?? assert.fail()
    await assert.rejects(rig.open({ secrets: [fresh] }), { code: 'conflict', message: new RegExp(secretId) })
    rig.time.at += 9 * day
    await changed.checkDue()
    await rig.open({ secrets: [fresh] })
  })

  it('are logged and counted if they cannot be decrypted, and their domain is checked anyway', async () => {
    await using rig = await testDomains()
    const { id, records } = await rig.domains.Create(example)
    publish(rig.dns, 'example.com', records)
    const stored = (await rig.store.get(workspace, id)) ?? assert.fail()
    const keys = stored.domain.keys.map((key) => ({ ...key, sealed: { secretId: 'lost', box: 's1.lost.AAAA' } }))
    await rig.store.write(id, stored.fence, { domain: { ...stored.domain, keys }, nextCheckAt: rig.time.at }, [])
    await rig.checkDue()
    assert.equal((await rig.stored(id)).status, 'verified')
    assert.ok(rig.lines.some(([, message]) => message === 'cannot decrypt signing key'))
    assert.match(await rig.metrics.registry.metrics(), /postrider_domain_keys_unreadable_total 1\n/)
  })
})

describe('domain of the shared sender', () => {
  it('has one set of keys, which the first of several processes makes', async () => {
    await using rig = await testDomains()
    const sender = 'mail@mail.postrider.test'
    const several = await Promise.all([rig.open({ sender }), rig.open({ sender }), rig.open({ sender })])
    const [first, ...rest] = await Promise.all(several.map(({ domains }) => domains.PlatformDomain()))
    for (const one of rest) assert.deepEqual(one, first)
    const created = rig.entries.filter(({ action }) => action === 'domain.create').map(({ after }) => after?.['name'])
    assert.deepEqual(created, ['postrider.test', 'mail.postrider.test'])
  })

  it('has no records of ownership and return path, and is verified when its DKIM record is found', async () => {
    await using rig = await testDomains({ bounceDomain: 'bounces.postrider.test' })
    const domain = await rig.domains.PlatformDomain()
    assert.deepEqual(
      domain.records.map(({ purpose, required }) => [purpose, required]),
      [
        ['dkim', true],
        ['dkim', false],
        ['dmarc', false],
      ],
    )
    publish(rig.dns, 'postrider.test', domain.records)
    await rig.advance(hour)
    assert.equal((await rig.domains.PlatformDomain()).status, 'verified')
  })

  it('is not looked up if no DNS has its name', async () => {
    await using rig = await testDomains({ sender: 'mail@postrider.localhost' })
    await rig.advance(30 * day)
    assert.deepEqual(rig.dns.queries, [])
    assert.equal((await rig.domains.PlatformDomain()).records.length, 3)
  })

  // Regression: the check could not be written, and was made again each 90 s without a result.
  it('is verified although a customer has verified its name before', async () => {
    await using rig = await testDomains()
    const mine = await rig.domains.Create(example)
    publish(rig.dns, 'example.com', mine.records)
    await rig.advance(hour)
    const { domains, checkDue } = await rig.open({ sender: 'mail@example.com' })
    publish(rig.dns, 'example.com', (await domains.PlatformDomain()).records)
    rig.time.at += hour
    await checkDue()
    assert.equal((await domains.PlatformDomain()).status, 'verified')
    assert.equal((await domains.Get({ workspace, id: mine.id })).status, 'verified')
  })

  it('leaves its name to customers when the operator has another sender', async () => {
    await using rig = await testDomains({ sender: 'mail@example.com' })
    publish(rig.dns, 'example.com', (await rig.domains.PlatformDomain()).records)
    await rig.advance(hour)
    assert.equal((await rig.domains.PlatformDomain()).status, 'verified')
    const { domains, checkDue } = await rig.open({ sender: 'mail@postrider.test' })
    const mine = await domains.Create(example)
    publish(rig.dns, 'example.com', mine.records)
    rig.time.at += hour
    await checkDue()
    assert.equal((await domains.Get({ workspace, id: mine.id })).status, 'verified')
  })

  it('is not shown to a workspace', async () => {
    await using rig = await testDomains()
    const { id } = await rig.domains.PlatformDomain()
    await assert.rejects(rig.domains.Get({ workspace, id }), { code: 'not_found' })
    assert.deepEqual((await rig.domains.List({ workspace, limit: 10, before: null })).domains, [])
  })
})
