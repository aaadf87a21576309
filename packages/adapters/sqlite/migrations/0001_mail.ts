export const mail = `
CREATE TABLE placeholder (a)
`
