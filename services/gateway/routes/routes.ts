import type { GatewayRoute } from '../route.ts'
import { cancelEmail } from './cancelEmail.ts'
import { createKey } from './createKey.ts'
import { createTemplate } from './createTemplate.ts'
import { getControls } from './getControls.ts'
import { getEmail } from './getEmail.ts'
import { getOpenapi } from './getOpenapi.ts'
import { getRawEmail } from './getRawEmail.ts'
import { getSession } from './getSession.ts'
import { getTemplate } from './getTemplate.ts'
import { getUsage } from './getUsage.ts'
import { getWorkspace } from './getWorkspace.ts'
import { listEmails } from './listEmails.ts'
import { listKeys } from './listKeys.ts'
import { listTemplates } from './listTemplates.ts'
import { listWorkspaces } from './listWorkspaces.ts'
import { logIn } from './logIn.ts'
import { logOut } from './logOut.ts'
import { resolveEmail } from './resolveEmail.ts'
import { revokeKey } from './revokeKey.ts'
import { sendEmail } from './sendEmail.ts'
import { setControls } from './setControls.ts'
import { signUp } from './signUp.ts'
import { updateKey } from './updateKey.ts'
import { updateWorkspace } from './updateWorkspace.ts'

/** Every operation of the API, in the order the reference shows them. */
export const routes: readonly GatewayRoute[] = [
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
