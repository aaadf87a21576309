import { typeidUnboxed } from 'typeid-js'

export type IdPrefix = 'em' | 'tpl' | 'dom' | 'key' | 'ws' | 'usr' | 'wh' | 'evt' | 'dlv' | 'req' | 'att' | 'aud'

/** Returns a new TypeID: the prefix and a base32 UUIDv7, so ids of one kind sort by creation time in milliseconds. */
export const newId = (prefix: IdPrefix): string => typeidUnboxed(prefix)

const idShape = /^[a-z]{2,3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** Returns whether a text has the form of such an id; checked before a lookup, so malformed ids never reach a store. */
export const isId = (prefix: IdPrefix, text: string): boolean => text.startsWith(`${prefix}_`) && idShape.test(text)
