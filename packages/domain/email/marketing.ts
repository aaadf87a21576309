import type { Problem } from '../problem.ts'
import type { Lane } from './email.ts'

/**
 * Returns what is missing for mail of a category: marketing mail must contain the sender's postal address (CAN-SPAM, 15
 * U.S.C. §7704(a)(5)).
 */
export const marketingProblems = ({
  category,
  hasPostalAddress,
}: {
  category: Lane
  hasPostalAddress: boolean
}): Problem[] => {
  if (category !== 'marketing' || hasPostalAddress) return []
  const message = 'Marketing mail needs the workspace’s postal_address; set it with PATCH /api/v1/workspace.'
  return [{ path: 'category', code: 'postal_address_required', message }]
}

/** Returns what the sender of mail of a category must add to it. */
export const marketingNotices = ({ category }: { category: Lane }): string[] =>
  category === 'marketing'
    ? [
        'This version adds neither an unsubscribe link nor a postal address to marketing mail; put both into its content.',
      ]
    : []
