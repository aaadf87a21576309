import { closestMatch } from 'leven'

/** Most edits between a typo and the intended name. */
const mostEdits = 2
/** Longer names are not typos of ours; the bound limits the work. */
const longestName = 40

/** Ignores case and separators, so that `replyTo` matches `reply_to`. */
const normalised = (name: string): string => name.toLowerCase().replaceAll(/[_\- ]/g, '')

const nearestName = (unknown: string, known: readonly string[]): string | null => {
  if (unknown.length > longestName) return null
  const bare = normalised(unknown)
  const byBareName = new Map(known.map((name) => [normalised(name), name]))
  const maxDistance = Math.min(mostEdits, Math.floor(bare.length / 2))
  const nearest = closestMatch(bare, [...byBareName.keys()], { maxDistance })
  return nearest === undefined ? null : (byBareName.get(nearest) ?? null)
}

/** Names of other services, and frequent first guesses, with our names for them. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  body: ['text', 'html'],
  data: ['template_vars'],
  expires: ['expires_in', 'expires_at'],
  html: ['html_body'],
  personalizations: ['to'],
  recipients: ['to'],
  sendat: ['scheduled_at'],
  sender: ['from_'],
  substitutions: ['template_vars'],
  template: ['template_id'],
  text: ['text_body'],
  variables: ['template_vars'],
  vars: ['template_vars'],
}

/** The names that may have been intended: the nearest one, else the synonyms. */
const intended = (unknown: string, known: readonly string[]): readonly string[] => {
  const nearest = nearestName(unknown, known)
  if (nearest !== null) return [nearest]
  const bare = normalised(unknown)
  const others = Object.hasOwn(synonyms, bare) ? synonyms[bare] : undefined
  return (others ?? []).filter((name) => known.includes(name))
}

/** Returns the message for an unknown name, with the name that was probably intended or with all known names. */
export const unknownNameMessage = (unknown: string, known: readonly string[]): string => {
  const names = intended(unknown, known)
  return names.length === 0
    ? `This name is unknown; known names are ${known.join(', ')}.`
    : `This name is unknown; did you mean ${names.join(' or ')}?`
}
