-- Where the table of a version or helper table was last written: null while it has none anywhere.

ALTER TABLE version ADD COLUMN table_place text;
ALTER TABLE helper_table ADD COLUMN table_place text;

-- Of every organisation: the tables of the latest synchronisation, and those that a load has written into the warehouse.
SET LOCAL tributary.organisation = '*';
CREATE TEMPORARY TABLE written_table ON COMMIT DROP AS
SELECT physical_table.version_id, physical_table.helper_table_id, table_sync.place
FROM table_sync CROSS JOIN LATERAL jsonb_array_elements(table_sync.tables) AS synced
JOIN physical_table ON physical_table.organisation_id = table_sync.organisation_id AND physical_table.name = lower(synced ->> 'table')
WHERE table_sync.place IS NOT NULL
UNION
SELECT load.version_id, load.helper_table_id, 'Tributary’s own warehouse, schema excel'
FROM load LEFT JOIN table_sync ON table_sync.organisation_id = load.organisation_id
WHERE load.status IN ('LOADED', 'UNDONE') AND table_sync.place IS NULL
  AND NOT EXISTS (SELECT FROM database_credential WHERE database_credential.organisation_id = load.organisation_id);
UPDATE version SET table_place = written_table.place FROM written_table WHERE written_table.version_id = version.id;
UPDATE helper_table SET table_place = written_table.place FROM written_table WHERE written_table.helper_table_id = helper_table.id;
SET LOCAL tributary.organisation = '';
