import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import type { InlineConfig } from 'vite'
import { groups } from './chunks.ts'
import { compressed } from './compressed.ts'
import { firstScript, preloadedFont } from './headTags.ts'

const folder = join(import.meta.dirname, '..')
const source = (path: string): string => join(folder, 'src', path)

/**
 * Modules that are replaced in the browser. Radix locks scrolling by a library that adds a `<style>` element, which the
 * Content-Security-Policy refuses; the rules of the API import Node's modules and use its `Buffer`.
 */
const replaced = {
  'react-remove-scroll': source('app/replaced/removeScroll.tsx'),
  'node:url': source('app/replaced/nodeUrl.ts'),
  'node:crypto': source('app/replaced/nodeCrypto.ts'),
  'node:zlib': source('app/replaced/nodeZlib.ts'),
}

/** Options of the build of the dashboard: one HTML file and hashed assets, without inline scripts or styles. */
export const options: InlineConfig = {
  root: folder,
  configFile: false,
  logLevel: 'warn',
  plugins: [react(), tailwindcss(), preloadedFont(), firstScript(), compressed()],
  resolve: { alias: replaced },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // An inlined file would be a `data:` URL, which the policy allows for images only.
    assetsInlineLimit: 0,
    // The polyfill is an inline script.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups } },
      transform: { inject: { Buffer: [source('app/replaced/buffer.ts'), 'Buffer'] } },
      // The packages of the project only define things, so that a schema does not bring its whole folder.
      treeshake: { moduleSideEffects: [{ test: /\/packages\/(contracts|domain|mail)\//, sideEffects: false }] },
    },
  },
}
