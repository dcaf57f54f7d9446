-- Logins of persons in an organisation's warehouse, and the changes after which the rights there must be computed again.

-- A person who reads the warehouse with roles of their own. The names of the roles end in `id`.
CREATE TABLE warehouse_principal (
  id text PRIMARY KEY CHECK (id ~ '^[0-9a-f]{12}$'),
  organisation_id uuid NOT NULL REFERENCES organisation,
  user_id uuid NOT NULL REFERENCES portal_user,
  -- The password of the login that the server uses for the person, encrypted.
  portal_secret text NOT NULL,
  portal_verifier text NOT NULL,
  -- What PostgreSQL stores of the password of the person's SQL login. Null: there is no such login.
  sql_verifier text,
  sql_created_at timestamptz,
  -- When, from where and by which program the SQL login was last seen connected.
  seen_at timestamptz,
  seen_address text,
  seen_program text,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, user_id),
  CHECK ((sql_verifier IS NULL) = (sql_created_at IS NULL))
);
CREATE INDEX warehouse_principal_user ON warehouse_principal (user_id);

-- While set, the shared reader cannot sign in.
ALTER TABLE warehouse ADD COLUMN reader_disabled_at timestamptz;

-- One row for each change that may change what persons read. Only added to, so that changes never wait for each other; a worker
-- deletes the rows that it has applied.
CREATE TABLE access_change (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organisation_id uuid NOT NULL
);

ALTER TABLE warehouse_principal ENABLE ROW LEVEL SECURITY;
ALTER TABLE warehouse_principal FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON warehouse_principal USING (tributary_sees(organisation_id));
ALTER TABLE access_change ENABLE ROW LEVEL SECURITY;
ALTER TABLE access_change FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON access_change USING (tributary_sees(organisation_id));

-- For statements on tables with an `organisation_id`.
CREATE FUNCTION mark_access_changes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO access_change (organisation_id) SELECT DISTINCT organisation_id FROM changed;
  RETURN NULL;
END $$;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['membership', 'connector_user', 'area', 'subarea', 'area_subarea', 'version', 'milestone', 'helper_table',
                              'entity', 'permission_group', 'group_pair', 'group_milestone', 'group_user', 'helper_table_user',
                              'entity_user', 'slice', 'warehouse_principal'] LOOP
    EXECUTE format('CREATE TRIGGER access_insert AFTER INSERT ON %I REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION mark_access_changes()', name);
    EXECUTE format('CREATE TRIGGER access_delete AFTER DELETE ON %I REFERENCING OLD TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION mark_access_changes()', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['membership', 'area', 'subarea', 'version', 'milestone', 'helper_table', 'entity', 'permission_group'] LOOP
    EXECUTE format('CREATE TRIGGER access_update AFTER UPDATE ON %I REFERENCING NEW TABLE AS changed
      FOR EACH STATEMENT EXECUTE FUNCTION mark_access_changes()', name);
  END LOOP;
END $$;

-- For single rows, of which only some columns matter.
CREATE FUNCTION mark_access_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO access_change (organisation_id) VALUES (NEW.organisation_id);
  RETURN NULL;
END $$;
CREATE TRIGGER access_update AFTER UPDATE ON connector
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION mark_access_change();
-- A run may have created tables.
CREATE TRIGGER access_update AFTER UPDATE ON run
  FOR EACH ROW WHEN (OLD.completed_at IS NULL AND NEW.completed_at IS NOT NULL) EXECUTE FUNCTION mark_access_change();
CREATE TRIGGER access_update AFTER UPDATE ON table_sync
  FOR EACH ROW WHEN (OLD.done_at IS DISTINCT FROM NEW.done_at) EXECUTE FUNCTION mark_access_change();
CREATE TRIGGER access_update AFTER UPDATE ON warehouse
  FOR EACH ROW WHEN (OLD.reader_disabled_at IS DISTINCT FROM NEW.reader_disabled_at) EXECUTE FUNCTION mark_access_change();
CREATE TRIGGER access_update AFTER UPDATE ON warehouse_principal
  FOR EACH ROW WHEN (OLD.sql_verifier IS DISTINCT FROM NEW.sql_verifier OR OLD.portal_verifier IS DISTINCT FROM NEW.portal_verifier)
  EXECUTE FUNCTION mark_access_change();

CREATE FUNCTION mark_archived_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO access_change (organisation_id) VALUES (NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER access_update AFTER UPDATE ON organisation
  FOR EACH ROW WHEN (OLD.archived_at IS DISTINCT FROM NEW.archived_at) EXECUTE FUNCTION mark_archived_organisation();

-- In all organisations, whichever of them the change addresses.
CREATE FUNCTION mark_changed_person() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE seen text := coalesce(current_setting('tributary.organisation', true), '');
BEGIN
  PERFORM set_config('tributary.organisation', '*', true);
  INSERT INTO access_change (organisation_id) SELECT organisation_id FROM warehouse_principal WHERE user_id = NEW.id;
  PERFORM set_config('tributary.organisation', seen, true);
  RETURN NULL;
END $$;
CREATE TRIGGER access_update AFTER UPDATE ON portal_user
  FOR EACH ROW WHEN (OLD.status_id IS DISTINCT FROM NEW.status_id OR OLD.provider_role_id IS DISTINCT FROM NEW.provider_role_id)
  EXECUTE FUNCTION mark_changed_person();
