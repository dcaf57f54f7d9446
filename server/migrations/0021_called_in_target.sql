-- Columns that have other names in the target than in the source.
ALTER TABLE connector_stream ADD COLUMN renamed jsonb NOT NULL DEFAULT '[]';
