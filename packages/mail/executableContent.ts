import { executableArchive } from './executableArchives.ts'
import { executableText } from './executableTexts.ts'

/*
 * Recognizes files that can run when they are opened, by their first and last bytes and, of ZIP archives, by the names
 * of their entries. Nothing is unpacked: a program in a plain archive is not recognized. Scripts without a mark of
 * their own, such as JavaScript, are recognized by name only, and so is WebAssembly, which no system runs when it is
 * opened.
 */

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
  ['3f5f0300', 'a Windows help file'],
  ['4d534346', 'a cabinet archive'],
  ['edabeedb', 'an RPM package'],
  ['213c617263683e0a64656269616e', 'a Debian package'],
  ['7668647866696c65', 'a disk image'],
  ['4b444d56', 'a disk image'],
  ['514649fb', 'a disk image'],
  ['4d5357494d000000', 'a disk image'],
  ['68737173', 'a disk image'],
  ['656e637263647361', 'a disk image'],
  ['7370727300000003', 'a disk image'],
  ['46617364554153', 'a compiled script'],
  ['23407e5e', 'an encoded script'],
  ['535a4444', 'a compressed program'],
  ['535a2088f02733d1', 'a compressed program'],
  ['4b57414a88f027d1', 'a compressed program'],
  ['666c617470616b00', 'a Flatpak bundle'],
  ['e4525c7b8cd8a74daeb15378d02996d3', 'a OneNote section'],
  ['a12fff43d9ef764c9ee210ea5722765f', 'a OneNote table of contents'],
  // A property list whose only key is URL.
  ['62706c6973743030d101025355524c', 'a shortcut'],
]

const maxSignatureLength = 16

const hasText = (content: Buffer, text: string, at: number): boolean =>
  at >= 0 && content.toString('latin1', at, at + text.length) === text

/** A text may begin with the letters `MZ`; a DOS or Windows program has other bytes in its header. */
const isWindowsProgram = (content: Buffer): boolean =>
  (hasText(content, 'MZ', 0) || hasText(content, 'ZM', 0)) &&
  /[^\t\n\r -~\x80-\xff]/.test(content.toString('latin1', 0, 64))

/** SWF File Format Specification 19, The SWF header: the version, and a length that text at this offset exceeds. */
const isFlashProgram = (content: Buffer): boolean =>
  content.length >= 8 &&
  /^[FCZ]WS/.test(content.toString('latin1', 0, 3)) &&
  content.readUInt8(3) <= 64 &&
  content.readUInt32LE(4) < 0x09_00_00_00

/**
 * Compiled Python: a version and CR LF. Since 3.7 (PEP 552) flags from 0 to 3 follow, before that the time of the
 * source, and since 3.3 its size, before the code of a module without arguments (Python/marshal.c).
 */
const isPythonProgram = (content: Buffer): boolean =>
  content.length >= 8 &&
  content.readUInt16BE(2) === 0x0d0a &&
  (content.readUInt32LE(4) <= 3 || [8, 12].some((at) => moduleCode.test(content.toString('hex', at, at + 5))))

/** The type of a code object, whose highest bit marks a reference, and the number of arguments. */
const moduleCode = /^[6e]300000000$/

/**
 * The class of the root entry of a Windows Installer file: package, transform or patch. Office documents have others.
 */
const installerClass = /^8[246]100c0000000000c000000000000046$/

/** [MS-CFB] §2.2, §2.6.1: the header has the sector of the directory, whose first entry is the root. */
const isWindowsInstaller = (content: Buffer): boolean => {
  if (content.length < 512 || content.toString('hex', 0, 8) !== 'd0cf11e0a1b11ae1') return false
  const sectorBytes = 2 ** Math.min(content.readUInt16LE(30), 16)
  const entry = (content.readUInt32LE(48) + 1) * sectorBytes
  return installerClass.test(content.toString('hex', entry + 80, entry + 96))
}

/** Marks of disk images, each with its offset; below zero: from the end. */
const imageMarks: readonly (readonly [text: string, at: number])[] = [
  // ECMA-119 §8.1.2 and ECMA-167 2/9.2, in sector 16: of 2,048 bytes, and of 2,352 bytes after their header (ECMA-130
  // §14).
  ...['CD001', 'BEA01', 'NSR02', 'NSR03'].flatMap((text) =>
    [32_769, 37_649, 37_657].map((at): [string, number] => [text, at]),
  ),
  ['conectix', 0],
  ['conectix', -512],
  // The last sector of a fixed disk may have 511 bytes.
  ['conectix', -511],
  ['koly', 0],
  ['koly', -512],
  ['EFI PART', 512],
  ['\x7f\x10\xda\xbe', 64],
]

/**
 * The boot sector of a FAT or NTFS volume, which begins with a jump, or of a disk with partitions; a mark is at the end
 * of both.
 */
const isBootSector = (content: Buffer): boolean =>
  content.length > 512 &&
  content.readUInt16BE(510) === 0x55aa &&
  (content[0] === 0xe9 || (content[0] === 0xeb && content[2] === 0x90) || hasPartitions(content))

/**
 * The table of a master boot record (UEFI §5.2.1): four entries, each active or not, of which one has a type, a start
 * and a length.
 */
const hasPartitions = (content: Buffer): boolean => {
  const entries = [446, 462, 478, 494].map((at) => content.subarray(at, at + 16))
  const isUsed = (entry: Buffer): boolean => entry[4] !== 0 && entry.readUInt32LE(8) > 0 && entry.readUInt32LE(12) > 0
  return entries.every(([status = 0]) => (status & 0x7f) === 0) && entries.some(isUsed)
}

/** Marks of Apple and Microsoft disk images, of optical discs and of virtual machines. */
const isDiskImage = (content: Buffer): boolean =>
  imageMarks.some(([text, at]) => hasText(content, text, at < 0 ? content.length + at : at)) || isBootSector(content)

/** Returns what kind of executable file the content is, as `an ELF program`; null: none of the known ones. */
export const executableContent = (bytes: Uint8Array): string | null => {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = content.toString('hex', 0, maxSignatureLength)
  const known = signatures.find(([signature]) => first.startsWith(signature))
  if (known) return known[1]
  if (isWindowsProgram(content)) return 'a Windows program'
  if (isFlashProgram(content)) return 'a Flash program'
  if (isPythonProgram(content)) return 'a compiled script'
  if (isWindowsInstaller(content)) return 'a Windows Installer package'
  if (isDiskImage(content)) return 'a disk image'
  return executableText(content) ?? executableArchive(content)
}
