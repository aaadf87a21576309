import type { LucideIcon } from 'lucide-react'

/** One entry of the palette. */
export type Command = {
  /** Identifies an entry whose name others can have; absent: no other entry has its name. */
  id?: string
  name: string
  icon: LucideIcon
  /** What a found record is, such as “Domain”. */
  kind?: string
  words?: string
  keys?: string
  /** Whether it is shown for every text, because it is made from the text. */
  isAboutText?: boolean
  run: () => void
}
