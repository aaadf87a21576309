/**
 * Recognises files that can run when they are opened. Receivers refuse mail with such a file, so the sender should learn
 * that before the mail is accepted. The content of archives is not examined.
 */

/**
 * Extensions of programs, scripts, installers, disk images and shortcuts. Sources: Gmail, File types blocked in Gmail
 * (support.google.com/mail/answer/6590); Outlook, Blocked attachments (support.microsoft.com); Microsoft Defender, common
 * attachments filter. Add-ins of Office, and what macOS, Android, Linux and Java run when it is opened, are of the same kind.
 */
const extensions: ReadonlySet<string> = new Set(
  (
    'aab accda accde accdr accdu action ade adp air apk apkm apks app appcontent-ms appimage applescript application ' +
    'appref-ms appx appxbundle ax bas bash bat cab cdxml chm cjs class cmd com command cpl crx csh deb desktop dex ' +
    'diagcab diagcfg diagpkg dll dmg dqy drv dylib ear efi elf ex ex_ exe fileloc flatpak flatpakref fxp gadget hlp ' +
    'hpj hta htc img inetloc inf ins ipa iqy iso isp jar jnlp js jse kext ko ksh lib library-ms lnk macho mad maf mag ' +
    'mam maq mar mas mau mav maw mcf mda mde mdt mdw mdz mjs mpkg msc msh msh1 msh1xml msh2 msh2xml mshxml msi msix ' +
    'msixbundle msp mst msu nsh ocx ops oqy osd osx pcd pif pkg pl plg ppa ppam prefpane prg printerexport ps1 ps1xml ' +
    'ps2 ps2xml psc1 psc2 psd1 psdm1 psm1 pssc py pyc pyo pyw pyz pyzw rdp reg rpm rqy run scf scpt scptd scr sct ' +
    'search-ms searchconnector-ms settingcontent-ms sh shb shs sis sisx snap so sparsebundle sparseimage swf sys ' +
    'terminal theme themepack udl url vb vbe vbp vbs vhd vhdx vsmacros vsto vsw vxd war webloc webpnp website wll ' +
    'workflow ws wsb wsc wsf wsh xapk xbap xla xlam xll xnk xpi zsh'
  ).split(' '),
)

/** Windows opens a file with such an extension as the class that it names. It removes dots and spaces at the end of a name. */
const classId = /\.\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}[. ]*$/i

const letterOrDigit = /[\p{L}\p{N}_]/u

/**
 * Removes signs and spaces at the end. It looks from the end: a regular expression with `$` would try each of 1,000 signs as
 * the first one.
 */
const withoutLastSigns = (text: string): string => {
  const characters = [...text]
  const last = characters.findLastIndex((character) => letterOrDigit.test(character))
  return characters.slice(0, last + 1).join('')
}

/**
 * Returns the extension in the compatible spelling of each character, without invisible characters, and without signs and
 * spaces at the end, which Windows removes; empty: there is none.
 */
export const extensionOf = (name: string): string => {
  const plain = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const bare = withoutLastSigns(plain).toLowerCase()
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
  if (classId.test(name.normalize('NFKC'))) return 'a class identifier'
  // What follows a colon is a stream of the file; a semicolon, a version (ECMA-119 §7.5.1). A NUL ends a name in C.
  const spellings = [name, decoded(name)].flatMap((text) => [text, ...text.split(/[:;\0]/, 1)])
  return spellings.map(extensionOf).find((extension) => extensions.has(extension)) ?? null
}

/** Subtypes of the media types of the same kinds of files, without a leading `x-`. */
const types: ReadonlySet<string> = new Set(
  (
    'apple-diskimage bat csh deb debian-package desktop dex dos-exe dosexec ecmascript elf exe executable hta iso9660-image ' +
    'java-archive java-applet java-class java-jnlp-file java-vm javascript jscript ksh mach-binary mach-o-executable ' +
    'macbinary ms-application ms-dos-executable ms-installer ms-shortcut msdos-program msdos-windows msdownload msi msix ' +
    'appx msixbundle appxbundle mswinurl object pie-executable powershell redhat-package-manager rpm sh sharedlib ' +
    'shellscript vbscript winexe zsh bash appimage iso-image cd-image raw-disk-image windows-installer ' +
    'vnd.android.package-archive vnd.appimage vnd.apple.installer+xml vnd.debian.binary-package ' +
    'vnd.microsoft.portable-executable vnd.ms-cab-compressed vnd.ms-htmlhelp vnd.ms-appx internet-shortcut ms-manifest ' +
    'perl python script.python xpinstall com cmd scr pif cpl vbs jse applescript reg regedit ms-regedit msdos-batch ' +
    'python-code apk android-package mach-o itunes-ipa flatpak vnd.flatpak vnd.flatpak.ref vnd.snap chrome-extension ' +
    'vnd.symbian.install vhd virtualbox-vhd vnd.microsoft.windows.library+xml'
  ).split(' '),
)

/** Whether a media type is that of an executable file. @param type `type/subtype`, without parameters */
export const isExecutableType = (type: string): boolean => {
  const [, subtype = ''] = type.toLowerCase().split('/')
  return types.has(subtype.replace(/^(?:x-)+/, ''))
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
  ['cafebabf', 'a Mach-O program'],
  ['bfbafeca', 'a Mach-O program'],
  ['cafed00d', 'a packed Java archive'],
  ['4c00000001140200', 'a Windows shortcut'],
  ['6465780a', 'an Android program'],
  ['6465790a', 'an Android program'],
  ['78617221', 'a macOS installer package'],
  ['43723234', 'a browser extension'],
  ['49545346', 'a compiled help file'],
  ['4d534346', 'a cabinet archive'],
  ['edabeedb', 'an RPM package'],
  ['213c617263683e0a64656269616e', 'a Debian package'],
  ['7668647866696c65', 'a disk image'],
  ['4d5357494d000000', 'a disk image'],
  ['46617364554153', 'a compiled script'],
  ['535a4444', 'a compressed program'],
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

/** Texts that Windows opens as a shortcut or as changes of the registry, also in UTF-16. */
const windowsText = /^(?:\xef\xbb\xbf|\xff\xfe)?\s*(?:\[internetshortcut\]|windows registry editor version|regedit4\s)/i

/** The class of the root entry of a Windows Installer file: package, transform or patch. Office documents have others. */
const installerClass = /^8[246]100c0000000000c000000000000046$/

/** [MS-CFB] §2.2, §2.6.1: the header has the sector of the directory, whose first entry is the root. */
const isWindowsInstaller = (content: Buffer): boolean => {
  if (content.length < 512 || content.toString('hex', 0, 8) !== 'd0cf11e0a1b11ae1') return false
  const sectorBytes = 2 ** Math.min(content.readUInt16LE(30), 16)
  const entry = (content.readUInt32LE(48) + 1) * sectorBytes
  return installerClass.test(content.toString('hex', entry + 80, entry + 96))
}

/** ECMA-119 §8.1.2, ECMA-167 2/9.2, and the marks of Apple and Microsoft disk images. */
const isDiskImage = (content: Buffer): boolean =>
  hasText(content, 'CD001', 32_769) ||
  hasText(content, 'BEA01', 32_769) ||
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
  if (windowsText.test(content.toString('latin1', 0, 128).replaceAll('\0', ''))) return 'a shortcut or registry script'
  if (shebang.test(content.toString('latin1', 0, 32))) return 'a script'
  if (isWindowsInstaller(content)) return 'a Windows Installer package'
  return isDiskImage(content) ? 'a disk image' : null
}
