import type { IncomingMessage } from 'node:http'
import { notAuthenticated, parseApiKey } from '@postrider/domain/accounts/apiKey.ts'
import { Fault, type Problem } from '@postrider/kit/fault.ts'

/*
 * What is wrong with the credentials of a request. It depends only on the form of the request, never on
 * whether a key exists, and it never repeats a credential.
 */

const ownKey = 'an API key of this service, which begins with pr_live_ or pr_test_'
const ownHeader = 'send Authorization: Bearer and the API key'

/** Forms of the credentials of other services, from their documentation and from the rules of gitleaks and GitHub. */
const foreignKeys: readonly [form: RegExp, service: string][] = [
  [/^SG\.[\w=-]+(?:\.|$)/, 'SendGrid'],
  [/^re_\w{8,}$/, 'Resend'],
  [/^(?:pub)?key-[0-9a-zA-Z]{16,}$|^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/, 'Mailgun'],
  [/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, 'Postmark'],
  [/^(?:AKIA|ASIA)[A-Z0-9]{12,}$/, 'Amazon Web Services'],
  [/^x(?:key|smtp)sib-/, 'Brevo'],
  [/^md-[\w-]{16,}$/, 'Mandrill'],
  [/^[0-9a-f]{32}-us\d{1,2}$/, 'Mailchimp'],
  [/^mlsn\.[0-9a-f]{16,}$/, 'MailerSend'],
  [/^api-[0-9A-F]{32}$/i, 'SMTP2GO'],
  [/^PHtE6r/, 'ZeptoMail'],
  [/^(?:sk|pk|rk)_(?:live|test)_/, 'Stripe'],
  [/^sk-[\w-]{16,}$/, 'OpenAI or Anthropic'],
  [/^(?:gh[pousr]_|github_pat_)/, 'GitHub'],
  [/^xox[abeprs]-/, 'Slack'],
  [/^AIza[\w-]{20,}$/, 'Google'],
]

/** Headers in which other services expect their key. */
const otherHeaders: readonly [name: string, written: string][] = [
  ['x-api-key', 'X-API-Key'],
  ['api-key', 'api-key'],
  ['apikey', 'apikey'],
  ['x-auth-token', 'X-Auth-Token'],
  ['x-access-token', 'X-Access-Token'],
  ['x-api-token', 'X-API-Token'],
  ['x-postmark-server-token', 'X-Postmark-Server-Token'],
  ['x-postmark-account-token', 'X-Postmark-Account-Token'],
  ['x-smtp2go-api-key', 'X-Smtp2go-Api-Key'],
  ['x-msys-api-key', 'X-MSYS-API-Key'],
  ['proxy-authorization', 'Proxy-Authorization'],
]

/** Query parameters in which some services expect their key. */
const keyParameters: ReadonlySet<string> = new Set(['api_key', 'apikey', 'api-key', 'access_token', 'token', 'key'])

const otherSchemes: readonly [form: RegExp, what: string][] = [
  [/^Basic(?:\s|$)/i, 'Basic authentication is not supported'],
  [/^Digest\s/i, 'Digest authentication is not supported'],
  [/^(?:Negotiate|NTLM)\s/i, 'Negotiate authentication is not supported'],
  [/^AWS4-HMAC-SHA256\s/i, 'Signatures of Amazon Web Services are not supported'],
  [/^(?:Token|ApiKey|Api-Key|Key|App|Zoho-enczapikey)[\s=:]/i, 'The scheme of the Authorization header must be Bearer'],
]

/** Texts that stand for a key in examples, and what a program sends if its variable is not set. */
const placeholder =
  /^(?:undefined|null|none|nil|nan|false|\[object.*|(?:<.*>|\[.*\]|\{.*\})|\$.*|%\w+%|your[_-]?.*|(?:my|the)?[_-]?api[_-]?key|x{3,}|process\.env.*|os\.environ.*)$/i

/** A key of ours as pages and lists show it: with an ellipsis, dots or stars. UTF-8 arrives read as Latin-1. */
const shortened = /^pr_(?:live|test)_\w{0,8}(?:…|\u00e2\u0080\u00a6|\.{2,}|\*+|•+|(?:\u00e2\u0080\u00a2)+|<)/i

const quoted = /^(["'`<]|\u00e2\u0080[\u009c\u009d\u0098\u0099]).*pr_(?:live|test)_/

type CredentialProblem = { code: string; message: string }

const foreign = (key: string): CredentialProblem | null => {
  const found = foreignKeys.find(([form]) => form.test(key))
  if (!found) return null
  return { code: 'foreign_key', message: `This has the form of a key of ${found[1]}; send ${ownKey}.` }
}

const ofKey = (key: string): CredentialProblem | null => {
  if (quoted.test(key))
    return { code: 'quoted_key', message: `The API key is in quotes or brackets; ${ownHeader} alone.` }
  if (shortened.test(key)) {
    return { code: 'shortened_key', message: 'The API key is shortened or a placeholder; send the whole key.' }
  }
  if (placeholder.test(key)) {
    return {
      code: 'placeholder',
      message: `There is a placeholder or an unset variable in place of the API key; send ${ownKey}.`,
    }
  }
  if (/^eyJ[\w-]+\./.test(key))
    return { code: 'foreign_key', message: `This has the form of a JSON Web Token; send ${ownKey}.` }
  return foreign(key)
}

const bearer = /^Bearer(?:\s+(.*))?$/i

const ofHeader = (header: string): CredentialProblem | null => {
  const scheme = otherSchemes.find(([form]) => form.test(header))
  if (scheme) return { code: 'wrong_scheme', message: `${scheme[1]}; ${ownHeader}.` }
  const text = bearer.exec(header)
  if (text) {
    const key = (text[1] ?? '').trim()
    if (key === '') return null
    if (/^Bearer\b/i.test(key)) return { code: 'wrong_scheme', message: `Bearer is written twice; ${ownHeader}.` }
    if (/^pr_(?:live|test)_\w+\s/.test(key)) {
      return { code: 'malformed_key', message: `There is a space in or after the API key; ${ownHeader} alone.` }
    }
    return ofKey(key)
  }
  const bare = header.trim()
  if (bare === '') return null
  if (/^Bearer/i.test(bare) || /^\S+$/.test(bare)) {
    const message = `The Authorization header must have the word Bearer and a space before the API key; ${ownHeader}.`
    return foreign(bare) ?? { code: 'missing_bearer', message }
  }
  return { code: 'wrong_scheme', message: `The scheme of the Authorization header must be Bearer; ${ownHeader}.` }
}

const withoutHeader = ({ headers, url = '' }: IncomingMessage): (CredentialProblem & { path: string }) | null => {
  const other = otherHeaders.find(([name]) => headers[name] !== undefined)
  if (other) {
    const message = `The header ${other[1]} is not read; ${ownHeader}.`
    return { path: other[1], code: 'wrong_header', message }
  }
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?'), 2_000)) : []
  const parameter = [...query].map(([name]) => name.toLowerCase()).find((name) => keyParameters.has(name))
  if (parameter === undefined) return null
  const message = `Credentials are not read from the URL, where logs would show them; ${ownHeader}.`
  return { path: parameter, code: 'wrong_header', message }
}

/** Returns what is wrong with the form of the credentials; null: nothing, or there are none. */
const problemOf = (request: IncomingMessage): Problem | null => {
  const { authorization } = request.headers
  if (authorization === undefined) return withoutHeader(request)
  const problem = ofHeader(authorization.slice(0, 2_000))
  return problem && { path: 'Authorization', ...problem }
}

/**
 * Returns the refusal of a request from an unknown caller. It is the same for no credentials, empty ones, an unknown
 * key and a wrong checksum. A request that names its caller in another way gets a suggestion.
 */
export const unauthenticatedFault = (request: IncomingMessage): Fault => {
  const problem = problemOf(request)
  if (!problem) return new Fault('unauthenticated', notAuthenticated)
  return new Fault('unauthenticated', problem.message, { problems: [problem] })
}

const forOperator = 'This request needs the operator’s token (Authorization: Bearer …).'

/** Returns the refusal of an operation of the operator. The token can have any form, so only the header is judged. */
export const operatorFault = (request: IncomingMessage, token: string): Fault => {
  if (parseApiKey(token)) {
    return new Fault('unauthenticated', `${forOperator} An API key does not open it.`)
  }
  const isBearer = bearer.test(request.headers.authorization ?? '')
  const problem = isBearer ? null : problemOf(request)
  if (!problem) return new Fault('unauthenticated', forOperator)
  const message = `${forOperator} ${problem.code === 'wrong_header' ? 'Other headers and the URL are not read.' : 'The Authorization header must begin with Bearer and a space.'}`
  return new Fault('unauthenticated', message, { problems: [{ ...problem, message }] })
}
