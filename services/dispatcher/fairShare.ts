/** How much an owner may hold of what stays free beside it: a newcomer always finds room. */
const share = 8

/**
 * Whether an owner that holds so much may take one more, where so much is free. Alone it comes to 8/9 of all; of several
 * each gets the same, and again a little stays free for whoever comes next. Who holds more than that when others come
 * gets nothing until it has given back.
 */
export const mayTakeMore = (held: number, free: number): boolean => held < share * free

/** How much there must be in all, so that one that is alone gets so much. */
export const withSpare = (count: number): number => Math.floor(count + count / share)
