import type { Role } from '../../api/types.ts'

/** The roles, the most powerful first, with what they may do. */
export const roleLabels: readonly { role: Role; label: string; text: string }[] = [
  { role: 'owner', label: 'Owner', text: 'Everything, also billing, required two-factor and deletion.' },
  { role: 'admin', label: 'Admin', text: 'Also manages API keys, domains, webhooks, members and settings.' },
  { role: 'member', label: 'Member', text: 'Sends mail and edits templates.' },
  { role: 'viewer', label: 'Viewer', text: 'Reads everything but the audit log. Changes nothing.' },
]

/** Returns the name of a role for people. */
export const roleName = (role: Role): string => roleLabels.find((known) => known.role === role)?.label ?? role
