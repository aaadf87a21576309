import { MongoServerError } from 'mongodb'

export const duplicateKey = 11_000

/** Whether a write was refused because a unique index has its value already. */
export const isTaken = (thrown: unknown): boolean => thrown instanceof MongoServerError && thrown.code === duplicateKey
