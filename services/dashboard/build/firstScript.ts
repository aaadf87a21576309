import type { Plugin } from 'vite'

/** Makes the browser run `src/first.ts` before the other scripts are loaded. */
export const firstScript = (): Plugin => ({
  name: 'first-script',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((name) => /\/first-[^/]*\.js$/.test(name))
        .map((name) => ({
          tag: 'script',
          attrs: { type: 'module', async: true, crossorigin: true, src: `/${name}` },
          injectTo: 'head-prepend',
        })),
  },
})
