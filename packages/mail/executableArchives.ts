/*
 * Recognizes ZIP archives that a system opens as a program: Java, Android, iOS, Windows and browsers. Only the names of
 * the entries are read, from the central directory; documents that are ZIP archives have other names.
 */

/**
 * Names of entries in lower case, as readers compare them: JAR File Specification, Android, MSIX, WebExtensions, Adobe
 * AIR.
 */
const entries: ReadonlyMap<string, string> = new Map([
  ['meta-inf/manifest.mf', 'a Java archive'],
  ['androidmanifest.xml', 'an Android package'],
  ['classes.dex', 'an Android package'],
  ['bundleconfig.pb', 'an Android package'],
  ['appxmanifest.xml', 'a Windows app package'],
  ['appxmetadata/appxbundlemanifest.xml', 'a Windows app package'],
  ['extension.vsixmanifest', 'an installer'],
  ['meta-inf/air/application.xml', 'an installer'],
  ['appmanifest.xaml', 'a Silverlight program'],
  ['gadget.xml', 'a gadget'],
  ['install.rdf', 'a browser extension'],
  ['meta-inf/mozilla.rsa', 'a browser extension'],
])

const lengths: ReadonlySet<number> = new Set([...entries.keys()].map((name) => name.length))
/** The folder of an iOS program. */
const iosProgram = /^payload\/[^/]{1,100}\.app\//
/** Lengths of the start of an entry that shows this folder, and of that start as it is read. */
const [shortestIos, longestIos] = ['payload/a.app/'.length, 128]

/** APPNOTE.TXT of PKWARE, §4.3.7, §4.3.12, §4.3.14 to §4.3.16: signatures and lengths of the records. */
const [localHeader, directoryEntry] = [0x04034b50, 0x02014b50]
const endRecord = 'PK\x05\x06'
const [localBytes, entryBytes, endBytes, maxCommentLength] = [30, 46, 22, 65_535]
const [record64, record64Bytes, locatorSignature, locatorBytes] = [0x06064b50, 56, 0x07064b50, 20]

/**
 * Maximum number of entries that are read, as many as an archive without ZIP64 has, and maximum number of names that
 * are compared.
 */
const [maxEntries, maxNames] = [65_535, 2_000]
/** Maximum number of end records that are tried: their signature may be part of a comment. */
const maxEndRecords = 16

/** Whether a name of this length may be one of those above: reading every name would take too long. */
const isCandidate = (content: Buffer, at: number, length: number): boolean =>
  lengths.has(length) || (length >= shortestIos && ((content[at] ?? 0) | 0x20) === 0x70)

/** Returns what kind of program an entry of this name makes of its archive; undefined: none. */
const programOf = (content: Buffer, at: number, length: number): string | undefined => {
  const path = content
    .toString('latin1', at, at + Math.min(length, longestIos))
    .replaceAll('\\', '/')
    .toLowerCase()
  return entries.get(path) ?? (iosProgram.test(path) ? 'an iOS program' : undefined)
}

/**
 * Yields where the central directory may begin, as the record of ZIP64 before an end record has it (§4.3.14, §4.3.15).
 */
function* starts64(content: Buffer, end: number): Generator<number> {
  const locator = end - locatorBytes
  if (locator < 0 || content.readUInt32LE(locator) !== locatorSignature) return
  // After a prefix the stored offset of the record is wrong; usually the record ends where its locator begins.
  for (const record of [Number(content.readBigUInt64LE(locator + 8)), locator - record64Bytes]) {
    if (record < 0 || record + record64Bytes > locator || content.readUInt32LE(record) !== record64) continue
    yield record - Number(content.readBigUInt64LE(record + 40))
    yield Number(content.readBigUInt64LE(record + 48))
  }
}

/**
 * Yields where the central directory may begin. Programs differ: some read its offset, others its length, because the
 * offset does not count what precedes the archive, such as a program that unpacks it.
 */
function* startsOf(content: Buffer): Generator<number> {
  const first = Math.max(0, content.length - endBytes - maxCommentLength)
  const tail = content.subarray(first)
  let at = content.length - endBytes
  for (let tries = 0; tries < maxEndRecords && at >= first; tries++, at--) {
    at = first + tail.lastIndexOf(endRecord, at - first, 'latin1')
    if (at < first) return
    yield at - content.readUInt32LE(at + 12)
    yield content.readUInt32LE(at + 16)
    yield* starts64(content, at)
  }
}

/** Offsets of the name of an entry and of the next entry; null: this was the last one. */
type Entry = { name: number; length: number; next: number | null }

/** Returns the entry at an offset; null: there is none. */
type ReadEntry = (content: Buffer, at: number) => Entry | null

const inDirectory: ReadEntry = (content, at) => {
  if (at < 0 || at + entryBytes > content.length || content.readUInt32LE(at) !== directoryEntry) return null
  const [name, length] = [at + entryBytes, content.readUInt16LE(at + 28)]
  return { name, length, next: name + length + content.readUInt16LE(at + 30) + content.readUInt16LE(at + 32) }
}

/** Reads the files themselves, as programs do that read an archive as a stream. */
const inFiles: ReadEntry = (content, at) => {
  if (at + localBytes > content.length || content.readUInt32LE(at) !== localHeader) return null
  const [name, length] = [at + localBytes, content.readUInt16LE(at + 26)]
  const isSizeKnown = (content.readUInt16LE(at + 6) & 8) === 0
  const next = name + length + content.readUInt16LE(at + 28) + content.readUInt32LE(at + 18)
  return { name, length, next: isSizeKnown ? next : null }
}

/** What may still be read of an archive. */
type Budget = { entries: number; names: number }

const search = (content: Buffer, start: number, read: ReadEntry, budget: Budget): string | null => {
  let at: number | null = start
  while (at !== null && budget.entries-- > 0 && budget.names > 0) {
    const entry = read(content, at)
    if (entry === null) break
    at = entry.next
    if (!isCandidate(content, entry.name, entry.length)) continue
    budget.names--
    const found = programOf(content, entry.name, entry.length)
    if (found !== undefined) return found
  }
  return null
}

/** Returns what kind of program a ZIP archive is, as `a Java archive`; null: it is none, or not an archive. */
export const executableArchive = (content: Buffer): string | null => {
  if (content.length < endBytes) return null
  const budget = { entries: maxEntries, names: maxNames }
  for (const start of new Set(startsOf(content))) {
    const found = search(content, start, inDirectory, budget)
    if (found !== null) return found
  }
  return search(content, 0, inFiles, { entries: maxEntries, names: maxNames })
}
