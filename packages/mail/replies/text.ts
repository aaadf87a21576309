import { anyOf, pattern } from './pattern.ts'

/** Maximum number of characters of a text that are matched, so that no server can make matching slow. */
export const readLength = 1_000

/** The end of a longer local part, but not the code of a line (`550-`) and not dots. */
const beforeAddress = /(?<!(?:^|\D)\d{3}|\.)[.+-]$|[\p{L}\p{N}_]$/u
/** An address, or a longer domain. */
const beforeDomain = /[\p{L}\p{N}_@.-]$/u
/** The rest of a longer domain. */
const afterAddress = /^(?:[\p{L}\p{N}_]|-[\p{L}\p{N}-]{0,63}\.[\p{L}\p{N}]|\.[\p{L}\p{N}])/u

/** Returns whether a text has an address, and not only as a part of a longer one. */
export const namesAddress = (text: string, address: string): boolean => {
  const [all, wanted] = [text.slice(0, readLength).toLowerCase(), address.toLowerCase()]
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (!beforeAddress.test(all.slice(Math.max(0, at - 2), at)) && !afterAddress.test(all.slice(end, end + 2)))
      return true
  }
  return false
}

/** Returns whether a text has a domain as a whole: not in an address, and not as a part of a longer name. */
export const namesDomain = (text: string, domain: string): boolean => {
  const all = text.slice(0, readLength).toLowerCase()
  for (let at = all.indexOf(domain); at >= 0; at = all.indexOf(domain, at + 1)) {
    const end = at + domain.length
    if (!beforeDomain.test(all.slice(Math.max(0, at - 2), at)) && !afterAddress.test(all.slice(end, end + 66)))
      return true
  }
  return false
}

/** Some servers put the enhanced code into the text: `550 sorry, no mailbox here by that name (#5.1.1)`. */
const inText = /(?:^|[[(#\s])[45]\.(\d{1,3}\.\d{1,3})(?:[)\]\s;:,-]|$)/

const address = /<?[^\s<>()[\]"',;:=]{1,64}@[^\s<>()[\]"',;:]{1,255}>?/g
const link = /\bhttps?:\/\/\S{1,500}/g
/** Host names, IP addresses and version numbers: two or more labels with dots between them. */
const host = /\b[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63}){1,9}(?=[^a-z0-9_-]|$)|\b[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}\b/g
/** A sentence that begins without a space after the period, which would look like a host name. */
const unspaced =
  /(?<=[a-z])\.(?=(?:mailbox|user|recipient|account|message|please|sorry|your|this|the|see|try|contact)(?![\w.-]))/g
/** An IP address behind “address” or “host” is our host. */
const ipAddress = /\b(address|host)(?=:? ?[[(<"']*(?:(?:\d{1,3}\.){3}\d{1,3}\b|[0-9a-f]{1,4}:[0-9a-f:]{2,40}))/g
/** A mention of our address, which is neither listed nor unknown: `User unknown; your IP address is 192.0.2.1`. */
const mentionOfIp =
  /\byour ip(?: address)? (?:is|was):? [[(<"']*[0-9a-f]{1,4}[.:][0-9a-f.:]{2,40}(?=[\])>"';,.]*(?:\s|$))/g
/** What is left around a removed name: `User (ada@receiver.example) unknown`. */
const emptyBrackets = /\(\s*\)|\[\s*\]|<\s*>|"\s*"|'\s*'/g
/** A colon that a removed name left between words: `User ada@receiver.example: unknown`. */
const loneColon = /(?<=\w) : (?=\w)/g
/** Sentences of Gmail that mention spam and phishing for any reason. */
const boilerplate =
  /to (?:best )?protect (?:our )?users from spam(?: and phishing)?,?|to reduce the amount of spam sent to gmail,?/g

/** What another server replied to a verification: that server is not ours. `host mx.example[192.0.2.1] said: 550 …`. */
const nestedHost = /\bhost [^\s[\]]{1,255} ?\[[^\]\s]{1,64}\](?::\d{1,5})? said(?=:)/g

/** A note of Postfix about the command, which is no recipient: `(in reply to RCPT TO command)`. */
const noteOfCommand = /\(in reply to [^)]{1,60}\)/g

const ascii = /^[\0-\x7f]*$/

/** Returns a text in lower case and without accents, so that `Boîte` and `boite` are the same word. */
export const foldText = (text: string): string => (ascii.test(text) ? text.toLowerCase() : foldLetters(text))

const foldLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'l')
    .replaceAll('ß', 'ss')
    .toLowerCase()
    .replaceAll('’', "'")

/**
 * A reply as the rules read it.
 * - `enhanced`: the code without its first digit, from the text if the server put it there; empty if there is none
 * - `text`: in lower case, without addresses: their words are names and no evidence; “e-mail” is “email”, “mail box”
 *   “mailbox”
 * - `words`: `text` without links, host names and IP addresses
 * - `reason`: `words` without a phrase at the start that any refusal may have, such as “mailbox unavailable:”
 */
export type ReadReply = { enhanced: string; text: string; words: string; reason: string }

const refusedName =
  /(?:the |this |that )?(?:recipient|user|mailbox|account|address)(?:'s)?(?: (?:mailbox|account|address))?/
const nextWord =
  /(?:\s*[-:;.,]+\s*|\s+(?!(?:for|or|and|in|at|on|as|to|by|here|any)\b))(?!\s*\(?such as\b)(?=.*[a-z]{2})/
/** RFC 5321 §4.2.3 has these words for “no access” and “policy reasons” too, so what follows them is the reason. */
const refusal = pattern`^[\W\d]*(?:requested (?:mail )?action not taken[:;,. ]*)?${refusedName}(?: is| was)? (?:unavail?able|not available|rejected)\b${nextWord}`

/** Ids, numbers and the words before them. */
const ids =
  /\[[^[\]]{0,200}\]|\((?:(?:state|code|error|id|ref) )?[^\s()]{0,80}\)|[^\s\d]{0,40}\d\S*|\b(?:error|state|code|reference|ref|session|id|message-id)\b/g
/** Where the sender can find more information. */
const pointers = anyOf(
  /\b(?:please )?(?:see|visit|check|refer to|try to contact|contact)\b(?: (?:the|your|our))?(?: (?:postmaster|administrator|admin|support|page|website|documentation))?/,
  /\bfor (?:an? |further |more )?(?:explanation|information|details|help)\b/,
)
const pointersInText = new RegExp(pointers.source, 'g')

/** Returns the words behind the phrase of a refusal; all words if these are only ids and pointers. */
const reasonIn = (words: string): string => {
  const behind = words.replace(refusal, '')
  return /[a-z]{2}/.test(behind.replace(ids, ' ').replace(pointersInText, ' ')) ? behind : words
}

export const readReply = ({ enhanced, text }: { enhanced: string | null; text: string }): ReadReply => {
  const folded = foldText(text.slice(0, readLength))
  // Most texts have no address and no link, and these patterns try every position of a text.
  const plain = (folded.includes('@') ? folded.replace(address, ' ') : folded)
    .replaceAll('e-mail', 'email')
    .replace(/\bmail[- ]box/g, 'mailbox')
  const code = enhanced?.replace(/^\d\./, '') ?? inText.exec(plain)?.[1] ?? ''
  const words = (plain.includes('://') ? plain.replace(link, ' ') : plain)
    .replace(unspaced, '. ')
    .replace(mentionOfIp, ' ')
    .replace(nestedHost, ' ')
    .replace(ipAddress, 'ip $1')
    .replace(host, ' ')
    .replace(boilerplate, ' ')
    .replace(noteOfCommand, ' ')
    .replace(emptyBrackets, ' ')
    .replace(/\s+/g, ' ')
    .replace(loneColon, ' ')
    .trim()
  return { enhanced: code, text: plain, words, reason: reasonIn(words) }
}
