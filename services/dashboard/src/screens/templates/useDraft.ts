import { useState } from 'react'
import { type Parts, partsOf, type Template } from '../../api/templates.ts'

const isSame = (one: Parts, other: Parts): boolean =>
  one.subject === other.subject && one.html_body === other.html_body && one.text_body === other.text_body

/**
 * The parts that a person is changing. While nothing is changed, they follow the newest version; after a change they
 * stay, and `isBehind` is true once another version was stored.
 */
export const useDraft = (template: Template) => {
  const [base, setBase] = useState({ version: template.version, parts: partsOf(template) })
  const [parts, setParts] = useState(base.parts)
  const isChanged = !isSame(parts, base.parts)
  const follow = (newest: Template): void => {
    const next = { version: newest.version, parts: partsOf(newest) }
    setBase(next)
    setParts(next.parts)
  }
  const isOlder = template.version !== base.version
  if (isOlder && !isChanged) follow(template)
  return {
    parts,
    set: (changed: Partial<Parts>) => setParts((current) => ({ ...current, ...changed })),
    isChanged,
    isBehind: isOlder && isChanged,
    follow,
  }
}

export type Draft = ReturnType<typeof useDraft>
