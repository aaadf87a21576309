import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { type Browser, chromium } from 'playwright-core'
import { root } from './project.ts'

/*
 * The browser of the tests. An npm package contains it in compressed form, so `npm ci` is all that a machine needs. It
 * is unpacked once, into node_modules/.cache.
 */

const packageFolder = join(root, 'node_modules/@sparticuz/chromium')
const cache = join(root, 'node_modules/.cache')

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version

/** Returns why the browser cannot run here; null: it can. */
export const whyNoBrowser = (): string | null => {
  if (platform() !== 'linux' || arch() !== 'x64') return 'the browser of the tests is for Linux on x64'
  return existsSync(packageFolder) ? null : 'the browser of the tests is not installed; run npm ci'
}

/** The package unpacks into the temporary folder, and its libraries only if it believes that it runs as a function. */
const unpacking = "import('@sparticuz/chromium').then(({ default: browser }) => browser.executablePath())"

const unpackInto = async (folder: string): Promise<void> => {
  const child = spawn(process.execPath, ['-e', unpacking], {
    cwd: root,
    env: { PATH: process.env['PATH'], TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`the browser cannot be unpacked; run npm ci:\n${output}`)
}

/** Returns the folder of the unpacked browser. Of processes that unpack it at the same time one wins. */
export const unpackedBrowser = async (): Promise<string> => {
  const folder = join(cache, `postrider-chromium-${versionOf(packageFolder)}`)
  if (existsSync(join(folder, 'chromium'))) return folder
  await mkdir(cache, { recursive: true })
  const fresh = await mkdtemp(join(cache, 'chromium-'))
  try {
    await unpackInto(fresh)
    await rename(fresh, folder).catch((reason: unknown) => {
      if (!existsSync(join(folder, 'chromium'))) throw reason
    })
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return folder
}

/** A process for each sandboxed frame would cost most of the time of tests that show many. */
const processes = '--disable-features=IsolateSandboxedIframes'

/**
 * Started by root, the browser gives its threads priority over all other processes, and the tests that run alongside it
 * wait for a core. Without this capability it cannot. It starts unchanged where the capability cannot be given up.
 */
const startScript = `#!/bin/sh
browser="$(dirname "$0")/chromium"
if setpriv --bounding-set -sys_nice true 2>/dev/null; then exec setpriv --bounding-set -sys_nice "$browser" "$@"; fi
exec "$browser" "$@"
`

/** Fonts of the machine and of the package. The cache is in the folder of the browser, which is its HOME. */
const fontsConfig = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir><dir>~/fonts</dir><cachedir>~/fonts-cache</cachedir></fontconfig>`

/** Writes a file that processes may write at the same time. @returns its path */
const writeShared = async (path: string, content: string, mode: number): Promise<string> => {
  const own = `${path}-${process.pid}`
  await writeFile(own, content, { mode })
  await rename(own, path)
  return path
}

/**
 * Starts the browser. It has no sandbox of its own, because tests run as root in containers; it opens our pages only.
 */
export const launchBrowser = async (): Promise<Browser> => {
  const folder = await unpackedBrowser()
  return chromium.launch({
    executablePath: await writeShared(join(folder, 'start'), startScript, 0o755),
    args: ['--headless=shell', '--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none', processes],
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      TZ: 'UTC',
      FONTCONFIG_FILE: await writeShared(join(folder, 'fonts.conf'), fontsConfig, 0o644),
      // Those of the machine may be missing: the browser needs NSS.
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    },
  })
}
