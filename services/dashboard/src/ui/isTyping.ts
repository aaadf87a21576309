/**
 * Returns whether a press of a key writes into a field or an editor, so that it is not a shortcut. Outside its shadow
 * root, an editor's event names the element around it.
 */
export const isTyping = (event: Pick<Event, 'composedPath'>): boolean => {
  const target = event.composedPath()[0]
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
