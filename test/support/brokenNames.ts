// Loaded before a program with `--import`: breaks the lookup of names by their last part. `.silent` never answers, and
// its first lookup occupies a thread of libuv, as a lookup in the system does; TEST_PIPE names a pipe without a writer.
import dns from 'node:dns'
import { open } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import process from 'node:process'

const pipe = process.env['TEST_PIPE'] ?? ''
const codes: Readonly<Record<string, string>> = { missing: 'ENOTFOUND', again: 'EAI_AGAIN' }
const lastPart = (name: string): string => name.split('.').at(-1) ?? ''

let isOccupied = false
const hang = (): void => {
  if (!isOccupied) open(pipe, 'r', () => {})
  isOccupied = true
}

const failureOf = (name: string): Error | null => {
  const code = codes[lastPart(name)]
  return code === undefined ? null : Object.assign(new Error(`getaddrinfo ${code} ${name}`), { code })
}

type Lookup = (name: string, ...rest: unknown[]) => unknown

const brokenCallback =
  (lookup: Lookup): Lookup =>
  (name, ...rest) => {
    const failure = failureOf(name)
    const callback = rest.at(-1) as (failure: Error) => void
    if (failure) setImmediate(callback, failure)
    else if (lastPart(name) === 'silent') hang()
    else lookup(name, ...rest)
  }

const brokenPromise =
  (lookup: Lookup): Lookup =>
  async (name, ...rest) => {
    const failure = failureOf(name)
    if (failure) throw failure
    if (lastPart(name) !== 'silent') return lookup(name, ...rest)
    hang()
    return new Promise(() => {})
  }

dns.lookup = brokenCallback(dns.lookup as Lookup) as typeof dns.lookup
dns.promises.lookup = brokenPromise(dns.promises.lookup as Lookup) as typeof dns.promises.lookup
syncBuiltinESMExports()
