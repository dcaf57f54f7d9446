-- Preferences of a person. A null locale or time zone is the browser's.
ALTER TABLE portal_user
  ADD COLUMN locale text,
  ADD COLUMN time_zone text,
  ADD COLUMN keyboard_shortcuts boolean NOT NULL DEFAULT true,
  ADD COLUMN density text NOT NULL DEFAULT 'comfortable' CHECK (density IN ('comfortable', 'compact')),
  -- The visible columns by table. A table that is missing shows its default columns.
  ADD COLUMN table_columns jsonb NOT NULL DEFAULT '{}';
