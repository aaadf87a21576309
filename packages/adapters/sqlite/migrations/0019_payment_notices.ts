/** Charges that failed, until the owners are mailed about them. */
export const paymentNotices = `
CREATE TABLE payment_notices (
  id TEXT NOT NULL PRIMARY KEY,
  workspace TEXT NOT NULL,
  at INTEGER NOT NULL,
  doc TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_notices_by_workspace ON payment_notices (workspace);
`
