import { Check, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'

/** A menu that opens at its trigger. */
export const Menu = ({
  trigger,
  label,
  align = 'end',
  children,
}: {
  trigger: ReactNode
  label?: string
  align?: 'start' | 'end'
  children: ReactNode
}) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align={align}
        sideOffset={6}
        collisionPadding={8}
        {...(label !== undefined && { 'aria-label': label })}
        className="z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 overflow-y-auto rounded-lg bg-surface p-1 shadow-float"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
)

const item =
  'flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-small outline-none data-disabled:text-faint data-highlighted:bg-hover'

export const MenuItem = ({
  icon: Icon,
  danger = false,
  disabled = false,
  onSelect,
  children,
}: {
  icon?: LucideIcon
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
  children: ReactNode
}) => (
  <DropdownMenu.Item className={danger ? `${item} text-bad` : item} disabled={disabled} onSelect={onSelect}>
    {Icon && <Icon aria-hidden className="size-4 shrink-0" />}
    {children}
  </DropdownMenu.Item>
)

/** A menu item that is a link. */
export const MenuLink = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Item asChild className={item}>
    {children}
  </DropdownMenu.Item>
)

/** A choice of one of several values. */
export const MenuChoices = <Value extends string>({
  label,
  value,
  onChange,
  choices,
}: {
  label: string
  value: Value
  onChange: (value: Value) => void
  choices: readonly { value: Value; label: ReactNode }[]
}) => (
  <DropdownMenu.RadioGroup value={value} onValueChange={(chosen) => onChange(chosen as Value)} aria-label={label}>
    {choices.map((choice) => (
      <DropdownMenu.RadioItem key={choice.value} value={choice.value} className={item}>
        <span className="flex min-w-0 flex-1 items-center gap-2">{choice.label}</span>
        <DropdownMenu.ItemIndicator>
          <span aria-hidden className="block size-1.5 rounded-full bg-ink" />
        </DropdownMenu.ItemIndicator>
      </DropdownMenu.RadioItem>
    ))}
  </DropdownMenu.RadioGroup>
)

/** A value that is chosen or not. The menu stays open, so that several can be chosen. */
export const MenuCheck = ({
  checked,
  onChange,
  children,
}: {
  checked: boolean
  onChange: (checked: boolean) => void
  children: ReactNode
}) => (
  <DropdownMenu.CheckboxItem
    checked={checked}
    onCheckedChange={onChange}
    onSelect={(event) => event.preventDefault()}
    className={item}
  >
    <span className="flex size-4 shrink-0 items-center justify-center">
      <DropdownMenu.ItemIndicator>
        <Check aria-hidden className="size-4" />
      </DropdownMenu.ItemIndicator>
    </span>
    {children}
  </DropdownMenu.CheckboxItem>
)

export const MenuHeading = ({ children }: { children: ReactNode }) => (
  <DropdownMenu.Label className="px-2 pt-2 pb-1 text-tiny text-faint">{children}</DropdownMenu.Label>
)

export const MenuSeparator = () => <DropdownMenu.Separator className="-mx-1 my-1 h-px bg-line" />
