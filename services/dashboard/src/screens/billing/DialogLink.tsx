import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { BillingSearch } from './search.ts'

/** Opens a dialog of the screen, which is in the URL. */
export const DialogLink = ({
  open,
  ...props
}: Omit<ComponentProps<'a'>, 'href' | 'target'> & { open: BillingSearch }) => (
  <Link {...props} from="/billing" to="/billing" search={(now) => ({ ...now, ...open })} resetScroll={false} />
)
