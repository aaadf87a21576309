import type { AuditAction } from '@postrider/domain/audit/actions.ts'
import { type AuditBy, auditEntry, auditedChange, auditState } from '@postrider/domain/audit/entry.ts'
import { newId } from '@postrider/kit/ids.ts'
import type { StoredKey, StoredWorkspace } from '@postrider/ports/accounts.ts'
import type { AuditEntry, EntryOf } from '@postrider/ports/audit.ts'

/** Returns a new entry. */
export const newEntry = (by: AuditBy, act: Parameters<typeof auditEntry>[2]): AuditEntry =>
  auditEntry(newId('aud'), by, act)

/** Returns the fields of a key for the log: all that a person chooses, nothing of the secret. */
export const keyState = (key: StoredKey) =>
  auditState(key, {
    id: false,
    workspace: false,
    hash: false,
    name: true,
    scopes: true,
    mode: true,
    prefix: false,
    lastFour: false,
    domains: true,
    networks: true,
    recipients: true,
    family: false,
    rolledFrom: true,
    rolledTo: true,
    createdAt: false,
    expiresAt: true,
    lastUsedAt: false,
    lastUsedFrom: false,
    revokedAt: true,
  })

/** Returns the fields of a workspace for the log. Quota logs the plan and the spending cap. */
const workspaceState = (workspace: StoredWorkspace) =>
  auditState(workspace, {
    id: false,
    name: true,
    plan: false,
    senderName: true,
    postalAddress: true,
    onUnknown: true,
    retention: true,
    spendingCapUsd: false,
    suspended: true,
    suspendedReason: true,
    deletesAt: true,
    resumesOnRestore: true,
    note: true,
    rate: true,
    burst: true,
    requireTotp: true,
    createdAt: false,
  })

/** Returns how the entry of a changed key is made. */
export const keyEntry =
  (by: AuditBy, action: AuditAction): EntryOf<StoredKey> =>
  (before, after) => {
    const change = auditedChange(before, after, keyState)
    return change && newEntry(by, { workspace: before.workspace, action, target: before.id, ...change })
  }

/** Returns how the entry of a changed workspace is made. */
export const workspaceEntry =
  (by: AuditBy, action: AuditAction): EntryOf<StoredWorkspace> =>
  (before, after) => {
    const change = auditedChange(before, after, workspaceState)
    return change && newEntry(by, { workspace: before.id, action, target: before.id, ...change })
  }
