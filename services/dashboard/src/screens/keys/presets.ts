import type { Scope } from '../../api/types.ts'

/** Sets of scopes that most keys need, the narrowest first. */
export const presets: readonly { name: string; title: string; text: string; scopes: readonly Scope[] }[] = [
  {
    name: 'send',
    title: 'Send only',
    text: 'Sends mail and reads what it sent itself. For servers.',
    scopes: ['emails:send'],
  },
  {
    name: 'app',
    title: 'Application',
    text: 'Sends mail, reads all mail, manages templates.',
    scopes: ['emails:send', 'emails:read', 'templates:write', 'templates:read'],
  },
  {
    name: 'read',
    title: 'Read only',
    text: 'Reads mail, templates, domains and webhooks. For reports.',
    scopes: ['emails:read', 'templates:read', 'domains:read', 'webhooks:read', 'suppressions:read'],
  },
  {
    name: 'full',
    title: 'Everything',
    text: 'All scopes, also domains and webhooks. For infrastructure code.',
    scopes: [
      'emails:send',
      'emails:read',
      'templates:write',
      'templates:read',
      'domains:write',
      'domains:read',
      'webhooks:write',
      'webhooks:read',
      'suppressions:write',
      'suppressions:read',
    ],
  },
]

/** Every scope with what it allows, by subject. */
export const scopeGroups: readonly { title: string; scopes: readonly { scope: Scope; text: string }[] }[] = [
  {
    title: 'Emails',
    scopes: [
      { scope: 'emails:send', text: 'Send, and read and cancel what the key sent' },
      { scope: 'emails:read', text: 'Read all mail' },
    ],
  },
  {
    title: 'Templates',
    scopes: [
      { scope: 'templates:write', text: 'Create and change' },
      { scope: 'templates:read', text: 'Read' },
    ],
  },
  {
    title: 'Domains',
    scopes: [
      { scope: 'domains:write', text: 'Add, change and delete' },
      { scope: 'domains:read', text: 'Read' },
    ],
  },
  {
    title: 'Webhooks',
    scopes: [
      { scope: 'webhooks:write', text: 'Add, change, test and delete' },
      { scope: 'webhooks:read', text: 'Read' },
    ],
  },
  {
    title: 'Suppressions',
    scopes: [
      { scope: 'suppressions:write', text: 'Reserved' },
      { scope: 'suppressions:read', text: 'Reserved' },
    ],
  },
]

/** Returns the name of the preset with exactly these scopes; else a count. */
export const scopesText = (scopes: readonly Scope[]): string => {
  const preset = presets.find(
    (known) => known.scopes.length === scopes.length && known.scopes.every((scope) => scopes.includes(scope)),
  )
  if (preset) return preset.title
  return scopes.length === 1 ? (scopes[0] ?? '') : `${scopes.length} scopes`
}
