import { finish } from '@postrider/mail/steps.ts'
import { checkDomainSteps } from './check.ts'
import type { DomainSettings, NewKey, RecordCheck, SendingDomain } from './domain.ts'
import { newDomain } from './life.ts'
import { type DnsRecord, type LookupResult, type Question, questionKey, type UnknownWhy } from './lookup.ts'

/**
 * DNS of a test: for each `TYPE name` the contents. A TXT content is a text or its strings; an MX is `10 host`; a
 * `CNAME` answers questions of other types, unless they have records too. `*` is a wildcard. `!servfail` is a fault.
 */
export type Zone = Record<string, readonly (string | readonly string[])[] | `!${UnknownWhy}`>

/** 392 characters, as the SubjectPublicKeyInfo of RSA with 2,048 bits. */
export const rsaPublic = `MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA${Array.from({ length: 339 }, (_, i) => 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/'[(i * 37 + (i >> 3)) % 64]).join('')}QIDAQAB`
export const edPublic = '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo='

export const keyOf = (selector: string, algorithm: 'rsa' | 'ed25519', p: string): NewKey => ({
  selector,
  algorithm,
  publicRecord: `v=DKIM1; k=${algorithm}; p=${p}`,
  sealed: { secretId: 's1', box: selector },
})

export const rsaKey = keyOf('prr1', 'rsa', rsaPublic)
export const edKey = keyOf('pre1', 'ed25519', edPublic)
export const token = 'token2345token2345token2345'.slice(0, 26)

export const pending = (over: Partial<SendingDomain> = {}, now = 0): SendingDomain => ({
  ...newDomain({ id: 'dom_1', workspace: 'ws_1', name: over.name ?? 'example.com', token }, [rsaKey, edKey], now),
  ...over,
})

export const withBounces: DomainSettings = { bounceDomain: 'bounces.postrider.example' }
export const withoutBounces: DomainSettings = { bounceDomain: null }

export const rsaRecord = rsaKey.publicRecord
export const ownershipRecord = `postrider-verification=${token}`

/** Zone with every record of `pending()`. */
export const complete: Zone = {
  'TXT _postrider.example.com': [ownershipRecord],
  'TXT prr1._domainkey.example.com': [rsaRecord],
  'TXT pre1._domainkey.example.com': [edKey.publicRecord],
  'MX bounces.example.com': ['10 bounces.postrider.example'],
  'TXT bounces.example.com': ['v=spf1 include:bounces.postrider.example ~all'],
  'TXT _dmarc.example.com': ['v=DMARC1; p=none'],
  'TXT example.com': ['v=spf1 -all'],
}

/** Returns a zone with other contents at some names; undefined removes one. */
export const changed = (over: Record<string, Zone[string] | undefined>, zone: Zone = complete): Zone =>
  Object.fromEntries(
    Object.entries({ ...zone, ...over }).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  )

const recordOf = (type: Question['type'], content: string | readonly string[]): DnsRecord => {
  if (type === 'TXT') return { type, strings: typeof content === 'string' ? [content] : [...content] }
  const [priority = '', host = ''] = `${content}`.split(' ')
  return type === 'MX' ? { type, priority: Number(priority), host } : { type, host: priority }
}

const at = (zone: Zone, type: string, name: string): Zone[string] | undefined => {
  const own = zone[`${type} ${name}`]
  const exists = Object.keys(zone).some((key) => key.endsWith(` ${name}`) || key.endsWith(`.${name}`))
  const labels = name.split('.')
  for (let i = 1; own === undefined && !exists && i < labels.length; i++) {
    const wildcard = zone[`${type} *.${labels.slice(i).join('.')}`]
    if (wildcard !== undefined) return wildcard
  }
  return own
}

/** Answers a question as an authoritative server does. */
export const resolve = (zone: Zone, { name, type }: Question): LookupResult => {
  const aliases: string[] = []
  for (let current = name; aliases.length < 8; current = aliases.at(-1) ?? '') {
    const contents = at(zone, type, current)
    const alias = type === 'CNAME' ? undefined : at(zone, 'CNAME', current)
    if (typeof contents === 'string') return { kind: 'unknown', why: contents.slice(1) as UnknownWhy }
    if (contents !== undefined) {
      const conflict = alias !== undefined
      const shownAliases = conflict ? [`${alias[0]}`] : aliases
      return { kind: 'answer', records: contents.map((one) => recordOf(type, one)), aliases: shownAliases, conflict }
    }
    if (alias === undefined) {
      const exists = Object.keys(zone).some((key) => key.endsWith(` ${current}`) || key.endsWith(`.${current}`))
      return { kind: 'missing', why: exists ? 'nodata' : 'nxdomain', aliases }
    }
    aliases.push(`${alias[0]}`)
  }
  return { kind: 'unknown', why: 'loop' }
}

/** Makes a whole check. @returns the records and the questions of its queries, by round */
export const checkZone = (
  domain: SendingDomain,
  settings: DomainSettings,
  zone: Zone | ((question: Question) => LookupResult),
  now = 0,
): { records: RecordCheck[]; rounds: string[][] } => {
  const answers = new Map<string, LookupResult>()
  const rounds: string[][] = []
  for (;;) {
    const { needed, records } = finish(checkDomainSteps(domain, settings, answers, now))
    if (needed.length === 0) return { records, rounds }
    rounds.push(needed.map(questionKey))
    for (const question of needed) {
      answers.set(questionKey(question), typeof zone === 'function' ? zone(question) : resolve(zone, question))
    }
  }
}
