import type { HtmlTagDescriptor, Plugin } from 'vite'

/** The part of the typeface that nearly every page needs. */
const neededFont = /inter-latin-wght-normal.*\.woff2$/
const firstScriptFile = /\/first-[^/]*\.js$/

type TagsInHeadOptions = { files: RegExp; tag: string; attrsOf(url: string): HtmlTagDescriptor['attrs'] & object }

/** Adds a tag to the beginning of the head for each built file that matches. */
const tagsInHead = (name: string, { files, tag, attrsOf }: TagsInHeadOptions): Plugin => ({
  name,
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) =>
      Object.keys(bundle)
        .filter((file) => files.test(file))
        .map((file) => ({ tag, attrs: attrsOf(`/${file}`), injectTo: 'head-prepend' })),
  },
})

/** Makes the browser run `src/first.ts` before the other scripts are loaded. */
export const firstScript = (): Plugin =>
  tagsInHead('first-script', {
    files: firstScriptFile,
    tag: 'script',
    attrsOf: (src) => ({ type: 'module', async: true, crossorigin: true, src }),
  })

/**
 * Makes the browser load the typeface with the page, before it has read the styles, so that no text changes its shape.
 */
export const preloadedFont = (): Plugin =>
  tagsInHead('preloaded-font', {
    files: neededFont,
    tag: 'link',
    attrsOf: (href) => ({ rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: true }),
  })
