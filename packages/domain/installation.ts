/*
 * One database and one set of topics belong to one installation. Processes may have no name, as outside of the chart:
 * then nothing is compared.
 */

/**
 * Returns whether data is from another installation.
 * @param from null: it was written by a process without a name
 * @param own name of this installation; absent: it has none
 */
export const isFromOther = (from: string | null, own: string | undefined): from is string =>
  own !== undefined && from !== null && from !== own

/** `own`: the database is used; `takeOver`: this installation becomes its owner first; `refuse`: it is not used. */
export type DatabaseDecision = 'own' | 'takeOver' | 'refuse'

/**
 * Returns what an installation may do with a database. Two installations on one database would send each other's mail
 * with different settings, so only the operator moves a database from one to another.
 * @param owner the installation that the database belongs to
 */
export const decideDatabase = ({
  owner,
  name,
  mayTakeOver,
}: {
  owner: string
  name: string
  mayTakeOver: boolean
}): DatabaseDecision => {
  if (!isFromOther(owner, name)) return 'own'
  return mayTakeOver ? 'takeOver' : 'refuse'
}
