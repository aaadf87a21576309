/** What a member may do in a workspace, the most powerful first. */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const

export type Role = (typeof roles)[number]
