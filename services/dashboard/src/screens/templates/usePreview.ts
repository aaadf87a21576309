import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useApi } from '../../api/ApiProvider.tsx'
import { problemOf } from '../../api/problem.ts'
import { type Parts, previewQuery, type Vars } from '../../api/templates.ts'
import { type Finding, findingsOf, missingOf } from './positions.ts'

/** How long typing rests before the preview is made. */
const restMs = 400

const none: Finding[] = []

/**
 * Returns the preview that the API renders of the parts, with its problems. The last preview stays while there are
 * problems.
 */
export const usePreview = (parts: Parts, vars: Vars) => {
  const given = useDelayed(
    useMemo(() => ({ parts, vars }), [parts, vars]),
    restMs,
  )
  const { data, error, isPlaceholderData } = useQuery(previewQuery(useApi(), given.parts, given.vars))
  const missing = useMemo(() => (error ? missingOf(problemOf(error)) : []), [error])
  const findings = useMemo(() => {
    if (!error) return none
    const problem = problemOf(error)
    const errors = problem.errors.filter(({ code }) => code !== 'missing_variable')
    return errors.length === 0 && problem.errors.length > 0 ? none : findingsOf({ ...problem, errors })
  }, [error])
  return { preview: data, findings, missing, isCurrent: !error && !isPlaceholderData && given.parts === parts }
}

/** Returns a value as soon as it has not changed for a while. The first one is returned immediately. */
const useDelayed = <Value>(value: Value, ms: number): Value => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return settled
}
