/* Recognizes texts that run, install or open something when they are opened: scripts, shortcuts and settings. */

/** What is read of a text. Marks of these formats are near the start. */
const headBytes = 8_192

/** `#!` and the path of an interpreter. */
const shebang = /^#![ \t]*\//

/** The first command of most batch files, even after lines with remarks and commands that prepare the screen. */
const batch =
  /^(?:@?(?:rem|::|cls\b|title |chcp |color |mode )[^\n]*\n\s*)*(?:@?cls[ \t]*&{1,2}[ \t]*)?@?(?:echo off|setlocal(?: enable\w+)*)[ \t]*(?:\r?\n|&|$)/i

/** The lines of an INI file before its first section: comments. */
const comments = /^(?:[;#][^\n]*\n\s*)*/
const section = /^\[[^\]\n]{1,64}\][ \t]*\r?\n/

/** Sections and lines of INI files. */
const settings: readonly (readonly [line: RegExp, name: string])[] = [
  [/^\[internetshortcut\]/im, 'a shortcut'],
  [/^\[desktop entry\]/im, 'a shortcut'],
  // The former command file of the Windows shell.
  [/^\[shell\]\s+(?:command|iconfile)\s*=/im, 'a shortcut'],
  [/^\[autorun\]/im, 'a list of programs to start'],
  [/^\[flatpak re(?:f|po)\]/im, 'an installer'],
  // Windows Hardware Developer, INF Version section.
  [/^signature\s*=\s*"?\$(?:chicago|windows (?:nt|95))\$/im, 'a setup script'],
]

/** Other texts, by their start. */
const starts: readonly (readonly [start: RegExp, name: string])[] = [
  [shebang, 'a script'],
  [batch, 'a batch file'],
  [/^(?:windows registry editor version|regedit4\s)/i, 'a registry script'],
  [/^(?:https?|file):\S{1,512}#[^\n]{1,255}, culture=[^\n]{1,64}, publickeytoken=/i, 'a shortcut'],
  [/^# ?disk descriptorfile\b/i, 'a disk image'],
  [/^<{3} (?:oracle|sun|innotek)[^\n>]{0,60}disk image >{3}/i, 'a disk image'],
  [/^<\?xml[^>]*>\s*<!doctype plist[^>]*>\s*<plist[^>]*>\s*<dict>\s*<key>url<\/key>/i, 'a shortcut'],
]

/** Root elements of documents of Windows and Java that start programs or change settings. */
const roots: ReadonlyMap<string, string> = new Map([
  ['librarydescription', 'a shortcut'],
  ['searchconnectordescription', 'a shortcut'],
  ['persistedquery', 'a shortcut'],
  ['pcsettings', 'a shortcut'],
  ['mmc_consolefile', 'a management console'],
  ['scriptlet', 'a script'],
  ['jnlp', 'a Java program'],
  ['appinstaller', 'an installer'],
])

/** Elements of documents whose root element does not decide. */
const elements: readonly (readonly [element: RegExp, name: string])[] = [
  [/<hta:application\b/i, 'an HTML application'],
  [/^(?:<[?!][^>]*>\s*)*<(?:package\s*>\s*<)?job(?:\s[^>]*)?>.*<script\b/is, 'a script'],
  [
    /^(?:<[?!][^>]*>\s*)*<(?:\w+:)?assembly\b[^>]*urn:schemas-microsoft-com:asm.*<(?:\w+:)?deployment\b/is,
    'an installer',
  ],
]

/**
 * Scripts of a page that no current browser runs: VBScript, and objects with access to files and programs. So the page
 * works as an HTML application only.
 */
const applicationScript =
  /^<script\s[^>]*\b(?:language|type)\s*=\s*["']?(?:text\/)?vbs|\b(?:createobject|activexobject)\s*\(\s*["'](?:wscript\.|shell\.application|scripting\.filesystemobject|adodb\.stream)/i

const isApplication = (head: string): boolean =>
  (head.match(/<script\b.*?(?:<\/script|$)/gis) ?? []).some((script) => applicationScript.test(script))

const rootElement = /^(?:<[?!][^>]*>\s*)*<(?:\w+:)?(\w+)/

/** Returns the start of a text, without the bytes of UTF-16 and without white space before it. */
const headOf = (content: Buffer): string =>
  content
    .toString('latin1', 0, headBytes)
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart()

/** Returns the section that an INI file begins with, and what follows; null: another kind of text. */
const settingsOf = (head: string): string | null => {
  const text = head.replace(comments, '')
  return section.test(text) ? text : null
}

const find = (table: readonly (readonly [pattern: RegExp, name: string])[], text: string): string | null =>
  table.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** Returns what kind of executable text the content is, as `a script`; null: none of the known ones. */
export const executableText = (content: Buffer): string | null => {
  const head = headOf(content)
  const known = find(starts, head)
  if (known !== null) return known
  if (head.startsWith('<')) {
    const [, root = ''] = rootElement.exec(head) ?? []
    const program = roots.get(root.toLowerCase()) ?? find(elements, head)
    return program ?? (isApplication(head) ? 'an HTML application' : null)
  }
  const text = settingsOf(head)
  return text === null ? null : find(settings, text)
}
