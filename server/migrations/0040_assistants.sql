-- Whether assistants may read an organisation's data, and of which sources.

ALTER TABLE organisation ADD COLUMN allows_assistants boolean NOT NULL DEFAULT false;

-- The types of sources that an organisation has decided on. For the others the product's choice applies: on, unless the terms of
-- the source forbid it.
CREATE TABLE assistant_source (
  organisation_id uuid NOT NULL REFERENCES organisation,
  source_type text NOT NULL,
  allowed boolean NOT NULL,
  -- The terms that the administrator confirmed to have read. Null: the source has none, or assistants may not read it.
  accepted_terms text,
  changed_by uuid NOT NULL REFERENCES portal_user,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organisation_id, source_type)
);
CREATE INDEX assistant_source_changed_by ON assistant_source (changed_by);
ALTER TABLE assistant_source ENABLE ROW LEVEL SECURITY;
ALTER TABLE assistant_source FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON assistant_source USING (tributary_sees(organisation_id));

-- The password of the login under which assistants read for the person, encrypted, and what PostgreSQL stores of it. Null: no
-- assistant has read for them yet.
ALTER TABLE warehouse_principal ADD COLUMN assistant_secret text, ADD COLUMN assistant_verifier text,
  ADD CHECK ((assistant_secret IS NULL) = (assistant_verifier IS NULL));

-- Changes of these decisions change what persons' assistants read in the warehouse.
CREATE TRIGGER access_insert AFTER INSERT ON assistant_source REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION mark_access_changes();
CREATE TRIGGER access_update AFTER UPDATE ON assistant_source REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION mark_access_changes();
CREATE TRIGGER assistants_update AFTER UPDATE ON organisation
  FOR EACH ROW WHEN (OLD.allows_assistants IS DISTINCT FROM NEW.allows_assistants) EXECUTE FUNCTION mark_archived_organisation();
CREATE TRIGGER assistant_update AFTER UPDATE ON warehouse_principal
  FOR EACH ROW WHEN (OLD.assistant_verifier IS DISTINCT FROM NEW.assistant_verifier) EXECUTE FUNCTION mark_access_change();

-- The provider's switch, in all organisations.
CREATE FUNCTION mark_all_warehouses() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE seen text := coalesce(current_setting('tributary.organisation', true), '');
BEGIN
  PERFORM set_config('tributary.organisation', '*', true);
  INSERT INTO access_change (organisation_id) SELECT organisation_id FROM warehouse;
  PERFORM set_config('tributary.organisation', seen, true);
  RETURN NULL;
END $$;
CREATE TRIGGER assistants_changed AFTER INSERT OR UPDATE ON setting
  FOR EACH ROW WHEN (NEW.key = 'Assistants') EXECUTE FUNCTION mark_all_warehouses();
