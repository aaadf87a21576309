import type { Operation } from './document.ts'

/* One request of the fuzz test, and what its response must be. */

/**
 * - `done`: it succeeds.
 * - `valid`: its form is right, so it is refused for its meaning at most. `mayHaveEnded`: an earlier request may have
 *   ended the session or the workspace of its caller.
 * - `refused`: it has one of these statuses, and one of these codes if there are any.
 * - `reported`: it is accepted, and each of its results is a refusal.
 * - `hidden`: it names a record of another workspace, and its response is the one at `twinPath`, whose ids do not
 *   exist. That may be a refusal of its body, which comes before the id is looked up.
 * - `documented`: any response that the document names.
 */
export type Expected =
  | { kind: 'done' }
  | { kind: 'valid'; mayHaveEnded?: boolean }
  | { kind: 'refused'; statuses: readonly number[]; codes?: readonly string[]; allow?: string }
  | { kind: 'reported' }
  | { kind: 'hidden'; twinPath: string }
  | { kind: 'documented' }

export type FuzzRequest = {
  /** What was tried, for people: `wrong query`. */
  name: string
  /** Null: the path or the method is not in the document. */
  operation: Operation | null
  method: string
  /** With its query. */
  path: string
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array
  expected: Expected
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Printable ASCII is readable in a shell; everything else is written in base64. */
const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Returns a line for a shell that makes a request. */
export const curlLine = (baseUrl: string, { method, path, headers, body }: FuzzRequest): string => {
  const url = `${baseUrl.replace(/\/$/, '')}${path}`
  const lines = Object.entries(headers).flatMap(([name, value]) => [
    '-H',
    // An empty value needs a semicolon; without one curl removes the header.
    quoted(value === '' ? `${name};` : `${name}: ${value}`),
  ])
  const how = method === 'HEAD' ? ['--head'] : ['-X', method]
  const curl = ['curl', '-sSi', '--path-as-is', '--globoff', ...how, quoted(url), ...lines]
  if (body === undefined) return curl.join(' ')
  const bytes = Buffer.from(body)
  if (typeof body === 'string' && isPlain(body)) return [...curl, '--data-binary', quoted(body)].join(' ')
  return [`base64 -d <<< ${bytes.toString('base64')} |`, ...curl, '--data-binary', '@-'].join(' ')
}
