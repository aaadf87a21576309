// Apart from attachments.ts, whose rules the dashboard contains without this table.
import mime from 'mime'
import { isComposite } from './attachments.ts'
import { extensionOf, isExecutableType } from './executables.ts'

/**
 * Returns the media type for a file name; `application/octet-stream` for an unknown extension, and for saved messages
 * (`.eml`, `.mht` and the like), which have a composite type (RFC 2046 §5.2.1), and for names whose type would be
 * refused.
 */
export const contentTypeOf = (filename: string): string => {
  const type = mime.getType(extensionOf(filename))
  return type === null || isComposite(type) || isExecutableType(type) ? 'application/octet-stream' : type
}
