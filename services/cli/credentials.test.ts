import assert from 'node:assert/strict'
import { serverUrl } from './credentials.ts'
import { failureOf } from './failure.ts'

const messageOf = (text: string): string => {
  try {
    return assert.fail(`accepted ${serverUrl(text)}`)
  } catch (thrown) {
    return failureOf(thrown)?.message ?? assert.fail(String(thrown))
  }
}

describe('URL of a server', () => {
  for (const [text, url] of [
    ['https://mail.example.com', 'https://mail.example.com'],
    ['http://localhost:8080/api/v1/', 'http://localhost:8080'],
  ])
    it(`may be ${text}`, () => assert.equal(serverUrl(text ?? ''), url))

  for (const text of ['mail.example.com', 'ftp://mail.example.com', 'https://mail.example.com:port'])
    it(`names a wrong one: ${text}`, () => assert.ok(messageOf(text).startsWith(`${text} is not the URL of a server`)))

  // The message repeated the password, which then was in the log of a job.
  const secret = 'hunter2'
  for (const text of [
    `https://ada:${secret}@mail.example.com`,
    `https://ada:${secret}@mail.example.com:port`,
    `https://ada:${secret}/@mail.example.com`,
    `ada:${secret}@mail.example.com`,
    `ada:${secret}`,
    `https://mail.example.com?token=${secret}`,
    `https://mail.example.com#${secret}`,
    `pr_live_${secret}`,
  ])
    it(`does not repeat the secret of ${text.replace(secret, '…')}`, () => {
      const message = messageOf(text)
      assert.doesNotMatch(message, new RegExp(secret))
      assert.match(message, /such as https:\/\/mail\.example\.com/)
    })
})
