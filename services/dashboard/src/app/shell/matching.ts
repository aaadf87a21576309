import type { Command } from './command.ts'

/** Returns the commands that contain every typed word; those whose name begins with the text are first. */
export const matching = (commands: readonly Command[], text: string): readonly Command[] => {
  const wanted = text.trim().toLowerCase()
  const typed = wanted.split(/\s+/).filter(Boolean)
  const found = commands.filter(({ name, words = '', isAboutText }) => {
    const known = `${name} ${words}`.toLowerCase()
    return isAboutText || typed.every((word) => known.includes(word))
  })
  const isNamed = ({ name }: Command): boolean => name.toLowerCase().startsWith(wanted)
  return [...found.filter(isNamed), ...found.filter((command) => !isNamed(command))]
}
