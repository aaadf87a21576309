import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import { useTabTitle } from './useTabTitle.ts'

/**
 * A screen: its heading, its main actions, its content. It sets the title of the browser's tab.
 * @param width `read` for text and forms, `compare` for tables
 */
export const Page = ({
  title,
  heading,
  intro,
  actions,
  back,
  badge,
  width = 'compare',
  children,
}: {
  title: string
  /** What is shown in place of the title. */
  heading?: ReactNode
  intro?: ReactNode
  actions?: ReactNode
  back?: ReactNode
  /** What is shown after the heading, such as the mode. */
  badge?: ReactNode
  width?: 'read' | 'compare'
  children: ReactNode
}) => {
  useTabTitle(title)
  return (
    <div
      data-width={width}
      className={classes(
        'mx-auto w-full px-4 pt-6 pb-24 sm:px-8 sm:pt-8',
        width === 'read' ? 'max-w-3xl' : 'max-w-6xl',
      )}
    >
      {back && <div className="mb-3 text-small">{back}</div>}
      <header className="mb-6 flex flex-wrap items-start gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="flex flex-wrap items-center gap-x-2.5 text-title font-semibold text-balance">
            <span className="min-w-0 wrap-anywhere">{heading ?? title}</span>
            {badge}
          </h1>
          {intro && <p className="mt-1 max-w-prose text-muted">{intro}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
