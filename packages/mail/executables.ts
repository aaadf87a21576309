import { decodedOrSame } from './decodedOrSame.ts'

/*
 * Recognizes files that can run when they are opened, by their names and media types. Receivers refuse mail with such a
 * file, so the sender gets an error before the mail is accepted. `executableContent.ts` recognizes them by their
 * content.
 */

/**
 * Extensions of programs, scripts, installers, disk images and shortcuts. Sources, read on 2026-11-28, all of them:
 * Gmail, File types blocked in Gmail (support.google.com/mail/answer/6590); Outlook, Attachment file types restricted
 * by Outlook (technet.microsoft.com cc179163), and the default BlockedFileTypes of Outlook on the web, as the
 * University of Kassel lists them, with msix and msixbundle (Microsoft 365 message center, MC1488841), except data that
 * only Outlook refuses: cer, crt, der, mat, mdb, mht, mhtml, pst, tmp; Microsoft Defender, the default of the common
 * attachments filter, except archives and documents with macros. Add-ins of Office, further files of OneNote, and what
 * macOS, Android, Linux, Flash and Java run when it is opened, are of the same kind. Scripts count if the installer of
 * their language makes Windows run a file that is opened: Python, Perl, Ruby and Tcl, but not PHP and Lua, which an
 * editor opens. Not refused because most of these files are something else: cdr (CorelDRAW), smi (subtitles), mdf
 * (measurements, databases) and ccd (text; its image is an img).
 */
const extensions: ReadonlySet<string> = new Set(
  (
    'a3x aab accda accde accdr accdu action ade adp afploc ahk air alfredworkflow ani apk apkm apks app appcontent-ms ' +
    'appimage appinstaller applescript application appref-ms appx appxbundle asp aspx asx au3 ax bas bash bat bgi cab ' +
    'cdxml chm cjs class cmd cnt com command cpl crx csh daa deb deskthemepack desktop dex diagcab diagcfg diagpkg dll ' +
    'dmg dqy drv dylib eappx eappxbundle ear ecma efi elf emsix emsixbundle esd ex ex_ exe fileloc fish flatpak ' +
    'flatpakref ftploc fxp gadget grp hlp hpj hta htc ica img inetloc inf ins ipa iqy iso isp isz its jar jnlp js jse ' +
    'kext ko ksh lib library library-ms lnk macho mad maf mag mailloc mam maq mar mas mau mav maw mcf mda mde mdt mdw mdz ' +
    'mjs mobileconfig mpkg msc msh msh1 msh1xml msh2 msh2xml mshxml msi msix msixbundle msp mst msu nrg nsh ocx one onea ' +
    'onepkg onetmp onetoc onetoc2 ops oqy osax osd osx oxt pcd phar pif pkg pl plg ppa ppam ppkg prefpane prf prg ' +
    'printerexport ps1 ps1xml ps2 ps2xml psc1 psc2 psd1 psdm1 psm1 pssc py pyc pyo pyw pyz pyzw qcow2 rb rbw rdp reg rpm ' +
    'rqy run saver scf scpt scptd scr sct search-ms searchconnector-ms settingcontent-ms sh shb shortcut shs sis sisx slk ' +
    'snap so sparsebundle sparseimage spl swf swm sys tcl tcsh terminal theme themepack toast tool udeb udf udl uif url ' +
    'vb vbe vbp vbs vbscript vdi vhd vhdx vmdk vncloc vsix vsmacros vsto vsw vxd war webloc webpnp website wim wll ' +
    'workflow ws wsb wsc wsf wsh xap xapk xbap xla xlam xll xnk xpi zsh'
  ).split(' '),
)

/**
 * Windows opens a file with such an extension as the class that it names. It removes dots and spaces at the end of a
 * name.
 */
const classId = /\.\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}[. ]*$/i

const letterOrDigit = /[\p{L}\p{N}_]/u

/**
 * Removes signs and spaces at the end. It searches from the end: a regular expression with `$` would try each of 1,000
 * signs as the first one.
 */
const withoutLastSigns = (text: string): string => {
  const characters = [...text]
  const last = characters.findLastIndex((character) => letterOrDigit.test(character))
  return characters.slice(0, last + 1).join('')
}

/**
 * Returns the extension in the compatible spelling of each character, without invisible characters, and without signs
 * and spaces at the end, which Windows removes; empty: there is none.
 */
export const extensionOf = (name: string): string => {
  const plain = name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
  const bare = withoutLastSigns(plain).toLowerCase()
  return bare.includes('.') ? bare.slice(bare.lastIndexOf('.') + 1) : ''
}

const nonAscii = /[^\0-\x7f]/

/**
 * Signs that are drawn as a dot: full stops, zeros and middle dots of other scripts (UTS #39 §4). Some programs write a
 * dot in place of them.
 */
const dots =
  /[\u00b7\u0660\u06d4\u06f0\u0701\u0702\u0971\u1803\u2219\u22c5\u2e33\u2804\u2820\u2840\u2880\u3002\ua4f8\ua60e\ua78f\ufe12\uff61\u{10a50}\u{1d16d}]/gu

/**
 * Lower-case letters that are drawn as letters of extensions, capitals and small capitals included (UTS #39 §4), each
 * before its Latin letter.
 */
const letters = new Map(
  'аaαaвbβbсcϲcԁdеeεeɡgһhнhηhіiιiıiјjкkκkӏlмmμmоoοoрpρpԛqѕsтtτtѵvԝwхxχxуyυyζzɑaᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'
    .match(/../gu)
    ?.map((pair) => [pair[0], pair[1]]),
)

/** Greek nu is drawn as v, and its capital as N. */
const [capitalNu, nu] = [/\u039d/g, /\u03bd/g]

/** Returns a name with Latin letters and dots in place of those that look like them, without marks. */
const appearance = (name: string): string =>
  name
    .replace(dots, '.')
    .replace(capitalNu, 'N')
    .replace(nu, 'v')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\0-\x7f]/g, (letter) => letters.get(letter) ?? letter)

/**
 * Returns an extension that only looks like a Latin one. One of two letters does not count: `.ру` is the end of many
 * Russian names.
 */
const apparentExtension = (name: string): string => {
  const inDots = extensionOf(name.replace(dots, '.'))
  if (extensions.has(inDots)) return inDots
  const seen = extensionOf(appearance(name))
  return seen.length > 2 ? seen : ''
}

/** Maximum number of times that a name is decoded. */
const maxDecodings = 3

/**
 * Returns a name as each decoding shows it, because some clients decode a percent-encoded name; what is no UTF-8 stays.
 */
export const decodings = (name: string): string[] => {
  const seen = [name]
  for (let count = 0; count < maxDecodings; count++) {
    const last = seen.at(-1) ?? ''
    const next = last.replace(/(?:%[\da-f]{2})+/gi, decodedOrSame)
    if (next === last) break
    seen.push(next)
  }
  return seen
}

/** Returns what makes a file name that of an executable file, such as `exe`; null: nothing does. */
export const executableExtension = (name: string): string | null => {
  if (classId.test(name.normalize('NFKC'))) return 'a class identifier'
  // What follows a colon is a stream of the file; a semicolon, a version (ECMA-119 §7.5.1). A NUL ends a name in C.
  const spellings = decodings(name).flatMap((text) => [text, ...text.split(/[:;\0]/, 1)])
  const shown = spellings.flatMap((text) => [
    extensionOf(text),
    ...(nonAscii.test(text) ? [apparentExtension(text)] : []),
  ])
  return shown.find((extension) => extensions.has(extension)) ?? null
}

/**
 * Subtypes of the media types of the same kinds of files, without a leading `x-`, which are not extensions. Sources:
 * the registry of IANA, shared-mime-info, and the media types that Outlook on the web blocks (OwaMailboxPolicy), except
 * Access data.
 */
const types: ReadonlySet<string> = new Set(
  (
    'apple-diskimage bytecode.python debian-package dos-exe dosexec ecmascript executable futuresplash internet-signup ' +
    'iphone-app iso9660 iso9660-image java java-archive java-applet java-class java-jnlp-file java-vm javascript jscript ' +
    'livescript mach-binary mach-o-executable macbinary ms-application ms-dos-executable ms-installer ms-shortcut ' +
    'msdos-program msdos-windows msdownload msonenote mswinurl mslnk object onenote opera-extension pie-executable ' +
    'powershell qemu-disk redhat-package-manager registry scriptlet setupscript sharedlib shellscript shockwave-flash ' +
    'silverlight-app virtualbox-vdi virtualbox-vmdk virtualbox-vhdx windows-shortcut winexe winhlp compressed-cab ' +
    'iso-image cd-image raw-disk-image windows-installer vnd.adobe.flash.movie vnd.android.package-archive ' +
    'vnd.appimage vnd.apple.installer+xml vnd.debian.binary-package vnd.efi.img vnd.efi.iso vnd.ms-appinstaller ' +
    'vnd.microsoft.portable-executable vnd.ms-cab-compressed vnd.ms-htmlhelp vnd.ms-appx internet-shortcut ms-manifest ' +
    'ms-diagcab ms-library ms-reg ms-wim ms-xbap windows-library+xml windows-search-connector+xml ' +
    'perl python script.python python-bytecode xpinstall regedit ms-regedit msdos-batch ' +
    'ruby apple-aspen-config python-code android-package mach-o itunes-ipa vnd.flatpak vnd.flatpak.ref vnd.snap chrome-extension ' +
    'component makeself msexe ms-ne-executable ms-win-installer wine-extension-msp vnd.adobe.air-application-installer-package+zip vnd.ms-excel.addin.macroenabled.12 ' +
    'vnd.ms-powerpoint.addin.macroenabled.12 vnd.openofficeorg.extension vnd.symbian.install virtualbox-vhd vnd.microsoft.windows.library+xml'
  ).split(' '),
)

/** Returns whether a media type is that of an executable file. @param type `type/subtype`, without parameters */
export const isExecutableType = (type: string): boolean => {
  const [, subtype = ''] = type.toLowerCase().split('/')
  const bare = subtype.replace(/^(?:x-)+/, '')
  return types.has(bare) || extensions.has(bare) || /^javascript\d\.\d$/.test(bare)
}
