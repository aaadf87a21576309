/**
 * Returns whether an address is of a reserved name (RFC 6761 §6.3), such as that of the first owner. No mail can reach
 * it.
 */
export const isLocalAddress = (email: string): boolean => /[@.]localhost$/i.test(email)
