import { useMemo, useState } from 'react'
import type { Parts, Vars } from '../../api/templates.ts'
import { sampleVars, withSamples } from './sampleVars.ts'
import { readTestData, storedTestData, storeTestData, testDataText } from './testData.ts'

/** The values of a template's previews: what the person entered, else samples for its placeholders. */
export const useTestData = (id: string, parts: Parts) => {
  const [entered, setEntered] = useState(() => storedTestData(id))
  const samples = useMemo(() => sampleVars(parts), [parts])
  const text = entered ?? testDataText(samples)
  const read = useMemo(() => readTestData(text), [text])
  const vars: Vars = 'vars' in read ? read.vars : noVars
  const enter = (next: string | null): void => {
    setEntered(next)
    storeTestData(id, next)
  }
  return {
    text,
    vars,
    error: 'error' in read ? read.error : null,
    isEntered: entered !== null,
    enter,
    /** Adds samples for the placeholders that have no value. */
    fill: () => enter(testDataText(withSamples(vars, samples))),
  }
}

const noVars: Vars = {}

export type TestData = ReturnType<typeof useTestData>
