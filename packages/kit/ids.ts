import { typeid } from 'typeid-js'

export type IdPrefix = 'em' | 'tpl' | 'dom' | 'key' | 'ws' | 'usr' | 'wh' | 'evt' | 'dlv' | 'req' | 'att' | 'aud'

/** A new TypeID: the prefix and a base32 UUIDv7, so ids of a kind sort by the millisecond they were made in. */
export const newId = (prefix: IdPrefix): string => typeid(prefix).toString()

const idShape = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Whether a text could be an id of this kind: asked before any look-up, so junk never reaches a store. */
export const isId = (prefix: IdPrefix, text: string): boolean => text.startsWith(`${prefix}_`) && idShape.test(text)
