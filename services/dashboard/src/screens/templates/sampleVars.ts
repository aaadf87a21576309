import type { Parts, Vars } from '../../api/templates.ts'

/** What a block gives to the names inside it. */
type Scope = { word: 'if' | 'unless' | 'each'; names: Vars }

const comment = /\{\{~?!--.*?--~?\}\}|\{\{~?!.*?\}\}/gs

/** Matches a placeholder, the beginning or the end of a block, with the backslashes before it. */
const tag = /(\\*)\{\{\{?~?\s*(#if|#unless|#each|else if|\/if|\/unless|\/each)?\s*([\w.-]*)\s*~?\}?\}\}/g

const isObject = (value: unknown): value is Vars => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a value that shows what it stands for. */
const sampleOf = (name: string): string => (/url|link|href/i.test(name) ? 'https://example.com/' : name)

/** Returns the item of a list, which is an object as soon as one of its members is named. */
const itemsOf = (item: Vars): unknown[] => {
  const { this: _, ...members } = item
  return Object.keys(members).length === 0 ? ['first', 'second'] : [members, members]
}

const setAt = (names: Vars, path: readonly string[], value: unknown): void => {
  const [name = '', ...rest] = path
  // A name such as `__proto__` is none of a template, which the API states.
  if (name === '' || name === '__proto__') return
  const found = names[name]
  if (rest.length === 0) {
    if (found === undefined || (typeof value === 'object' && !isObject(found))) names[name] = value
    return
  }
  const inner: Vars = isObject(found) ? found : {}
  names[name] = inner
  setAt(inner, rest, value)
}

/**
 * Returns values for every placeholder of a template's parts: its own name for a text, two items for a list, true for a
 * condition that is not a placeholder otherwise. It only has to fit templates that the API accepts.
 */
export const sampleVars = (parts: Parts): Vars => {
  const samples: Vars = {}
  for (const text of Object.values(parts)) addSamples(samples, text.replaceAll(comment, ''))
  return samples
}

const addSamples = (samples: Vars, text: string): void => {
  const scopes: (Scope & { path: string[] })[] = []
  const namesHere = (): Vars => scopes.findLast(({ word }) => word === 'each')?.names ?? samples
  const close = (): void => {
    const closed = scopes.pop()
    if (closed?.word === 'each') setAt(namesHere(), closed.path, itemsOf(closed.names))
  }
  for (const [, backslashes = '', word = '', name = ''] of text.matchAll(tag)) {
    if (backslashes.length % 2 === 1 || name === 'else') continue
    const path = name.split('.').filter((part, at) => !(at === 0 && part === 'this'))
    if (word.startsWith('/')) close()
    else if (word === '#each') scopes.push({ word: 'each', names: {}, path })
    else {
      if (path.length > 0) setAt(namesHere(), path, word === '' ? sampleOf(path.at(-1) ?? '') : true)
      if (word === '#if' || word === '#unless') scopes.push({ word: word.slice(1) as Scope['word'], names: {}, path })
    }
  }
}

/** Returns the values with samples for those that are missing. Values of the person stay as they are. */
export const withSamples = (vars: Vars, samples: Vars): Vars => {
  const merged: Vars = { ...vars }
  for (const [name, sample] of Object.entries(samples)) {
    const value = merged[name]
    if (value === undefined) merged[name] = sample
    else if (isObject(value) && isObject(sample)) merged[name] = withSamples(value, sample)
    else if (Array.isArray(value) && Array.isArray(sample) && isObject(sample[0])) {
      const [first] = sample
      merged[name] = value.map((item) => (isObject(item) ? withSamples(item, first) : item))
    }
  }
  return merged
}
