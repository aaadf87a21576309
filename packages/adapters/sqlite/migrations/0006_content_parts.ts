/**
 * Stores long content in parts, each in a commit of its own before the email. `parts` of an email's contents names
 * them, and `layout` has the lengths by which they are divided. Parts without an email remain after a crash, and the
 * start removes them.
 */
export const contentParts = `
CREATE TABLE content_parts (
  parts INTEGER NOT NULL,
  number INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  UNIQUE (parts, number)
) STRICT;
ALTER TABLE contents ADD COLUMN parts INTEGER;
ALTER TABLE contents ADD COLUMN layout TEXT;
CREATE INDEX contents_in_parts ON contents (parts) WHERE parts IS NOT NULL;
CREATE TRIGGER contents_without_email AFTER DELETE ON contents WHEN old.parts IS NOT NULL
BEGIN DELETE FROM content_parts WHERE parts = old.parts; END;
`
