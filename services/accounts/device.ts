import { deviceDigest } from '@postrider/domain/accounts/device.ts'
import { internalMode } from '@postrider/domain/events/event.ts'
import { isoTime } from '@postrider/domain/time.ts'
import { derivedId } from '@postrider/kit/ids.ts'
import type { StoredSession } from '@postrider/ports/accounts.ts'
import Bowser from 'bowser'
import type { Deps } from './deps.ts'

/** Longer ones are cut off, because the parser tries many patterns. */
const maxUserAgentLength = 512

const programs: readonly [pattern: RegExp, name: string][] = [
  [/^curl\//i, 'curl'],
  [/^wget\//i, 'Wget'],
  [/^python|python-requests|aiohttp|httpx/i, 'Python'],
  [/^node|undici|axios|got \(/i, 'Node.js'],
  [/^go-http-client/i, 'Go'],
  [/^postmanruntime/i, 'Postman'],
]

/** Returns a device in plain words, such as `Firefox on Linux`, from a `User-Agent`; empty: it cannot be recognized. */
export const deviceOf = (userAgent: string): string => {
  const text = userAgent.slice(0, maxUserAgentLength)
  const program = programs.find(([pattern]) => pattern.test(text))
  if (program) return program[1]
  if (!text.startsWith('Mozilla/')) return ''
  const { browser, os, platform } = Bowser.parse(text)
  const system = platform.model && platform.vendor === 'Apple' ? platform.model : os.name
  if (browser.name === undefined) return system ?? ''
  return system === undefined ? browser.name : `${browser.name} on ${system}`
}

/**
 * Stores an event, which causes an email, if a session was opened with a program or from a network that the account was
 * not used with before. Skips the first session: there is no earlier device to compare. The event is stored before the
 * device, so a crash in between causes another email at the next login and loses none.
 */
export const noticeDevice = async (
  { notifications, events }: Pick<Deps, 'notifications' | 'events'>,
  session: StoredSession,
): Promise<void> => {
  const { user, workspace, device, address, createdAt, hash } = session
  const digest = deviceDigest(session)
  if ((await notifications.deviceOf(user, digest)) === 'new') {
    const data = { user_id: user, device, address, signed_in_at: isoTime(createdAt) }
    const id = derivedId('evt', createdAt, 'sign-in', hash)
    await events.insert([{ id, type: 'sign_in.new_device', workspace, mode: internalMode, data }])
  }
  await notifications.rememberDevice(user, digest, createdAt)
}
