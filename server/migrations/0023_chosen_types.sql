-- The types that were chosen for new columns when a load was begun.
ALTER TABLE load ADD COLUMN chosen_types jsonb NOT NULL DEFAULT '[]';
