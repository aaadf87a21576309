/* Replaces Node's `Buffer` in the browser, for the schemas that limit the length of a text in bytes. */

const encoder = new TextEncoder()

export const Buffer = { byteLength: (text: string): number => encoder.encode(text).length }
