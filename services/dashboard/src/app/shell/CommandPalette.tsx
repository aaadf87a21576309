import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useId, useState } from 'react'
import { classes } from '../../ui/classes.ts'
import type { Command } from './command.ts'

/** What the palette finds for a typed text. */
type UseCommands = (text: string) => readonly Command[]

/** Finds every screen and action by a part of its name. */
export const CommandPalette = ({
  useCommands,
  open,
  onClose,
}: {
  useCommands: UseCommands
  open: boolean
  onClose: () => void
}) => (
  <Dialog.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Dialog.Portal>
      <Dialog.Overlay className="overlay fixed inset-0 z-40" />
      <Dialog.Content
        data-modal
        aria-describedby={undefined}
        className="fixed top-[10vh] left-1/2 z-40 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-xl bg-surface shadow-float outline-none"
      >
        <Dialog.Title className="sr-only">Search</Dialog.Title>
        <Palette useCommands={useCommands} onClose={onClose} />
      </Dialog.Content>
    </Dialog.Portal>
  </Dialog.Root>
)

const Palette = ({ useCommands, onClose }: { useCommands: UseCommands; onClose: () => void }) => {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const found = matching(useCommands(text), text)
  const active = Math.min(chosen, found.length - 1)
  const run = (index: number) => {
    const command = found[index]
    if (!command) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((active + step + found.length) % Math.max(found.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(active)
    }
  }
  return (
    <>
      <input
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setChosen(0)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        aria-label="Search screens, actions and emails"
        placeholder="Search screens, actions and emails…"
        autoComplete="off"
        spellCheck={false}
        className="h-13 shrink-0 border-b border-line bg-transparent px-4 text-lead outline-none"
      />
      <div id={`${id}-list`} role="listbox" aria-label="Results" className="min-h-24 overflow-y-auto p-2">
        {found.map((command, index) => {
          const { icon: Icon } = command
          return (
            // The input has the focus and handles the keys, as aria-activedescendant requires.
            // biome-ignore lint/a11y/useKeyWithClickEvents: see above
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              key={command.id ?? command.name}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              ref={(element) => {
                if (index === active) element?.scrollIntoView({ block: 'nearest' })
              }}
              onClick={() => run(index)}
              onPointerMove={() => setChosen(index)}
              className={classes(
                'flex h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 text-body',
                index === active && 'bg-hover',
              )}
            >
              <Icon aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1 truncate">{command.name}</span>
              {command.kind && <span className="text-tiny text-faint">{command.kind}</span>}
              {command.keys && <kbd className="font-sans text-tiny text-faint">{command.keys}</kbd>}
            </div>
          )
        })}
        {found.length === 0 && <p className="px-2.5 py-6 text-center text-muted">Nothing matches “{text}”.</p>}
      </div>
    </>
  )
}

/** Returns the commands that contain every typed word; those whose name begins with the text are first. */
const matching = (commands: readonly Command[], text: string): readonly Command[] => {
  const wanted = text.trim().toLowerCase()
  const typed = wanted.split(/\s+/).filter(Boolean)
  const found = commands.filter(({ name, words = '', isAboutText }) => {
    const known = `${name} ${words}`.toLowerCase()
    return isAboutText || typed.every((word) => known.includes(word))
  })
  const isNamed = ({ name }: Command): boolean => name.toLowerCase().startsWith(wanted)
  return [...found.filter(isNamed), ...found.filter((command) => !isNamed(command))]
}
