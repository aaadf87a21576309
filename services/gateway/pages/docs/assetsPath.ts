/** Where the files of the documentation are that its pages load. */
export const assetsPath = '/docs/assets/'
