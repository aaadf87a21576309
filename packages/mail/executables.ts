/**
 * Recognises files that can run when they are opened. Receivers refuse mail with such a file, so the sender should learn
 * that before the mail is accepted. The content of archives is not examined.
 */

/**
 * Extensions of programs, scripts, installers, disk images and shortcuts. Sources: Gmail, File types blocked in Gmail
 * (support.google.com/mail/answer/6590); Outlook, Blocked attachments (support.microsoft.com); Microsoft Defender, common
 * attachments filter.
 */
const extensions: ReadonlySet<string> = new Set(
  (
    'ade adp apk app appcontent-ms appimage application appref-ms appx appxbundle bas bash bat cab chm cmd com command ' +
    'cpl csh deb desktop dex diagcab diagcfg diagpkg dll dmg elf ex ex_ exe gadget hlp hta img inf ins iso isp jar jnlp ' +
    'js jse kext ksh lib library-ms lnk macho mcf mde mjs msc msh msh1 msh1xml msh2 msh2xml mshxml msi msix msixbundle ' +
    'msp mst msu nsh ops osd pcd pif pkg ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psdm1 psm1 pyc pyo pyw pyz pyzw reg rpm run ' +
    'scf scr sct search-ms searchconnector-ms settingcontent-ms sh shb shs so sys theme themepack url vb vbe vbp vbs vhd ' +
    'vhdx vsmacros vsw vxd webpnp website ws wsb wsc wsf wsh xbap xll xnk zsh'
  ).split(' '),
)

/** Windows opens a file with such an extension as the class that the identifier names. */
const classId = /\.\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}$/i

/**
 * Returns the extension in the compatible spelling of each character, without invisible characters, and without signs and
 * spaces at the end, which Windows removes; empty: there is none.
 */
export const extensionOf = (name: string): string => {
  const plain = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const bare = plain.replace(/[^\p{L}\p{N}_]+$/u, '').toLowerCase()
  return bare.includes('.') ? bare.slice(bare.lastIndexOf('.') + 1) : ''
}

/** Some clients decode a percent-encoded name. */
const decoded = (name: string): string => {
  try {
    return name.includes('%') ? decodeURIComponent(name) : name
  } catch {
    return name
  }
}

/** Returns what makes a file name that of an executable file, such as `exe`; null: nothing does. */
export const executableExtension = (name: string): string | null => {
  if (classId.test(name.trim())) return 'a class identifier'
  // What follows a colon is a stream of the file; what follows a semicolon is a version (ECMA-119 §7.5.1).
  const spellings = [name, decoded(name)].flatMap((text) => [text, ...text.split(/[:;]/, 1)])
  return spellings.map(extensionOf).find((extension) => extensions.has(extension)) ?? null
}

/** Media types of the same kinds of files, without `application/` or `text/`, and without a leading `x-`. */
const types: ReadonlySet<string> = new Set(
  (
    'apple-diskimage bat csh deb debian-package desktop dex dos-exe dosexec ecmascript elf exe executable hta iso9660-image ' +
    'java-archive java-applet java-class java-jnlp-file java-vm javascript jscript ksh mach-binary mach-o-executable ' +
    'macbinary ms-application ms-dos-executable ms-installer ms-shortcut msdos-program msdos-windows msdownload msi msix ' +
    'appx msixbundle appxbundle mswinurl object pie-executable powershell redhat-package-manager rpm sh sharedlib ' +
    'shellscript vbscript winexe zsh bash appimage iso-image cd-image raw-disk-image windows-installer ' +
    'vnd.android.package-archive vnd.appimage vnd.apple.installer+xml vnd.debian.binary-package ' +
    'vnd.microsoft.portable-executable vnd.ms-cab-compressed vnd.ms-htmlhelp vnd.ms-appx'
  ).split(' '),
)

/** Whether a media type is that of an executable file. @param type `type/subtype`, without parameters */
export const isExecutableType = (type: string): boolean => {
  const [kind = '', subtype = ''] = type.toLowerCase().split('/')
  return (kind === 'application' || kind === 'text') && types.has(subtype.replace(/^(?:x-)+/, ''))
}

/** First bytes of formats that can run, in hexadecimal. Source: the magic database of file(1). */
const signatures: readonly (readonly [bytes: string, name: string])[] = [
  ['7f454c46', 'an ELF program'],
  ['feedface', 'a Mach-O program'],
  ['feedfacf', 'a Mach-O program'],
  ['cefaedfe', 'a Mach-O program'],
  ['cffaedfe', 'a Mach-O program'],
  ['cafebabe', 'a Mach-O program or a Java class'],
  ['bebafeca', 'a Mach-O program'],
  ['cafed00d', 'a packed Java archive'],
  ['4c00000001140200', 'a Windows shortcut'],
  ['6465780a', 'an Android program'],
  ['49545346', 'a compiled help file'],
  ['4d534346', 'a cabinet archive'],
  ['edabeedb', 'an RPM package'],
  ['213c617263683e0a64656269616e', 'a Debian package'],
  ['7668647866696c65', 'a disk image'],
]

const longestSignature = 14

const hasText = (content: Buffer, text: string, at: number): boolean =>
  at >= 0 && content.toString('latin1', at, at + text.length) === text

/** A text may begin with the letters `MZ`; a DOS or Windows program has other bytes in its header. */
const isWindowsProgram = (content: Buffer): boolean =>
  (hasText(content, 'MZ', 0) || hasText(content, 'ZM', 0)) &&
  /[^\t\n\r -~\x80-\xff]/.test(content.toString('latin1', 0, 64))

/** `#!` and the path of an interpreter, also after a byte order mark. */
const shebang = /^(?:\xef\xbb\xbf)?#![ \t]*\//

/** The class of the root entry of a Windows Installer file: package, transform or patch. Office documents have others. */
const installerClass = /^8[246]100c0000000000c000000000000046$/

/** [MS-CFB] §2.2, §2.6.1: the header has the sector of the directory, whose first entry is the root. */
const isWindowsInstaller = (content: Buffer): boolean => {
  if (content.length < 512 || content.toString('hex', 0, 8) !== 'd0cf11e0a1b11ae1') return false
  const sectorBytes = 2 ** Math.min(content.readUInt16LE(30), 16)
  const entry = (content.readUInt32LE(48) + 1) * sectorBytes
  return installerClass.test(content.toString('hex', entry + 80, entry + 96))
}

/** ECMA-119 §8.1.2, and the marks of Apple and Microsoft disk images. */
const isDiskImage = (content: Buffer): boolean =>
  hasText(content, 'CD001', 32_769) ||
  hasText(content, 'conectix', 0) ||
  hasText(content, 'koly', content.length - 512) ||
  hasText(content, 'conectix', content.length - 512)

/** Returns what kind of executable file the content is, as `an ELF program`; null: none of the known ones. */
export const executableContent = (bytes: Uint8Array): string | null => {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = content.toString('hex', 0, longestSignature)
  const known = signatures.find(([signature]) => first.startsWith(signature))
  if (known) return known[1]
  if (isWindowsProgram(content)) return 'a Windows program'
  if (shebang.test(content.toString('latin1', 0, 32))) return 'a script'
  if (isWindowsInstaller(content)) return 'a Windows Installer package'
  return isDiskImage(content) ? 'a disk image' : null
}
