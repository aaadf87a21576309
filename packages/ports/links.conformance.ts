import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Link, linkLifeMs, newLink } from '@postrider/domain/accounts/links.ts'
import type { LinkStore } from './links.ts'

type Open = () => LinkStore | Promise<LinkStore>

const start = 1_000_000

let made = 0

const aLink = (over: Partial<Parameters<typeof newLink>[0]> = {}): Link => {
  made += 1
  const random = (size: number): Uint8Array => createHash('sha256').update(`${made}`).digest().subarray(0, size)
  const given = { purpose: 'reset_password', subject: 'usr_1', address: 'ada@example.com', at: start } as const
  return newLink({ ...given, random, ...over }).link
}

/** Bytes compare as numbers: a store may return another kind of byte array. */
const plain = (link: Link | null) => link && { ...link, hash: [...link.hash] }

/** Declares the tests that every store of links must pass. `open` returns an empty store. */
export const linksConformance = (name: string, open: Open) =>
  describe(`link store in ${name}`, () => {
    it('returns a link until it is used, and not afterwards', async () => {
      const store = await open()
      const link = aLink()
      await store.insertLink(link)
      assert.deepEqual(plain(await store.link(link.hash, 'reset_password', start)), plain(link))
      assert.deepEqual(plain(await store.takeLink(link.hash, 'reset_password', start)), plain(link))
      assert.equal(await store.link(link.hash, 'reset_password', start), null)
      assert.equal(await store.takeLink(link.hash, 'reset_password', start), null)
    })

    it('gives a link to one of twenty concurrent callers', async () => {
      const store = await open()
      const link = aLink()
      await store.insertLink(link)
      const taken = await Promise.all(
        Array.from({ length: 20 }, () => store.takeLink(link.hash, 'reset_password', start)),
      )
      assert.equal(taken.filter((found) => found !== null).length, 1)
    })

    it('gives a link only before its expiry', async () => {
      const store = await open()
      const link = aLink()
      await store.insertLink(link)
      const end = start + linkLifeMs.reset_password
      assert.equal(await store.link(link.hash, 'reset_password', end), null)
      assert.equal(await store.takeLink(link.hash, 'reset_password', end), null)
      assert.deepEqual(plain(await store.takeLink(link.hash, 'reset_password', end - 1)), plain(link))
    })

    it('does not give a link for another purpose, and does not remove it', async () => {
      const store = await open()
      const link = aLink({ purpose: 'confirm_email' })
      await store.insertLink(link)
      assert.equal(await store.link(link.hash, 'reset_password', start), null)
      assert.equal(await store.takeLink(link.hash, 'reset_password', start), null)
      assert.notEqual(await store.takeLink(link.hash, 'confirm_email', start), null)
    })

    it('gives no link for an unknown hash', async () => {
      const store = await open()
      await store.insertLink(aLink())
      assert.equal(await store.takeLink(aLink().hash, 'reset_password', start), null)
    })

    it('deletes the links of one purpose and subject', async () => {
      const store = await open()
      const [first, second, ofOther, other] = [
        aLink(),
        aLink(),
        aLink({ subject: 'usr_2' }),
        aLink({ purpose: 'change_email' }),
      ]
      for (const link of [first, second, ofOther, other]) await store.insertLink(link)
      await store.deleteLinks('reset_password', 'usr_1')
      assert.equal(await store.link(first.hash, 'reset_password', start), null)
      assert.equal(await store.link(second.hash, 'reset_password', start), null)
      assert.deepEqual(plain(await store.link(ofOther.hash, 'reset_password', start)), plain(ofOther))
      assert.deepEqual(plain(await store.link(other.hash, 'change_email', start)), plain(other))
    })

    it('deletes links that have expired', async () => {
      const store = await open()
      const [early, late] = [aLink(), aLink({ at: start + 1 })]
      await store.insertLink(early)
      await store.insertLink(late)
      const end = start + linkLifeMs.reset_password
      assert.equal(await store.deleteExpiredLinks(end), 1)
      assert.equal(await store.link(early.hash, 'reset_password', start), null)
      assert.deepEqual(plain(await store.link(late.hash, 'reset_password', start)), plain(late))
    })
  })
