import { decodings, executableExtension, isExecutableType } from './executables.ts'
import { hasEncodedWord, isDrawn, nameProblem, type TextProblem, textProblem } from './text.ts'

const maxFilenameLength = 255

/** Parameters that name a file or divide a message, in every spelling of RFC 2231 §3 and §4. */
const namingParameter = /;\s*(?:(?:file)?name|boundary)(?:\*\d*)?\*?\s*=/i
/**
 * A comment in front of a parameter or behind its name. Comments nest (RFC 5322 §3.2.2), so their end is not searched.
 */
const commentInParameter = /;\s*(?:(?:(?:file)?name|boundary)[*\d\s]{0,20})?\(/i
const namingBehindComment = /(?<![\w-])(?:(?:file)?name|boundary)[^=;]{0,200}=/i

/** Whether programs may read a parameter in a text that names a file or divides a message, also with comments in it. */
const hasNamingParameter = (text: string): boolean => {
  if (namingParameter.test(text)) return true
  const at = text.search(commentInParameter)
  return at >= 0 && namingBehindComment.test(text.slice(at))
}

/**
 * Returns the name of an attachment without its folders, or its problem: a name must not choose where the receiver
 * writes the file, look like another name, or belong to an executable file.
 */
export const attachmentName = (filename: string): { ok: true; name: string } | ({ ok: false } & TextProblem) => {
  if (filename.length > 4 * maxFilenameLength)
    return badName(`A file name has at most ${maxFilenameLength} characters.`)
  const problem = nameProblem(filename)
  if (problem) return { ok: false, ...problem }
  const given = spellingsOf(filename)
  if (given.some(hasEncodedWord)) {
    return badName('A file name must not contain an encoded word (=?…?=); send the name as plain UTF-8.')
  }
  if (given.some(hasNamingParameter)) {
    return badName('A file name must not contain a name, filename or boundary parameter; send the name alone.')
  }
  const name = filename.slice(Math.max(filename.lastIndexOf('/'), filename.lastIndexOf('\\')) + 1).trim()
  if (/^\.*$/.test(name) || !isDrawn(name)) return badName('An attachment needs a file name.')
  if (spellingsOf(name).some((text) => parentFolder.test(text)))
    return badName('A file name must not have “..” as a folder.')
  if ([...name].length > maxFilenameLength) return badName(`A file name has at most ${maxFilenameLength} characters.`)
  const extension = executableExtension(name)
  return extension === null ? { ok: true, name } : { ok: false, ...executable(extension) }
}

/**
 * Returns a name as programs read it that decode percent-encoded names, in the compatible spelling: some programs read
 * `／` as a separator.
 */
const spellingsOf = (name: string): string[] => decodings(name).map((text) => text.normalize('NFKC'))

const parentFolder = /(?:^|[/\\])\.\.(?:[/\\]|$)/

const badName = (message: string) => ({ ok: false, code: 'invalid_filename', message }) as const

/** Returns the problem of an executable file. @param what its extension, media type or format */
export const executable = (what: string): TextProblem => ({
  code: 'executable_attachment',
  message: `Files of this type (${what}) can run, so receivers refuse them; attach another type of file.`,
})

/**
 * RFC 2045 §5.1: tokens, and parameters of tokens or quoted strings. A type with `*` names a range, not the type of a
 * file.
 */
const mediaType =
  /^[\w!#$%&'+.^`{|}~-]+\/[\w!#$%&'+.^`{|}~-]+(?: ?; ?[\w!#$%&'+.^`{|}~-]+=(?:[\w!#$%&'*+.^`{|}~-]+|"[ !#-[\]-~]*"))*$/

/** RFC 2045 §6.4: these cannot be in base64, and a receiver would parse their content as a part of the message. */
export const isComposite = (type: string): boolean => /^(?:multipart|message)\//i.test(type)

/** Returns the problem of an attachment's media type; null: none. */
export const checkContentType = (contentType: string): TextProblem | null => {
  const invalid = (message: string) => ({ code: 'invalid_content_type', message })
  if (contentType.length > 255) return invalid('A media type must be at most 255 characters.')
  const problem = textProblem(contentType)
  if (problem) return problem
  if (hasEncodedWord(contentType)) return invalid('A media type must not contain an encoded word (=?…?=).')
  if (hasNamingParameter(contentType)) return namingProblem(contentType) ?? invalid(noNaming)
  if (!mediaType.test(contentType)) return invalid('This is not a media type such as application/pdf.')
  const names = [...contentType.matchAll(parameterName)].map(([, name = '']) => name.toLowerCase())
  if (new Set(names).size < names.length) return invalid('A media type must not repeat a parameter.')
  if (isComposite(contentType)) {
    return invalid(
      'Messages and multipart bodies cannot be attached under their own type; use application/octet-stream.',
    )
  }
  const [type = ''] = contentType.split(';', 1)
  if (isExecutableType(type.trim())) return executable(type.trim())
  const named = [...contentType.matchAll(parameterValue)]
    .map(([, quoted, token = '']) => quoted ?? token)
    .find(namesExecutable)
  return named === undefined ? null : executable(named)
}

/** The name and the value of a parameter, of a media type that `mediaType` accepts. */
const parameterName = /; ?([^\s=;"]+)=(?:"[^"]*"|[^\s;"]+)/g
const parameterValue = /=(?:"([^"]*)"|([^\s;"]+))/g
/** A URL or an address: its end is a domain, such as one below `.com`. */
const reference = /:\/\/|@/

/** Whether some programs would save the file under a name or a type that can run. */
const namesExecutable = (value: string): boolean =>
  isExecutableType(value.trim()) || (!reference.test(value) && executableExtension(value) !== null)

const noNaming = 'A media type must not have a name, filename or boundary parameter; use the field filename.'

/** Returns the problem of a parameter that names an executable file; null: it names another file. */
const namingProblem = (contentType: string): TextProblem | null => {
  const [, value = ''] = /name(?:\*\d*)?\*?\s*=\s*"?([^";]*)/i.exec(contentType) ?? []
  const extension = executableExtension(value)
  return extension === null ? null : executable(extension)
}

/** RFC 2392 §2: an addr-spec, as `cid:` URLs in the HTML contain it. A word without a domain is common and works. */
const contentIdShape = /^[\w!#$%&'*+/=?^`{|}~.@-]{1,128}$/

/** Returns the problem of an inline attachment's Content-ID, written without angle brackets; null: none. */
export const checkContentId = (contentId: string): TextProblem | null => {
  if (contentIdShape.test(contentId) && !hasEncodedWord(contentId)) return null
  const problem = contentId.length > 128 ? null : textProblem(contentId)
  return (
    problem ?? {
      code: 'invalid_content_id',
      message: 'A content_id has 1 to 128 characters: letters, digits, . _ - @ + and the like, no angle brackets.',
    }
  )
}
