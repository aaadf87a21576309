const kib = 1_024

/** Returns a size for people: `812 bytes`, `3 KiB`, `4.2 MiB`, `1.5 GiB`. Kibibytes are rounded up. */
export const sizeText = (bytes: number): string => {
  if (bytes < kib) return `${bytes} bytes`
  const kibs = Math.ceil(bytes / kib)
  if (kibs < kib) return `${kibs} KiB`
  const mibs = kibs / kib
  // What would be rounded to 1,024 MiB is 1 GiB.
  return mibs < kib - 0.05 ? `${mibs.toFixed(1)} MiB` : `${(mibs / kib).toFixed(1)} GiB`
}
