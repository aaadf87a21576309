import { createHash } from 'node:crypto'
import { networkOf } from './logInLimits.ts'

/** A program in plain words, and the client address from which a user opened a session with it. */
export type Device = { user: string; device: string; address: string }

/**
 * Returns the key under which a device of a user is stored: a digest of the program and the network, because
 * providers change the address of a client within its network.
 */
export const deviceDigest = ({ user, device, address }: Device): string =>
  createHash('sha256')
    .update(`${user}\n${device}\n${networkOf(address)}`)
    .digest('base64url')
