import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { domainIndexes, mongoDomains } from '@postrider/adapters/mongo/domains/domains.ts'
import { BSON, type Db } from 'mongodb'
import { secretParts } from '../support/privateKeys.ts'
import { actor, publish, secret, testDomains, workspace } from '../support/testDomains.ts'
import { mongoForTests } from './mongo.ts'

type Rig = Awaited<ReturnType<typeof testDomains>>

const hour = 3_600_000
const fresh = 'another-master-key-of-the-tests-0123456789'

/** Writes keys in every way: new domains, the platform's own, checks, a rotation, another secret. */
const live = async (rig: Rig): Promise<void> => {
  const created = await rig.domains.Create({ workspace, name: 'example.com', actor })
  publish(rig.dns, 'example.com', created.records)
  await rig.advance(hour)
  await rig.domains.RotateKey({ workspace, id: created.id, actor })
  const changed = await rig.open({ secrets: [fresh, secret] })
  rig.time.at += 48 * hour
  await changed.checkDue()
  assert.equal((await rig.stored(created.id)).status, 'verified')
}

/** Returns every document as JSON and in the bytes of its format. */
const dumpOf = async (db: Db): Promise<string> => {
  const texts: string[] = []
  for (const { collectionName } of await db.collections())
    for (const doc of await db.collection(collectionName).find({}).toArray())
      texts.push(JSON.stringify(doc), Buffer.from(BSON.serialize(doc)).toString('latin1'))
  return texts.join('\n')
}

const assertSecret = async (rig: Rig, dump: string): Promise<void> => {
  const keys = await rig.privateKeys()
  assert.ok(keys.length >= 6)
  for (const part of [...keys.flatMap(secretParts), secret, fresh])
    assert.ok(!dump.includes(part), 'a key is in the dump')
  // The dump has what it should have: the public keys, and the encrypted private ones.
  for (const part of ['k=rsa; p=', 'k=ed25519; p=', 'domain.rotate_key', '"sealed":{'])
    assert.ok(dump.includes(part), part)
}

describe('search for a private key', () => {
  it('finds it in each form in which a program would write it', async () => {
    await using rig = await testDomains()
    await rig.domains.PlatformDomain()
    for (const key of await rig.privateKeys())
      for (const before of ['', 'a', 'ab'])
        for (const encoding of ['base64', 'base64url', 'hex', 'latin1'] as const) {
          const text = Buffer.concat([Buffer.from(before), key]).toString(encoding)
          assert.ok(
            secretParts(key).some((part) => text.includes(part)),
            `${encoding} after ${before.length} bytes`,
          )
        }
  })
})

describe('dump of a store with sending domains', () => {
  const open = mongoForTests(domainIndexes)

  it('has no private key on MongoDB', async () => {
    const db = await open()
    await using rig = await testDomains({ store: mongoDomains(db) })
    await live(rig)
    await assertSecret(rig, await dumpOf(db))
  })

  it('has no private key on SQLite, not even in overwritten space', async () => {
    await using rig = await testDomains()
    await live(rig)
    await rig.db.synced()
    const files = readdirSync(rig.directory).map((file) => readFileSync(join(rig.directory, file), 'latin1'))
    await assertSecret(rig, [...files, JSON.stringify(rig.entries)].join('\n'))
  })
})
