import type { ReactNode } from 'react'
import { Mark } from '../../app/shell/Mark.tsx'
import { useTabTitle } from '../../ui/useTabTitle.ts'

/** The frame of the screens before the login. */
export const AccountPage = ({
  title,
  intro,
  footer,
  children,
}: {
  title: string
  intro?: ReactNode
  footer?: ReactNode
  children: ReactNode
}) => {
  useTabTitle(title)
  return (
    <main className="flex min-h-dvh flex-col items-center px-4 pt-[12vh] pb-12">
      <div className="w-full max-w-88">
        <Mark className="size-10" />
        <h1 className="mt-6 text-display font-semibold">{title}</h1>
        {intro && <p className="mt-1 text-muted">{intro}</p>}
        <div className="mt-7">{children}</div>
        {footer && <p className="mt-6 text-small text-muted">{footer}</p>}
      </div>
    </main>
  )
}

/** Classes of a link in a text. */
export const textLink = 'font-medium text-ink underline decoration-edge/60 underline-offset-3 hover:decoration-ink'
