/** Farthest a typo may be from what was meant, in edits. */
const farthest = 2
/** Names longer than this are no typo of ours; it bounds the work. */
const longest = 40

/** Damerau's edits (insert, delete, replace, swap neighbours) between two short texts. */
const editDistance = (from: string, to: string): number => {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row++) {
    const line = [row]
    rows.push(line)
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1)
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const swap = swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      line[column] = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, replaced, swap)
    }
  }
  return at(from.length, to.length)
}

/** Letter case and separators aside, so that `replyTo` meets `reply_to`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[_\- ]/g, '')

/** The known name that an unknown one was probably meant to be, or null. */
export const nearestName = (unknown: string, known: readonly string[]): string | null => {
  if (unknown.length > longest) return null
  const bare = plain(unknown)
  const most = Math.min(farthest, Math.floor(bare.length / 2))
  let best: { name: string; distance: number } | null = null
  for (const name of known) {
    if (Math.abs(plain(name).length - bare.length) > most) continue
    const distance = editDistance(bare, plain(name))
    if (distance <= most && (best === null || distance < best.distance)) best = { name, distance }
  }
  return best?.name ?? null
}

/** What other services call the same thing, and what a first guess is. */
const otherwiseCalled: Readonly<Record<string, readonly string[]>> = {
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

/** Names that may have been meant: the nearest one, else what goes by this name elsewhere. */
const meant = (unknown: string, known: readonly string[]): readonly string[] => {
  const nearest = nearestName(unknown, known)
  if (nearest !== null) return [nearest]
  const bare = plain(unknown)
  const others = Object.hasOwn(otherwiseCalled, bare) ? otherwiseCalled[bare] : undefined
  return (others ?? []).filter((name) => known.includes(name))
}

/** How many unknown names are told: who sends more has another problem than a typo, and each costs time. */
const mostTold = 20

/** What to say about names nobody knows, the first of them. */
export const unknownNames = (
  names: Iterable<string>,
  known: readonly string[],
): { name: string; message: string }[] => {
  const unknown = [...names].filter((name) => !known.includes(name)).slice(0, mostTold)
  return unknown.map((name) => {
    const names = meant(name, known)
    const hint = names.length === 0 ? `known here are ${known.join(', ')}.` : `did you mean ${names.join(' or ')}?`
    return { name, message: `This name is unknown; ${hint}` }
  })
}
