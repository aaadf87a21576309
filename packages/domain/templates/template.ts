/** Value in place of a version that stands for the newest one. */
export const newestVersion = 0

/** One version of a template. `createdAt` is the time of the first version, `updatedAt` that of this one. */
export type Template = {
  id: string
  name: string
  /** A second name, unique in the workspace; absent: none. */
  alias?: string
  subject: string
  htmlBody: string | null
  textBody: string | null
  /** Names of the placeholders, in order of appearance. */
  variables: string[]
  /** Advice on the content. Absent: there is none, or release 0.1 stored the version. */
  notices?: string[]
  version: number
  createdAt: number
  updatedAt: number
}
