/**
 * The path prefix of the styles and scripts of the documentation. docsPages.ts does not import siteFiles.ts for it,
 * because that loads what makes the pages, which only the thread of the documents needs.
 */
export const assetsPath = '/docs/assets/'
