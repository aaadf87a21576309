/**
 * Where the files of the documentation are that its pages load. docsPages.ts does not import siteFiles.ts for it, because that loads
 * what makes the pages, which only the thread of the documents needs.
 */
export const assetsPath = '/docs/assets/'
