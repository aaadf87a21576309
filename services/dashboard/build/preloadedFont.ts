import type { Plugin } from 'vite'

/** The part of the typeface that nearly every page needs. */
const isNeeded = /inter-latin-wght-normal.*\.woff2$/

/** Makes the browser load the typeface with the page, before it has read the styles, so that no text changes its shape. */
export const preloadedFont = (): Plugin => ({
  name: 'preloaded-font',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => isNeeded.test(name))
        .map((name) => ({
          tag: 'link',
          attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: true },
          injectTo: 'head-prepend',
        })),
  },
})
