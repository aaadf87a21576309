/**
 * B-tree pages of the SQLite file format, by their first byte, with the bytes of their headers. Other pages begin
 * with 0.
 */
const headerBytes = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
])

/** The first page begins with the header of the file. */
const fileHeaderBytes = 100

/**
 * Returns the unused space of each page of a SQLite file, between its pointers and its cells: [from, to). Without the
 * blocks that deleted cells leave between others, which `secure_delete` overwrites. See
 * https://sqlite.org/fileformat2.html#b_tree_pages.
 */
export const unusedSpace = (file: Buffer): [from: number, to: number][] => {
  const found: [number, number][] = []
  const pageBytes = file.readUInt16BE(16)
  for (let page = 0; page < file.length; page += pageBytes) {
    const header = page === 0 ? fileHeaderBytes : page
    const ofType = headerBytes.get(file.readUInt8(header))
    if (ofType === undefined) continue
    const [cells, content] = [file.readUInt16BE(header + 3), file.readUInt16BE(header + 5)]
    found.push([header + ofType + 2 * cells, page + content])
  }
  return found
}
