import { workspaceId } from './parts.ts'

/**
 * Useful queries of lists in the programs of the API reference, by operation. They are separate from the other
 * examples, which the thread of the documentation reads from docs/openapi.json.
 */
export const exampleQueries: Readonly<Record<string, string>> = {
  listEmails: 'status=delivered&limit=50',
  listEvents: 'order=asc&type=email.delivered,email.bounced&limit=50',
  readStats: 'from=2026-11-21T00:00:00Z&to=2026-11-22T00:00:00Z&bucket=day&by=destination',
  listTemplates: 'limit=50',
  listTemplateVersions: 'limit=50',
  listDomains: 'limit=50',
  previewPlan: 'plan=pro',
  listInvoices: 'limit=50',
  listApiKeys: 'limit=50',
  listAuditLog: 'action=key.*',
  listMembers: 'limit=50',
  listInvitations: 'limit=50',
  listOwnWorkspaces: 'limit=50',
  listOperatorAuditLog: `workspace=${workspaceId}`,
  listWorkspaces: 'q=acme&plan=free&limit=50',
  listAllInvoices: 'status=open&period=2026-11',
  listParkedEmails: 'limit=50',
  listUsers: 'q=jane&limit=50',
  listWebhooks: 'limit=50',
  listWebhookDeliveries: 'status=failed&limit=50',
}
