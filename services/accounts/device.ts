import Bowser from 'bowser'

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
