import type { Rolldown } from 'vite'

/**
 * Which modules share a file. Without groups each icon and each part that two screens share is a file of its own: the overview
 * was 51 scripts, and a browser with an empty cache spent most of its time on asking for them.
 */

/** What many screens use: parts of the kit, calls of the API, icons, numbers in charts and bills. */
const isKit = (id: string): boolean => {
  if (/\/node_modules\/(lucide-react|@tanstack)\//.test(id)) return true
  const [, path] = /\/dashboard\/src\/(.*)$/.exec(id) ?? []
  if (path === undefined) return false
  // The libraries of forms, dialogs and menus are large, and come with them.
  if (/useApiForm|Dialog|Menu|Tabs|^app\/shell\/(?!Mark)/.test(path)) return false
  return /^(ui|api|app)\/|^screens\/(overview|billing)\/(figures|csv|outcomes|money|standing)\.ts$/.test(path)
}

/** Files by what needs them, the most needed first. A module is in the first group that takes it, with all that it imports. */
export const groups: Rolldown.CodeSplittingGroup[] = [
  { name: 'first', test: /\/src\/first\.ts$/, priority: 4 },
  { name: 'start', tags: ['$initial'], priority: 3 },
  { name: 'kit', test: isKit, minShareCount: 2, priority: 2 },
  { name: 'frame', test: /\/app\/shell\/(Shell|Frame)\.tsx$|\/ui\/(ConfirmDialog|Tabs)\.tsx$/, priority: 1 },
  { name: 'forms', test: /\/app\/useApiForm\.ts$|\/packages\/\w+\//, minShareCount: 3 },
]
