import assert from 'node:assert/strict'
import { assertIterationsBelow } from '../../test/support/cost.ts'
import { executableContent } from './executableContent.ts'

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')
const at = (offset: number, bytes: Buffer, length = offset + bytes.length): Buffer => {
  const content = Buffer.alloc(length)
  bytes.copy(content, offset)
  return content
}

/** Returns a compound file whose root entry has this class. @param sector of the directory */
const compoundFile = (classId: string, sector = 1): Buffer => {
  const content = Buffer.alloc(4_096)
  hex('d0cf11e0a1b11ae1').copy(content)
  content.writeUInt16LE(9, 30)
  content.writeUInt32LE(sector, 48)
  hex(classId).copy(content, (sector + 1) * 512 + 80)
  return content
}

/**
 * Returns a ZIP archive of empty files with these names.
 * @param hasLengthsAfter whether the lengths follow the entries
 */
const zip = (names: readonly string[], { hasLengthsAfter = false, comment = '' } = {}): Buffer => {
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []]
  for (const name of names) {
    const local = at(0, hex('504b0304 1400'), 30)
    local.writeUInt16LE(hasLengthsAfter ? 8 : 0, 6)
    local.writeUInt16LE(Buffer.byteLength(name), 26)
    locals.push(local, Buffer.from(name))
    const entry = at(0, hex('504b0102 1400'), 46)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    directory.push(entry, Buffer.from(name))
  }
  const end = at(0, hex('504b0506'), 22)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(Buffer.concat(directory).length, 12)
  end.writeUInt32LE(Buffer.concat(locals).length, 16)
  end.writeUInt16LE(comment.length, 20)
  return Buffer.concat([...locals, ...directory, end, Buffer.from(comment)])
}

/** Returns the archive with a record and a locator of ZIP64, so that its end record has no length and offset. */
const zip64 = (names: readonly string[]): Buffer => {
  const content = zip(names)
  const [body, end] = [content.subarray(0, -22), Buffer.from(content.subarray(-22))]
  const record = at(0, hex('504b0606'), 56)
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(12)), 40)
  record.writeBigUInt64LE(BigInt(end.readUInt32LE(16)), 48)
  const locator = at(0, hex('504b0607'), 20)
  locator.writeBigUInt64LE(BigInt(body.length), 8)
  return Buffer.concat([body, record, locator, end.fill(0xff, 8, 20)])
}

/** Returns the archive with bytes between its directory and its end record, which then counts them. */
const withGap = (content: Buffer): Buffer => {
  const end = Buffer.from(content.subarray(-22))
  return Buffer.concat([content.subarray(0, -22), Buffer.alloc(64), end])
}

const jar = ['META-INF/', 'META-INF/MANIFEST.MF', 'Main.class']
const word = ['[Content_Types].xml', '_rels/.rels', 'word/document.xml', 'docProps/app.xml']
const many = Array.from({ length: 2_000 }, (_, number) => `res/layout/file${number}.xml`)

const flash = (start: string): Buffer => Buffer.concat([Buffer.from(start), hex('78030000'), Buffer.alloc(20)])

/** Returns a disc image of sectors with 2,352 bytes. */
const rawDisc = (header: number): Buffer => at(16 * 2_352 + header + 1, Buffer.from('CD001'))

const executable: [name: string, content: Buffer][] = [
  ['a Windows program', hex('4d5a9000 03000000 04000000 ffff0000')],
  ['a short DOS program', hex('4d5a 00')],
  ['an ELF program', hex('7f454c46 020101')],
  ['a 32-bit Mach-O program', hex('feedface')],
  ['a 64-bit Mach-O program', hex('cffaedfe 07000001')],
  ['a universal Mach-O program', hex('cafebabe 00000002')],
  ['a Java class', hex('cafebabe 00000034')],
  ['a Windows shortcut', hex('4c000000 01140200 00000000')],
  ['an Android program', Buffer.from('dex\n035\0')],
  ['an optimized Android program', Buffer.from('dey\n036\0')],
  ['a universal Mach-O program of the other byte order', hex('bfbafeca 02000000')],
  ['a macOS installer package', Buffer.from('xar!\0\x1c\0\x01')],
  ['a browser extension', Buffer.from('Cr24\x03\0\0\0')],
  ['a compiled help file', Buffer.from('ITSF\x03')],
  ['a cabinet archive', Buffer.from('MSCF\0\0')],
  ['an RPM package', hex('edabeedb 0300')],
  ['a Debian package', Buffer.from('!<arch>\ndebian-binary   ')],
  ['a shell script', Buffer.from('#!/bin/sh\necho')],
  ['a script with a space', Buffer.from('#! /usr/bin/env python3\n')],
  ['a script after a byte order mark', Buffer.from('\ufeff#!/bin/sh\n')],
  ['a Windows Installer package', compoundFile('84100c0000000000c000000000000046')],
  ['a Windows Installer patch', compoundFile('86100c0000000000c000000000000046', 4)],
  ['an ISO image', at(32_769, Buffer.from('CD001'))],
  ['a UDF image', at(32_769, Buffer.from('BEA01'))],
  ['a Windows image', Buffer.from('MSWIM\0\0\0')],
  ['a 64-bit universal Mach-O program', hex('cafebabf 00000002')],
  ['a compiled AppleScript', Buffer.from('FasdUAS 1.101.10')],
  ['a compressed Windows program', hex('535a4444 88f02733')],
  ['an Internet shortcut', Buffer.from('\r\n[InternetShortcut]\r\nURL=file://evil')],
  ['a registry script', Buffer.from('Windows Registry Editor Version 5.00\r\n')],
  ['a registry script in UTF-16', Buffer.from('\ufeffWindows Registry Editor Version 5.00\r\n', 'utf16le')],
  ['an Apple disk image', at(1_024, Buffer.from('koly'), 1_536)],
  ['a Microsoft disk image', at(512, Buffer.from('conectix'), 1_024)],
  // Regression: all of these were accepted.
  ['a Java archive', zip(jar)],
  ['a Java archive in other letters', zip(['meta-inf/Manifest.mf', 'Main.class'])],
  ['a Java archive with lengths after its entries', zip(jar, { hasLengthsAfter: true })],
  ['a Java archive with a comment', zip(jar, { comment: 'made by PK\x05\x06 hand'.padEnd(300) })],
  ['a Java archive after an image', Buffer.concat([hex('474946383961'), Buffer.alloc(50_000, 1), zip(jar)])],
  ['a Java archive without its directory', zip(jar).subarray(0, 110)],
  ['a Java archive with ZIP64', zip64(['a.txt', ...jar])],
  ['a Java archive with ZIP64 after an image', Buffer.concat([hex('474946383961'), zip64(['a.txt', ...jar])])],
  ['an Android package with a gap before its end', withGap(zip(['a.txt', 'classes.dex'], { hasLengthsAfter: true }))],
  [
    'a Java archive with another archive in its comment',
    zip(['a.txt', ...jar], { hasLengthsAfter: true, comment: `${zip(['b.txt']).toString('latin1')} ` }),
  ],
  ['a Java archive with the parts of a document', zip([...word, ...jar])],
  ['an Android package', zip([...many, 'AndroidManifest.xml', 'classes.dex'])],
  ['an Android package without a manifest', zip([...many, 'classes.dex'])],
  ['an Android bundle', zip(['BundleConfig.pb', 'base/manifest/AndroidManifest.xml'])],
  ['an iOS program', zip(['iTunesMetadata.plist', 'Payload/', 'Payload/Game.app/Info.plist'])],
  ['a Windows app package', zip(['[Content_Types].xml', 'AppxManifest.xml'])],
  ['a Windows app bundle', zip(['[Content_Types].xml', 'AppxMetadata/AppxBundleManifest.xml'])],
  ['a browser extension in a ZIP archive', zip(['META-INF/mozilla.rsa', 'manifest.json'])],
  ['an extension of Visual Studio', zip(['extension.vsixmanifest', '[Content_Types].xml'])],
  ['a Flash program', flash('FWS\x0a')],
  ['a compressed Flash program', flash('CWS\x2b')],
  ['a Flash program in LZMA', flash('ZWS\x0d')],
  ['a compiled Python program', hex('a70d0d0a 00000000 1234')],
  // Regression: programs of versions before 3.7 were accepted.
  ['a program of Python 3.6', hex('330d0d0a 5a2b1c5e 10000000 e3000000 00000000')],
  ['a program of Python 3.3', hex('9e0c0d0a 5a2b1c5e 10000000 63000000 00000000')],
  ['a program of Python 3.2', hex('6c0c0d0a 5a2b1c4e 63000000 00000000')],
  ['a program of Python 2.7', hex('03f30d0a 5a2b1c5e 63000000 00000000 02000000')],
  ['a program of Python 1.5', hex('994e0d0a 5a2b1c38 63000000 00010000')],
  ['a OneNote section', hex('e4525c7b8cd8a74daeb15378d02996d3 00')],
  ['a Windows help file', hex('3f5f0300 00')],
  ['an encoded script', Buffer.from('#@~^XyAAAA==')],
  ['a batch file', Buffer.from('@echo off\r\ndel x')],
  ['a batch file with a remark', Buffer.from('REM install\r\n:: 1\r\n@ECHO OFF\r\n')],
  ['a batch file without an @', Buffer.from('setlocal enabledelayedexpansion\n')],
  ['an HTML application', Buffer.from('<html><head>\n<HTA:APPLICATION ID="x">')],
  ['an HTML application in UTF-16', Buffer.from('\ufeff<hta:application>', 'utf16le')],
  ['a Windows script', Buffer.from('<?xml version="1.0"?><job id="1">\n<script language="VBScript">')],
  ['a Windows script in a package', Buffer.from('<package><job><script language="JScript">')],
  ['a script component', Buffer.from('<?xml version="1.0"?>\n<scriptlet>')],
  ['an Internet shortcut after another section', Buffer.from('[{000214A0}]\r\nProp3=1\r\n[InternetShortcut]\r\nURL=x')],
  ['a shell command', Buffer.from('[Shell]\r\nCommand=2\r\n')],
  ['a desktop entry', Buffer.from('# comment\n\n[Desktop Entry]\nExec=sh')],
  ['a list of programs to start', Buffer.from('[AutoRun]\r\nopen=x')],
  ['a setup script', Buffer.from('; driver\r\n[Version]\r\nSignature="$Windows NT$"\r\n')],
  [
    'a web location',
    Buffer.from(
      '<?xml version="1.0"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "x">\n<plist version="1.0">\n<dict>\n\t<key>URL</key>',
    ),
  ],
  ['a web location in binary', Buffer.from('bplist00\xd1\x01\x02SURL_', 'latin1')],
  ['a library', Buffer.from('<?xml version="1.0"?><libraryDescription xmlns="x">')],
  ['a search connector', Buffer.from('<?xml version="1.0"?><searchConnectorDescription>')],
  ['a settings shortcut', Buffer.from('<?xml version="1.0"?><PCSettings><SearchableContent>')],
  ['a management console', Buffer.from('<?xml version="1.0"?>\n<MMC_ConsoleFile ConsoleVersion="3.0">')],
  [
    'a ClickOnce installer',
    Buffer.from('<?xml?><asmv1:assembly xmlns:asmv1="urn:schemas-microsoft-com:asm.v1"><deployment install="true">'),
  ],
  [
    'a ClickOnce reference',
    Buffer.from('https://x.example/a.application#A.app, Culture=neutral, PublicKeyToken=0, x', 'utf16le'),
  ],
  ['a Java Web Start file', Buffer.from('<?xml version="1.0"?><jnlp spec="1.0+">')],
  ['a raw disc image', rawDisc(16)],
  ['a raw disc image of mode 2', rawDisc(24)],
  ['a disk image with a partition table', at(512, Buffer.from('EFI PART'))],
  ['a floppy disk image', Buffer.concat([hex('eb3c90'), Buffer.alloc(507), hex('55aa'), Buffer.alloc(512)])],
  [
    'a volume that begins with another jump',
    Buffer.concat([hex('e9580090'), Buffer.alloc(506), hex('55aa'), Buffer.alloc(9)]),
  ],
  [
    'a disk image with partitions',
    at(446, hex('80010100 0cfeffff 00080000 00000100 00000000 00000000 00000000 00000000'), 1_024)
      .fill(0x55, 510, 511)
      .fill(0xaa, 511, 512),
  ],
  ['an encrypted Apple disk image', Buffer.from('encrcdsa\0\0\0\x02')],
  ['a sparse Apple disk image', Buffer.from('sprs\0\0\0\x03')],
  ['a Windows program compressed with KWAJ', hex('4b57414a 88f027d1 0000')],
  ['a Flatpak bundle', Buffer.from('flatpak\0\x01\0')],
  ['a VirtualBox disk image', Buffer.from('<<< Oracle VM VirtualBox Disk Image >>>\n')],
  ['a VMware disk image', Buffer.from('KDMV\x01\0\0\0')],
  ['a QEMU disk image', hex('514649fb 00000003')],
  // Regression: these were accepted too.
  ['a batch file that clears the screen', Buffer.from('cls\r\n@echo off\r\ndel x')],
  ['a batch file with a title', Buffer.from('@title Update\r\n@chcp 65001 >nul\r\n@echo off\r\n')],
  ['a batch file that clears the screen in its first line', Buffer.from('@cls & echo off\r\n')],
  ['an HTML application in VBScript', Buffer.from('<html><script language="VBScript">\nMsgBox 1')],
  ['an HTML application with an encoded script', Buffer.from("<head><SCRIPT id=x Language = 'VBScript.Encode'>#@~^")],
  ['an HTML application with the type of VBScript', Buffer.from('<body><script type=text/vbscript>')],
  [
    'an HTML application in JScript',
    Buffer.from('<html><script>new ActiveXObject("WScript.Shell").Run("calc")</script></html>'),
  ],
  ['a Flatpak reference', Buffer.from('[Flatpak Ref]\nName=x\nUrl=https://x.example/repo/')],
  ['a Flatpak repository', Buffer.from('# x\n[Flatpak Repo]\nUrl=https://x.example/repo/')],
  ['a program compressed with QBasic’s SZDD', hex('535a2088 f02733d1 0000')],
  ['the description of a VMware disk image', Buffer.from('# Disk DescriptorFile\nversion=1\n')],
  ['the table of contents of a OneNote notebook', hex('a12fff43d9ef764c9ee210ea5722765f 00')],
]

const harmless: [name: string, content: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['a PDF file', Buffer.from('%PDF-1.7\n')],
  ['a ZIP archive', hex('504b0304 1400')],
  ['a PNG image', hex('89504e47 0d0a1a0a')],
  ['a text that begins with MZ', Buffer.from('MZ;Name;Größe\r\n1;Ann;2\r\n')],
  ['a text that begins with #!', Buffer.from('#! is how a script begins')],
  ['a text about shortcuts', Buffer.from('A file begins with [InternetShortcut]')],
  ['a heading', Buffer.from('# /etc/hosts\n')],
  ['a Word document', compoundFile('0609020000000000c000000000000046')],
  ['a compound file whose directory is outside it', compoundFile('00', 0).subarray(0, 512)],
  ['a truncated compound file', hex('d0cf11e0a1b11ae1')],
  ['the first bytes of ELF later in the file', at(3, hex('7f454c46'))],
  ['a Word document in a ZIP archive', zip(word)],
  ['a workbook', zip(['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/worksheets/sheet1.xml'])],
  ['a presentation', zip(['[Content_Types].xml', 'ppt/presentation.xml'])],
  ['an OpenDocument text', zip(['mimetype', 'META-INF/manifest.xml', 'content.xml'])],
  ['an e-book', zip(['mimetype', 'META-INF/container.xml', 'OEBPS/content.opf'])],
  ['a signed container', zip(['mimetype', 'contract.pdf', 'META-INF/manifest.xml', 'META-INF/signatures0.xml'])],
  ['an archive of documents', zip(['Report.pdf', 'Payload/list.csv', 'app/src/META-INF/MANIFEST.MF', 'photos/a.jpg'])],
  ['a plain archive with lengths after its entries', zip(['a.txt', 'b.txt'], { hasLengthsAfter: true })],
  ['an archive whose directory is outside it', zip(['a.txt']).fill(0xff, 98, 102)],
  ['a GIF image', Buffer.from('GIF89a\x01\0\x01\0')],
  ['a JPEG image', hex('ffd8ffe0 00104a46 4946')],
  ['a WebP image', Buffer.from('RIFF\x24\0\0\0WEBPVP8 ')],
  ['a HEIC image', Buffer.from('\0\0\0\x18ftypheic')],
  ['a film', Buffer.from('\0\0\0\x20ftypisom')],
  ['music', hex('49443304 00')],
  ['a font', hex('00010000 0013')],
  ['an OpenType font', Buffer.from('OTTO\0\x0a')],
  ['a web font', Buffer.from('wOF2\0\x01\0\0')],
  ['a gzip archive', hex('1f8b0800')],
  ['a 7-Zip archive', hex('377abcaf271c')],
  ['a RAR archive', Buffer.from('Rar!\x1a\x07\x01\0')],
  ['a tar archive', at(257, Buffer.from('ustar'), 1_024)],
  ['an Outlook data file', Buffer.from('!BDN\0\0\0\0')],
  ['a TNEF file', hex('789f3e22 0100')],
  ['a WebAssembly module', hex('0061736d 01000000')],
  ['a SQLite database', Buffer.from('SQLite format 3\0')],
  ['a Parquet file', Buffer.from('PAR1\x15\x04')],
  ['a calendar', Buffer.from('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n')],
  ['a message', Buffer.from('From: jane@example.com\r\nSubject: x\r\n\r\n')],
  ['a table whose first column is ID', Buffer.from('ID;Preis;Menge\r\n1;2;3\r\n')],
  ['a table whose first column is FWS', Buffer.from('FWS,CWS,ZWS\n1,2,3\n')],
  ['a table whose first line has two letters', Buffer.from('ID\r\n1234c\r\n5678c\r\n')],
  ['a text whose first line has two letters', Buffer.from('Ms\r\nJanecde')],
  ['a backup of a disk without partitions', at(510, hex('55aa'), 1_024)],
  ['a heading FWS', Buffer.from('FWS\n\n\n\n\nText')],
  ['a text that begins with CWS', Buffer.from('CWS 2026 programme')],
  ['a page', Buffer.from('<!DOCTYPE html><html><body>&lt;hta:application&gt;</body></html>')],
  ['an SVG image', Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>')],
  ['an invoice in XML', Buffer.from('<?xml version="1.0"?><rsm:CrossIndustryInvoice xmlns:rsm="x">')],
  ['a payment in XML', Buffer.from('<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001">')],
  ['a list of jobs in XML', Buffer.from('<jobs><job><title>Clerk</title></job></jobs>')],
  ['a package of an e-book', Buffer.from('<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf">')],
  ['a text about batch files', Buffer.from('Begin with @echo off\nand end with exit')],
  ['a text that begins with Echo off', Buffer.from('Echo off the walls\n')],
  ['a mention', Buffer.from('@set the table please\n')],
  ['a text about the title of a page', Buffer.from('title of the page\n\necho off is a command\n')],
  ['a page with a script', Buffer.from('<html><script language="JavaScript">document.title = "VBScript"</script>')],
  ['a page for old browsers', Buffer.from('<html><script>new ActiveXObject("Microsoft.XMLHTTP")</script>')],
  ['a page about scripts', Buffer.from('<html><pre>&lt;script language="VBScript"&gt; CreateObject("WScript.Shell")')],
  ['a text about disks', Buffer.from('# Disk usage\n')],
  ['settings', Buffer.from('[General]\r\nName=x\r\n')],
  ['a Markdown text about shortcuts', Buffer.from('# Shortcuts\n\nThey begin with:\n\n[InternetShortcut]\n')],
  ['a JSON list', Buffer.from('[\n{"a": 1}\n]')],
  ['a property list', Buffer.from('<?xml version="1.0"?><!DOCTYPE plist><plist><dict><key>Name</key>')],
  ['a Java properties file', Buffer.from('#comment\nURL=x\n')],
  ['a PGP message', Buffer.from('-----BEGIN PGP MESSAGE-----\n')],
  ['a certificate', Buffer.from('-----BEGIN CERTIFICATE-----\n')],
  ['a PostScript file', Buffer.from('%!PS-Adobe-3.0\n')],
  ['a rich text', Buffer.from('{\\rtf1\\ansi')],
  ['a LaTeX text', Buffer.from('\\documentclass{article}')],
]

describe('executableContent', () => {
  for (const [name, content] of executable)
    it(`recognizes ${name}`, () => assert.notEqual(executableContent(content), null))

  for (const [name, content] of harmless)
    it(`allows ${name}`, () => assert.equal(executableContent(new Uint8Array(content)), null))
})

describe('executableContent of long content', () => {
  // Only the ends and the directory of an archive are read.
  it('is decided in a short iteration', async () => {
    const long = 25 * 2 ** 20
    const directory = zip(Array.from({ length: 60_000 }, () => 'meta-inf/manifest.mg'))
    const contents = [
      directory,
      Buffer.alloc(long, 'PK\x05\x06', 'latin1'),
      Buffer.alloc(long, at(0, hex('504b0102'), 46)),
      Buffer.alloc(long, at(0, hex('504b0304'), 30)),
      Buffer.alloc(long, '<assembly ', 'latin1'),
      Buffer.alloc(long, '<!', 'latin1'),
      Buffer.alloc(long, 'https://#', 'latin1'),
      Buffer.alloc(long, 'rem\n', 'latin1'),
      Buffer.alloc(long, '<script ', 'latin1'),
      Buffer.alloc(long, '<script createobject( language= type=', 'latin1'),
      Buffer.alloc(long, 'cls\n', 'latin1'),
      Buffer.alloc(long),
    ]
    await assertIterationsBelow(50, async () => {
      for (const content of contents) assert.equal(executableContent(content), null)
    })
  })
})
