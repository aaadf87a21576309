type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

/** Returns the fields that are not undefined: in the messages of the services an absent field stays as it is. */
export const present = <Fields extends object>(fields: Fields): Present<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<Fields>
