import { Slot } from 'radix-ui'
import type { ReactNode } from 'react'

/**
 * Replaces `react-remove-scroll`, which adds a `<style>` element that the Content-Security-Policy refuses. A rule in
 * styles.css stops the page from scrolling while a dialog is open.
 */
export const RemoveScroll = ({
  as: _as,
  allowPinchZoom: _allowPinchZoom,
  shards: _shards,
  enabled: _enabled,
  ...props
}: {
  as?: unknown
  allowPinchZoom?: boolean
  shards?: unknown
  enabled?: boolean
  children: ReactNode
}) => <Slot.Root {...props} />
