/** Finds workspaces by their plan, the newest first. */
export const planSearch = `
CREATE INDEX allowances_by_plan ON allowances (json_extract(doc, '$.plan'), workspace);
`
