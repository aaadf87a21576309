import { oneOf, present } from '../../app/search.ts'

const views = ['editor', 'versions'] as const

/** Reads the URL of a template: the view, and the version that is shown. */
export const templateSearch = (search: Record<string, unknown>) => {
  const version = search['version']
  return present({
    tab: oneOf(search['tab'], views),
    version: typeof version === 'number' && Number.isSafeInteger(version) && version > 0 ? version : undefined,
  })
}
