import { readFile } from 'node:fs/promises'
import { Fault } from '@postrider/kit/fault.ts'
import type { Step } from '../deps.ts'
import { html, layout, sendMarkup } from './html.ts'
import { markdown } from './markdown.ts'

const file = new URL('../../../docs/recipes.md', import.meta.url)

const render = async (): Promise<Buffer> => {
  const content = html`${markdown(await readFile(file, 'utf8'))}
<p><a href="/docs">API reference</a></p>`
  return Buffer.from(layout('Recipes', content).markup)
}

/** Returns the step of `/docs/recipes`: docs/recipes.md as a page. It is rendered at the first request. */
export const recipesPage = (): Step => {
  let rendered: Promise<Buffer> | null = null
  return async function recipesStep(context) {
    rendered ??= render()
    const markup = await rendered.catch((error: unknown) => {
      rendered = null
      throw new Fault('not_found', 'This installation has no recipes: the file docs/recipes.md is missing.', {
        cause: error,
      })
    })
    sendMarkup(context, markup)
  }
}
