import { closestMatch } from 'leven'
import { documentedPath } from '../route.ts'

/* The path that a request to an unknown path probably meant. */

/** A path with the methods that it supports, in Koa's form: `/api/v1/emails/:id`. */
export type KnownPath = { path: string; methods: readonly string[] }

/** Longer paths are not typos of ours; the bound limits the work. */
const maxPathLength = 120
/** Maximum number of edits between a typo and the intended path. */
const maxEdits = 2

/**
 * Paths of other services, and frequent first guesses, without the prefix of the API, with our paths for them. The
 * services are SendGrid, Mailgun, Postmark, Brevo, SparkPost, Amazon SES, Mandrill and Resend.
 */
const synonyms: readonly [path: string, guesses: readonly string[]][] = [
  [
    '/api/v1/emails',
    [
      ...['send', 'send-email', 'sendemail', 'mail', 'mails', 'message', 'messages', 'mail/send', 'emails/send'],
      ...['email/send', 'messages/send', 'send/email', 'smtp/email', 'email/withtemplate', 'transmissions'],
      ...['email/outbound-emails', 'messages/send-template', 'transactional'],
    ],
  ],
  ['/api/v1/auth/login', ['login', 'signin', 'sign-in', 'auth', 'auth/signin', 'auth/token', 'token', 'sessions']],
  ['/api/v1/auth/signup', ['signup', 'sign-up', 'register', 'auth/register', 'users']],
  ['/api/v1/auth/logout', ['logout', 'signout', 'sign-out']],
  ['/api/v1/auth/session', ['me', 'whoami', 'session', 'auth/me', 'user', 'users/me']],
  ['/api/v1/api-keys', ['keys', 'apikeys', 'tokens', 'auth/keys', 'auth/api-keys']],
  ['/api/v1/billing/usage', ['usage', 'quota', 'quotas', 'billing', 'limits']],
  [
    '/api/v1/domains',
    [
      ...[
        'sending-domains',
        'sender-domains',
        'senders/domains',
        'whitelabel/domains',
        'domains/create',
        'domains/add',
      ],
      ...['identities', 'email/identities', 'verified-domains', 'domain-authentication', 'senders/add-domain'],
    ],
  ],
  [
    '/api/v1/domains/:id/verify',
    [
      ...['domains/{id}/check', 'domains/{id}/validate', 'domains/{id}/authenticate', 'domains/{id}/recheck'],
      ...['domains/{id}/verifydkim', 'domains/{id}/verifyreturnpath', 'sending-domains/{id}/verify', 'domains/verify'],
      ...['whitelabel/domains/{id}/validate', 'senders/domains/{id}/authenticate', 'domain/verify'],
    ],
  ],
  [
    '/api/v1/domains/:id/rotate-key',
    [
      ...['domains/{id}/rotate', 'domains/{id}/rotatedkim', 'domains/{id}/rotate-dkim', 'domains/{id}/keys'],
      ...['domains/{id}/rotate-keys', 'domains/{id}/roll-key', 'domains/{id}/dkim'],
    ],
  ],
  [
    '/api/v1/domains/:id',
    ['domains/{id}/records', 'domains/{id}/dns', 'domains/{id}/status', 'identities/{id}', 'email/identities/{id}'],
  ],
  ['/api/v1/workspace', ['settings', 'account', 'workspaces']],
  [
    '/api/v1/openapi.json',
    ['openapi', 'openapi.yaml', 'openapi.yml', 'swagger', 'swagger.json', 'swagger.yaml', 'api-docs', 'schema'],
  ],
  ['/docs', ['', 'doc', 'documentation', 'reference', 'redoc', 'swagger-ui']],
  ['/livez', ['health', 'healthz', 'healthcheck', 'ping', 'status', 'live', 'alive', 'liveness']],
  ['/readyz', ['ready', 'readiness']],
  ['/mailbox', ['inbox', 'outbox', 'mailcatcher']],
]

/** Operations of the contract that this version does not have. */
export const plannedPaths: readonly RegExp[] = [/^suppressions(?:\/|$)/]

/** What to use in place of a method that a path does not have. */
const otherMethods: readonly [request: RegExp, text: string][] = [
  [/^DELETE \/api\/v1\/emails\/[^/]+$/, 'To cancel an email: POST /api/v1/emails/{id}/cancel.'],
  [
    /^PUT \/api\/v1\/emails\/[^/]+$/,
    'To move an email to another time: PATCH /api/v1/emails/{id}; to change its content, cancel it with POST /api/v1/emails/{id}/cancel and send another one.',
  ],
  [/^PUT \/api\/v1\/templates\/[^/]+$/, 'To change a template: PATCH /api/v1/templates/{id}.'],
  [
    /^PUT \/api\/v1\/domains\/[^/]+$/,
    'To change a domain: PATCH /api/v1/domains/{id}; to check its records: POST /api/v1/domains/{id}/verify.',
  ],
]

/** Returns what to use in place of a method that a path does not have; empty: nothing. */
export const methodSuggestion = (method: string, path: string): string => {
  const found = otherMethods.find(([request]) => request.test(`${method} ${path.slice(0, maxPathLength)}`))
  return found ? ` ${found[1]}` : ''
}

const prefix = /^(?:(?:api|rest|v\d+)(?:\/|$))+/
/** An id begins with the prefix of its type, or has digits, which no word in our paths has. */
const isId = (segment: string): boolean => /^(?:em|tpl|dom|key|ws|usr|wh|evt|dlv|req)_|\d{2}|^\d+$/.test(segment)

/** Other services name a domain by its name where we have its id. */
const isDomainName = (segment: string, before: string | undefined): boolean =>
  segment.includes('.') && /^(?:domains?|identities)$/.test(before ?? '')

/** Returns a path without the prefix of the API, empty segments, case and file extension, with ids as `{id}`. */
const bare = (path: string): string => {
  const segments = path.toLowerCase().split('/').filter(Boolean).join('/').replace(prefix, '').split('/')
  return segments
    .map((segment, index) =>
      segment.startsWith(':') || isId(segment) || isDomainName(segment, segments[index - 1])
        ? '{id}'
        : segment.replaceAll('_', '-'),
    )
    .join('/')
}

const withoutExtension = (text: string): string => text.replace(/\.(?:json|php|html)$/, '')

/** What the last words of a path have in common: `email` and `emails` are one. */
const singular = (text: string): string => text.replaceAll(/s(?=\/|$)/g, '')

/** Returns a function that returns a suggestion for an unknown path; empty: there is none. */
export const makePathSuggestions = (known: readonly KnownPath[]): ((method: string, path: string) => string) => {
  const byPath = new Map(known.map((one) => [one.path, one]))
  const byBare = new Map<string, KnownPath>()
  const bySingular = new Map<string, KnownPath>()
  for (const sibling of known.filter(({ path }) => path !== '/')) {
    byBare.set(bare(sibling.path), sibling)
    bySingular.set(singular(bare(sibling.path)), sibling)
  }
  const byGuess = new Map<string, KnownPath>()
  for (const [path, guesses] of synonyms) {
    const sibling = byPath.get(path)
    if (sibling) for (const guess of guesses) byGuess.set(guess, sibling)
  }
  const names = [...byBare.keys()]
  const find = (text: string): KnownPath | undefined => {
    const plain = withoutExtension(text)
    const exact = byBare.get(text) ?? byBare.get(plain) ?? byGuess.get(text) ?? byGuess.get(plain)
    if (exact) return exact
    const maxDistance = Math.min(maxEdits, Math.ceil(plain.length / 4))
    const nearest = bySingular.get(singular(plain)) ?? byGuess.get(singular(plain))
    if (nearest) return nearest
    const closest = plain === '' ? undefined : closestMatch(plain, names, { maxDistance })
    return closest === undefined ? undefined : byBare.get(closest)
  }
  return (method, path) => {
    if (path.length > maxPathLength) return ''
    const text = bare(path)
    if (plannedPaths.some((one) => one.test(text))) {
      return 'This version does not have this operation yet; /docs lists those that exist.'
    }
    const found = find(text)
    if (!found) return ''
    const isSupported = found.methods.includes(method) || (method === 'HEAD' && found.methods.includes('GET'))
    const slash = path.length > 1 && path.endsWith('/') ? ' Paths have no final slash.' : ''
    return `Did you mean ${isSupported ? '' : `${found.methods.join(' or ')} `}${documentedPath(found.path)}?${slash}`
  }
}

/** Returns the paths of a list of operations, each with all its methods. */
export const knownPaths = (operations: readonly { method: string; path: string }[]): KnownPath[] =>
  [...Map.groupBy(operations, ({ path }) => path)].map(([path, all]) => ({
    path,
    methods: all.map(({ method }) => method).sort(),
  }))
