/*
 * The requester of a change, in messages between services: `actor`, and `client_address`, which is absent or empty when
 * it is not known.
 */

export const withAddress = <Request extends { clientAddress?: string }>({ clientAddress, ...request }: Request) => ({
  ...request,
  ...(clientAddress !== undefined && { client_address: clientAddress }),
})

export const readAddress = <Request extends { client_address?: string }>({ client_address, ...request }: Request) => ({
  ...request,
  ...(client_address !== undefined && { clientAddress: client_address }),
})
