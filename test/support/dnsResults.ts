/* The results of lookups, as tests write them. */

export const txt = (...records: string[][]) => records.map((strings) => ({ type: 'TXT', strings }))
export const answer = (records: object[], aliases: string[] = [], conflict = false) => ({
  kind: 'answer',
  records,
  aliases,
  conflict,
})
export const missing = (why: string, aliases: string[] = []) => ({ kind: 'missing', why, aliases })
export const unknown = (why: string) => ({ kind: 'unknown', why })

export const apexText = answer(txt(['v=spf1 -all'], ['token=1']))

export const apex = { name: 'example.test', type: 'TXT' } as const
