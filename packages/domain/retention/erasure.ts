/** Maximum number of erasures of a workspace that are not done. Requests at the same time may exceed it by a few. */
export const maxOpenErasures = 1_000

/** Returns whether a workspace may begin an erasure. @param open how many of its erasures are not done */
export const mayBeginErasure = (open: number): boolean => open < maxOpenErasures
