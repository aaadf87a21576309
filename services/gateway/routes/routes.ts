import { z } from 'zod'
import { openRoute, type Route } from '../route.ts'
import { createKey, listKeys, revokeKey, updateKey } from './apiKeys.ts'
import { cancelEmail, getEmail, getRawEmail, listEmails, resolveEmail } from './emails.ts'
import { getControls, listWorkspaces, setControls } from './operator.ts'
import { sendEmail } from './sendEmail.ts'
import { getSession, logIn, logOut, signUp } from './sessions.ts'
import { createTemplate, getTemplate, listTemplates } from './templates.ts'
import { getUsage, getWorkspace, updateWorkspace } from './workspace.ts'

const getOpenapi = openRoute({
  name: 'getOpenapi',
  method: 'GET',
  path: '/api/v1/openapi.json',
  open: true,
  tag: 'About',
  summary: 'Read this document',
  limit: null,
  reply: {
    status: 200,
    body: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApi' }),
    description: 'OpenAPI 3.1, made from the schemas that check requests.',
  },
  handle: async (_request, { openapiDocument }) => ({
    bytes: await openapiDocument(),
    type: 'application/json; charset=utf-8',
    isShared: true,
  }),
})

/**
 * Every operation of the API, in the order of the API reference.
 *
 * Who may call it (each route states it as `scope`, `session`, `operator` or `open`; steps/access.ts enforces it, and
 * routes.test.ts compares this table with the routes):
 *
 * | operation | access |
 * |---|---|
 * | POST /api/v1/emails | key or session with emails:send |
 * | GET /api/v1/emails | key or session with emails:read or emails:send |
 * | GET /api/v1/emails/:id | key or session with emails:read or emails:send |
 * | GET /api/v1/emails/:id/raw | key or session with emails:read or emails:send |
 * | POST /api/v1/emails/:id/cancel | key or session with emails:send |
 * | POST /api/v1/emails/:id/resolve | key or session with emails:send |
 * | POST /api/v1/templates | key or session with templates:write |
 * | GET /api/v1/templates | key or session with templates:read or templates:write |
 * | GET /api/v1/templates/:id | key or session with templates:read or templates:write |
 * | GET /api/v1/billing/usage | session |
 * | POST /api/v1/auth/signup | open |
 * | POST /api/v1/auth/login | open |
 * | POST /api/v1/auth/logout | session |
 * | GET /api/v1/auth/session | session |
 * | GET /api/v1/workspace | session |
 * | PATCH /api/v1/workspace | session |
 * | POST /api/v1/api-keys | session |
 * | GET /api/v1/api-keys | session |
 * | PATCH /api/v1/api-keys/:id | session |
 * | DELETE /api/v1/api-keys/:id | session |
 * | GET /api/v1/operator/workspaces | operator |
 * | GET /api/v1/operator/workspaces/:id | operator |
 * | PATCH /api/v1/operator/workspaces/:id | operator |
 * | GET /api/v1/openapi.json | open |
 *
 * A session has the scopes of its role (packages/domain/accounts/roles.ts). Some changes also need a role, which
 * services/accounts checks.
 */
export const routes: readonly Route[] = [
  sendEmail,
  listEmails,
  getEmail,
  getRawEmail,
  cancelEmail,
  resolveEmail,
  createTemplate,
  listTemplates,
  getTemplate,
  getUsage,
  signUp,
  logIn,
  logOut,
  getSession,
  getWorkspace,
  updateWorkspace,
  createKey,
  listKeys,
  updateKey,
  revokeKey,
  listWorkspaces,
  getControls,
  setControls,
  getOpenapi,
]
