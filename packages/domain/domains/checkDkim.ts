import { readTagList } from '@postrider/mail/tagList.ts'
import { checkText, type TextVerdict } from './checkText.ts'
import type { DkimKey, SendingDomain } from './domain.ts'
import { type QueryRecord, quoted, type RecordFinding, type Text } from './finding.ts'
import { cleaned, mistakesSentence } from './pasted.ts'
import { dkimName, ownershipPrefix } from './records.ts'

/** Checks the record of a DKIM key (RFC 6376 §3.6.1). */
export const checkDkim = (query: QueryRecord, domain: SendingDomain, key: DkimKey): RecordFinding =>
  checkText(query, {
    prefix: `${key.selector}._domainkey`,
    domain: domain.name,
    verdictOf: (text) => keyVerdict(text, key, domain),
    names: domain.keys.flatMap((other) =>
      other === key
        ? []
        : [
            {
              name: dkimName(domain, other),
              fix: `That name is for another key. Move it to ${dkimName(domain, key)}.`,
            },
          ],
    ),
    // RFC 6376 §3.6.2.2: with several key records, the result is undefined. Other texts are passed over by most
    // verifiers.
    problemOfSeveral: (verdicts) =>
      verdicts.filter(({ kind }) => kind !== 'other').length > 1
        ? `There are several keys at ${dkimName(domain, key)}; receivers may use the wrong one. Keep only the TXT record with the value shown.`
        : null,
  })

type Key = { name: string; key: DkimKey; expected: string; domain: SendingDomain }

const keyVerdict = (text: Text, key: DkimKey, domain: SendingDomain): TextVerdict => {
  const about = { name: dkimName(domain, key), key, expected: publicPart(key), domain }
  const tags = readTagList(text.text)
  if (tags?.get('p') === about.expected && judgeTags(tags, about) === null) return right(tags, about)
  if (isReversed(text.strings, about.expected)) {
    const problem = `The strings of the TXT record at ${about.name} are in the wrong order. Enter the whole value shown.`
    return { kind: 'wrong', problem }
  }
  const clean = cleaned(text.text, 'v=dkim1')
  const tidy = readTagList(clean.text)
  const given = tidy?.get('p')
  if (!tidy || given === undefined) return judgeOther(clean.text, about)
  const value = given.replaceAll(/\s+/g, '')
  if (value !== about.expected) return { kind: 'wrong', problem: wrongKey(value, about) }
  const mistakes = given === value ? clean.mistakes : [...clean.mistakes, 'spaces']
  return judgeTags(tidy, about) ?? { kind: 'wrong', problem: mistakesSentence(about.name, mistakes) }
}

/** Whether a value was split, and its strings are stored last to first. */
const isReversed = (strings: readonly string[], expected: string): boolean =>
  strings.length > 1 && readTagList([...strings].reverse().join(''))?.get('p') === expected

const publicPart = ({ publicRecord }: DkimKey): string => readTagList(publicRecord)?.get('p') ?? ''

const right = (tags: ReadonlyMap<string, string>, { name }: Key): TextVerdict =>
  list(tags.get('t')).includes('y')
    ? {
        kind: 'right',
        advice: `The record at ${name} has the flag t=y (test), with which receivers may ignore signatures. Remove t=y.`,
      }
    : { kind: 'right' }

/** Values separated by colons. */
const list = (value: string | undefined): string[] => (value ?? '').split(':').map((item) => item.trim().toLowerCase())

/** Returns what is wrong with the tags around the right key. */
const judgeTags = (tags: ReadonlyMap<string, string>, { name, key }: Key): TextVerdict | null => {
  const wrong = (problem: string): TextVerdict => ({
    kind: 'wrong',
    problem: `${problem} Enter the whole value shown.`,
  })
  const version = tags.get('v')
  if (version !== undefined && (version !== 'DKIM1' || [...tags.keys()][0] !== 'v')) {
    return wrong(`The value at ${name} must start with v=DKIM1.`)
  }
  // RFC 6376 §3.6.1: without k=, the key is RSA.
  const algorithm = (tags.get('k') ?? 'rsa').toLowerCase()
  if (algorithm !== key.algorithm)
    return wrong(`The value at ${name} has k=${quoted(algorithm, 20)} instead of k=${key.algorithm}.`)
  if (tags.has('h') && !list(tags.get('h')).includes('sha256')) {
    return wrong(`The value at ${name} does not permit SHA-256 (h=).`)
  }
  const services = list(tags.get('s'))
  if (tags.has('s') && !services.includes('*') && !services.includes('email')) {
    return wrong(`The value at ${name} does not permit mail (s=).`)
  }
  return null
}

/** Shortest part of a key that is recognized. */
const minPartLength = 16

/** Returns the sentence about a record with another key. */
const wrongKey = (value: string, { name, expected, domain, key }: Key): string => {
  if (value === '') return `The key at ${name} is revoked: nothing stands after p=. Enter the whole value shown.`
  if (value.length >= minPartLength && expected.startsWith(value)) {
    return `The key at ${name} is cut off: its last ${expected.length - value.length} characters are missing. Enter the whole value shown; if your DNS panel accepts only 255 characters, split the value into several strings of one record.`
  }
  if (value.length >= minPartLength && expected.endsWith(value)) {
    return `The first ${expected.length - value.length} characters of the key at ${name} are missing. Enter the whole value shown.`
  }
  if (value.startsWith(expected)) {
    return `The key at ${name} has ${value.length - expected.length} more characters after its end. Enter exactly the value shown.`
  }
  if (value.toLowerCase() === expected.toLowerCase()) {
    return `The key at ${name} has letters in the wrong case. Copy the value shown; do not type it.`
  }
  const other = domain.keys.find((one) => one !== key && publicPart(one) === value)
  if (other) {
    return `The key at ${name} belongs to ${dkimName(domain, other)}. Enter the value that is shown for ${name}.`
  }
  return /^[A-Za-z0-9+/]+=*$/.test(value)
    ? `The record at ${name} has another key. Replace its value with the one shown.`
    : `The key at ${name} has characters that a key does not have. Replace the value with the one shown.`
}

/** Judges a text without `p=`. */
const judgeOther = (text: string, { name, expected, domain }: Key): TextVerdict => {
  const wrong = (problem: string): TextVerdict => ({ kind: 'wrong', problem })
  const bare = text.replaceAll(/\s+/g, '')
  if (bare === expected) return wrong(`The value at ${name} lacks its start v=DKIM1. Enter the whole value shown.`)
  if (bare.toLowerCase().startsWith(ownershipPrefix)) {
    return wrong(
      `The value at ${name} is that of _postrider.${domain.name}. Enter the value that is shown for ${name}.`,
    )
  }
  if (/v=DKIM1/i.test(bare)) {
    return bare.includes(`p=${expected}`) && !bare.includes(';')
      ? wrong(`The value at ${name} lacks its semicolons. Enter the whole value shown.`)
      : wrong(`The value at ${name} is not a valid DKIM record. Replace it with the one shown.`)
  }
  return bare.length >= minPartLength && expected.startsWith(bare)
    ? wrong(`The value at ${name} is only a part of the key. Enter the whole value shown.`)
    : { kind: 'other' }
}
