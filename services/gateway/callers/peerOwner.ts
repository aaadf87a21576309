import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { endianness } from 'node:os'
import process from 'node:process'
import { unmapAddress } from '@postrider/domain/network.ts'

/*
 * The user that owns the other end of a connection within this machine, from the tables of Linux (proc(5),
 * `/proc/net/tcp`). A proxy usually runs as a user of its own, and its requests may otherwise look like those of a
 * program on this machine.
 */

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>

/**
 * `own`: the user of this process, or root, who can read its files anyway. `null`: the system does not show it, for
 * example because it is not Linux or the connection passes through a forwarder of a virtual machine.
 */
export type PeerOwner = 'own' | 'other' | null

const tables = ['/proc/net/tcp', '/proc/net/tcp6']

/** Tables of connections. A missing one is empty. */
const readTables = async (): Promise<string> => {
  const texts = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => '')))
  return texts.join('\n')
}

const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')

/** Writes bytes as the tables do: words of four bytes in the order of the processor. */
const wordsOf = (bytes: readonly number[]): string => {
  const words = Array.from({ length: bytes.length / 4 }, (_, word) => bytes.slice(4 * word, 4 * word + 4))
  return words
    .map((word) => (endianness() === 'LE' ? word.toReversed() : word).map((byte) => hex(byte, 2)).join(''))
    .join('')
}

const mappedPrefix = [...Array(10).fill(0), 0xff, 0xff]
const loopback6 = [...Array(15).fill(0), 1]

/** Returns the forms of an end in the tables: an IPv4 address may be in that of IPv6. Loopback addresses only. */
const formsOf = (address: string, port: number): string[] => {
  const plain = unmapAddress(address)
  const bytes = plain.split('.').map(Number)
  const forms = plain.includes(':') ? [loopback6] : [bytes, [...mappedPrefix, ...bytes]]
  return forms.map((form) => `${wordsOf(form)}:${hex(port, 4)}`)
}

/**
 * States in which a connection still has an owner: established, its end is closing, or this end is
 * (include/net/tcp_states.h).
 */
const ownedStates = ['01', '04', '05', '08']

/** Returns the user of the end that the peer has; null: it is not in the tables. */
const peerUser = (text: string, peer: readonly string[], own: readonly string[]): number | null => {
  for (const local of peer) {
    for (const remote of own) {
      const at = text.indexOf(`: ${local} ${remote} `)
      if (at === -1) continue
      const [, , , state = '', , , , user = ''] = text.slice(at, text.indexOf('\n', at)).split(/\s+/)
      if (ownedStates.includes(state)) return Number(user)
    }
  }
  return null
}

/** Returns the owner of the other end of a connection between loopback addresses. */
export const peerOwner = async ({ remoteAddress, remotePort, localAddress, localPort }: Ends): Promise<PeerOwner> => {
  const uid = process.geteuid?.()
  if (uid === undefined || process.platform !== 'linux') return null
  if (!remoteAddress || !localAddress || remotePort === undefined || localPort === undefined) return null
  const ends = [formsOf(remoteAddress, remotePort), formsOf(localAddress, localPort)] as const
  // The table is not read at one moment: a row may be skipped while others change.
  const user = peerUser(await readTables(), ...ends) ?? peerUser(await readTables(), ...ends)
  if (user === null) return null
  return user === uid || user === 0 ? 'own' : 'other'
}
