import {
  type Link,
  type LinkPurpose,
  linkHash,
  linkLifeMs,
  linkMailKey,
  linkUrl,
  newLink,
} from '@postrider/domain/accounts/links.ts'
import { type Fault, invalid } from '@postrider/kit/fault.ts'
import type { Deps } from './deps.ts'

type LinkDeps = Pick<Deps, 'links' | 'now' | 'random' | 'publicUrl'>

/** A link that was stored, for its mail. */
export type IssuedLink = { url: string; idempotencyKey: string; expiresInMs: number }

/** Makes a link. Earlier links of the same purpose and subject end. */
export const issueLink = async (
  { links, now, random, publicUrl }: LinkDeps,
  wanted: Pick<Link, 'purpose' | 'subject' | 'address'>,
): Promise<IssuedLink> => {
  const at = now()
  const { token, link } = newLink({ ...wanted, at, random })
  await links.deleteExpiredLinks(at)
  await links.deleteLinks(wanted.purpose, wanted.subject)
  await links.insertLink(link)
  return {
    url: linkUrl(publicUrl(), wanted.purpose, token),
    idempotencyKey: linkMailKey(link),
    expiresInMs: linkLifeMs[wanted.purpose],
  }
}

/**
 * Returns the refusal of an unknown, used, replaced or expired link. It is the same for all, so a guesser learns
 * nothing.
 */
export const invalidLinkFault = (): Fault =>
  invalid({
    path: 'token',
    code: 'invalid_link',
    message:
      'This link is no longer valid: it was used, has expired, or was replaced by a newer link. Request a new link.',
  })

/** Returns a link of one of these purposes and leaves it. @throws Fault `validation_failed` at `token` */
export const readLink = async (
  { links, now }: Pick<Deps, 'links' | 'now'>,
  token: string,
  purposes: readonly LinkPurpose[],
): Promise<Link> => {
  const hash = linkHash(token)
  for (const purpose of hash ? purposes : []) {
    const link = hash && (await links.link(hash, purpose, now()))
    if (link) return link
  }
  throw invalidLinkFault()
}

/** Redeems a link that was read; of concurrent callers, one succeeds. @throws Fault `validation_failed` at `token` */
export const takeLink = async ({ links, now }: Pick<Deps, 'links' | 'now'>, { hash, purpose }: Link): Promise<void> => {
  if ((await links.takeLink(hash, purpose, now())) === null) throw invalidLinkFault()
}
