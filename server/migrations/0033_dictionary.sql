-- The dictionary: what a run has seen of the tables of a stream, and the words of administrators about them.

-- Tables with their columns, descriptions and references, by their names in the source and in the target.
ALTER TABLE connector_stream ADD COLUMN structure jsonb NOT NULL DEFAULT '[]';

-- By names in the target. Kept while the connector exists, so that words outlive a table that is dropped for a while.
CREATE TABLE dictionary_words (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  table_name text NOT NULL,
  -- Empty: about the table itself.
  column_name text NOT NULL DEFAULT '',
  words text NOT NULL CHECK (words <> '' AND length(words) <= 2000),
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (connector_id, table_name, column_name),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id) ON DELETE CASCADE
);
ALTER TABLE dictionary_words ENABLE ROW LEVEL SECURITY;
ALTER TABLE dictionary_words FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON dictionary_words USING (tributary_sees(organisation_id));
