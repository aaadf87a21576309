import assert from 'node:assert/strict'
import { executableContent } from './executables.ts'

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
]

describe('executableContent', () => {
  for (const [name, content] of executable)
    it(`recognises ${name}`, () => assert.notEqual(executableContent(content), null))

  for (const [name, content] of harmless)
    it(`allows ${name}`, () => assert.equal(executableContent(new Uint8Array(content)), null))
})
