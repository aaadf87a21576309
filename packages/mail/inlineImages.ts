import { bufferOf } from './bytes.ts'
import { decodedOrSame } from './decodedOrSame.ts'
import type { Steps } from './steps.ts'

/** A file of a message that its HTML part may show. */
export type InlineImage = { contentId: string; contentType: string; content: Uint8Array }

/** Images without scripts, links and further files. */
const shownTypes: ReadonlySet<string> = new Set(['image/gif', 'image/jpeg', 'image/png', 'image/webp'])

/** Maximum number of bytes of the images of one message that are shown together. */
const maxBytes = 4 * 2 ** 20

/** Returns the images that the HTML part of a message may show, while they are at most 4 MiB together. */
export const inlineImages = <File extends { contentId?: string | null; contentType: string; content: Uint8Array }>(
  files: readonly File[],
): File[] => {
  let left = maxBytes
  return files.filter(({ contentId, contentType, content }) => {
    const isShown = !!contentId && shownTypes.has(contentType.toLowerCase()) && content.byteLength <= left
    if (isShown) left -= content.byteLength
    return isShown
  })
}

/**
 * A `cid:` URL (RFC 2392 §2) in an attribute or in `url()`. Text that a reader sees has another character before it.
 */
const cidUrl = /(?<=["'=(]\s{0,8})cid:([^"'\s)>]{1,512})/gi

/**
 * Maximum number of characters of `data:` URLs in one page: a message may name one image in each of 100,000 elements.
 */
const maxCharacters = 8 * 2 ** 20

/** URLs that are compared with those of the images between two pauses. */
const urlsPerStep = 500

/**
 * Returns HTML, in parts, with the images of its message in place of their `cid:` URLs. Those of other files stay, and
 * those that would make the page too long.
 */
export function* withInlineImages(markup: string, images: readonly InlineImage[]): Steps<string[]> {
  const byId = new Map(images.map((image) => [image.contentId, image]))
  const urls = new Map<InlineImage, string>()
  const parts: string[] = []
  let [end, seen, left] = [0, 0, maxCharacters]
  for (const found of byId.size === 0 ? [] : markup.matchAll(cidUrl)) {
    seen += 1
    if (seen % urlsPerStep === 0) yield
    const image = byId.get(decodedOrSame(found[1] ?? ''))
    if (image === undefined) continue
    const known = urls.get(image)
    const url = known ?? dataUrl(image)
    if (known === undefined) {
      urls.set(image, url)
      yield
    }
    if (url.length > left) continue
    left -= url.length
    parts.push(markup.slice(end, found.index), url)
    end = found.index + found[0].length
  }
  parts.push(markup.slice(end))
  return parts
}

const dataUrl = ({ contentType, content }: InlineImage): string =>
  `data:${contentType.toLowerCase()};base64,${bufferOf(content).toString('base64')}`
