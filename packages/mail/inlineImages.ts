import type { Steps } from './steps.ts'

/** A file of a message that its HTML part may show. */
export type InlineImage = { contentId: string; contentType: string; content: Uint8Array }

/** Images without scripts, links and further files. */
const shownTypes: ReadonlySet<string> = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/webp'])

/** Most bytes of the images of one message that are shown together. */
const mostBytes = 4 * 2 ** 20

/** Returns the images that the HTML part of a message may show, while they are at most 4 MiB together. */
export const inlineImages = <File extends { contentId?: string | null; contentType: string; content: Uint8Array }>(
  files: readonly File[],
): File[] => {
  let left = mostBytes
  return files.filter(({ contentId, contentType, content }) => {
    const isShown = !!contentId && shownTypes.has(contentType.toLowerCase()) && content.byteLength <= left
    if (isShown) left -= content.byteLength
    return isShown
  })
}

/** A `cid:` URL (RFC 2392 §2) in an attribute or in `url()`. Text that a reader sees has another character before it. */
const cidUrl = /(?<=["'=(]\s{0,8})cid:([^"'\s)>]{1,512})/gi

const idOf = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns HTML with the images of its message in place of their `cid:` URLs. Those of other files stay. */
export function* withInlineImages(markup: string, images: readonly InlineImage[]): Steps<string> {
  const byId = new Map(images.map((image) => [image.contentId, image]))
  const parts: string[] = []
  let end = 0
  for (const found of byId.size === 0 ? [] : markup.matchAll(cidUrl)) {
    const image = byId.get(idOf(found[1] ?? ''))
    if (image === undefined) continue
    parts.push(markup.slice(end, found.index), dataUrl(image))
    end = found.index + found[0].length
    yield
  }
  return parts.join('') + markup.slice(end)
}

const dataUrl = ({ contentType, content }: InlineImage): string =>
  `data:${contentType.toLowerCase()};base64,${Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64')}`
