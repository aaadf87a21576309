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

const bytesOf = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex')

/** First bytes of formats that can run. Source: the magic database of file(1). */
const signatures: readonly { bytes: Buffer; name: string }[] = [
  { bytes: bytesOf('7f454c46'), name: 'an ELF program' },
  { bytes: bytesOf('feedface'), name: 'a Mach-O program' },
  { bytes: bytesOf('feedfacf'), name: 'a Mach-O program' },
  { bytes: bytesOf('cefaedfe'), name: 'a Mach-O program' },
  { bytes: bytesOf('cffaedfe'), name: 'a Mach-O program' },
  { bytes: bytesOf('cafebabe'), name: 'a Mach-O program or a Java class' },
  { bytes: bytesOf('bebafeca'), name: 'a Mach-O program' },
  { bytes: bytesOf('cafed00d'), name: 'a packed Java archive' },
  { bytes: bytesOf('4c000000 01140200'), name: 'a Windows shortcut' },
  { bytes: Buffer.from('dex\n'), name: 'an Android program' },
  { bytes: Buffer.from('ITSF'), name: 'a compiled help file' },
  { bytes: Buffer.from('MSCF'), name: 'a cabinet archive' },
  { bytes: bytesOf('edabeedb'), name: 'an RPM package' },
  { bytes: Buffer.from('!<arch>\ndebian'), name: 'a Debian package' },
]

const startsWith = (content: Buffer, bytes: Uint8Array, at = 0): boolean =>
  content.length >= at + bytes.length && content.subarray(at, at + bytes.length).equals(bytes)

/** A text may begin with the letters `MZ`; a DOS or Windows program has other bytes in its header. */
const isWindowsProgram = (content: Buffer): boolean =>
  (startsWith(content, Buffer.from('MZ')) || startsWith(content, Buffer.from('ZM'))) &&
  /[^\t\n\r -~\x80-\xff]/.test(content.toString('latin1', 0, 64))

/** `#!` and the path of an interpreter, also after a byte order mark. */
const shebang = /^(?:\xef\xbb\xbf)?#![ \t]*\//

/** The class of the root entry of a Windows Installer file: package, transform or patch. Office documents have others. */
const installerClass = /^8[246]100c0000000000c000000000000046$/

/** [MS-CFB] §2.2, §2.6.1: the header has the sector of the directory, whose first entry is the root. */
const isWindowsInstaller = (content: Buffer): boolean => {
  if (!startsWith(content, bytesOf('d0cf11e0 a1b11ae1')) || content.length < 512) return false
  const sectorBytes = 2 ** Math.min(content.readUInt16LE(30), 16)
  const entry = (content.readUInt32LE(48) + 1) * sectorBytes
  return installerClass.test(content.toString('hex', entry + 80, entry + 96))
}

/** ECMA-119 §8.1.2, and the trailers of Apple and Microsoft disk images. */
const isDiskImage = (content: Buffer): boolean =>
  startsWith(content, Buffer.from('CD001'), 32_769) ||
  startsWith(content, Buffer.from('vhdxfile')) ||
  startsWith(content, Buffer.from('conectix')) ||
  (content.length >= 512 &&
    ['koly', 'conectix'].some((mark) => startsWith(content, Buffer.from(mark), content.length - 512)))

/** Returns what kind of executable file the content is, as `an ELF program`; null: none of the known ones. */
export const executableContent = (bytes: Uint8Array): string | null => {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const known = signatures.find((signature) => startsWith(content, signature.bytes))
  if (known) return known.name
  if (isWindowsProgram(content)) return 'a Windows program'
  if (shebang.test(content.toString('latin1', 0, 32))) return 'a script'
  if (isWindowsInstaller(content)) return 'a Windows Installer package'
  return isDiskImage(content) ? 'a disk image' : null
}
