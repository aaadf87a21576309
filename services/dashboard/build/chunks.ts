import type { Rolldown } from 'vite'

/*
 * Groups modules into files. Without groups each icon and each part that two screens share is a separate file: the
 * overview needed 51 scripts, and a browser with an empty cache spent most of its time on their requests.
 */

/** What many screens use: parts of the kit, calls of the API, icons, numbers in charts and bills. */
const isKit = (id: string): boolean => {
  if (/\/node_modules\/(lucide-react|@tanstack)\//.test(id)) return true
  const [, path] = /\/dashboard\/src\/(.*)$/.exec(id) ?? []
  if (path === undefined) return false
  // The libraries of forms, dialogs and menus are large, so they stay in the files of their users.
  if (/useApiForm|Dialog|Menu|Tabs|^app\/shell\/(?!Mark)/.test(path)) return false
  return /^(ui|api|app)\/|^screens\/(overview|billing)\/(figures|csv|outcomes|money|standing)\.ts$/.test(path)
}

/** The files, the most needed first. A module and all its imports belong to the first group that matches. */
export const groups: Rolldown.CodeSplittingGroup[] = [
  { name: 'first', test: /\/src\/first\.ts$/, priority: 4 },
  { name: 'start', tags: ['$initial'], priority: 3 },
  { name: 'kit', test: isKit, minShareCount: 2, priority: 2 },
  { name: 'frame', test: /\/app\/shell\/(Shell|Frame)\.tsx$|\/ui\/(ConfirmDialog|Tabs)\.tsx$/, priority: 1 },
  { name: 'forms', test: /\/app\/useApiForm\.ts$|\/packages\/\w+\//, minShareCount: 3 },
]
