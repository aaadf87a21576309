import { textProblems } from '@postrider/domain/accounts/accountRules.ts'
import type { Problem } from '@postrider/kit/fault.ts'
import type { StoredWorkspace } from '@postrider/ports/accounts.ts'

/** The ideographic full stops, which a resolver reads as dots (RFC 5891 and UTS 46) and NFKC doesn't. */
const otherDots = /[\u3002\uFF61]/g
/** What is drawn as nothing: `pay\u200Bpal.example` reads as paypal.example. */
const unseen = /\p{Default_Ignorable_Code_Point}/gu
/** Two labels of letters, the last without digits: reads as a domain. */
const domainLike = /[\p{L}\p{N}-]\.\p{L}{2,}/u

/** Whether a name reads as somebody's address or domain: a shared sender must not show `security@bank.example`. */
const readsAsAddress = (name: string): boolean => {
  const seen = name.normalize('NFKC').replaceAll(unseen, '').replaceAll(otherDots, '.')
  return seen.includes('@') || domainLike.test(seen)
}

/** Longest display name, in characters. */
const longest = 100

export const senderNameProblems = (path: string, name: string): Problem[] => {
  const problems = textProblems(path, name, { max: longest, optional: true })
  if (problems.length > 0 || !readsAsAddress(name)) return problems
  return [
    { path, code: 'looks_like_address', message: 'This name must not read as an e-mail address or a domain name.' },
  ]
}

/** The display name of a workspace's mail on the shared sender: the chosen one, else its name if that can be one. */
export const senderNameOf = (workspace: StoredWorkspace): string => {
  if (workspace.senderName !== '') return workspace.senderName
  return readsAsAddress(workspace.name) ? '' : workspace.name
}
