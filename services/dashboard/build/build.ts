import { build } from 'vite'
import { options } from './options.ts'

await build({ ...options, mode: 'production' })
