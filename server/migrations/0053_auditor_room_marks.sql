-- A room may cover single marks, and not only whole connectors: what they showed, and nothing else of their connectors.
ALTER TABLE auditor_room ADD COLUMN mark_ids uuid[] NOT NULL DEFAULT '{}';
ALTER TABLE auditor_room DROP CONSTRAINT auditor_room_connector_ids_check;
ALTER TABLE auditor_room ADD CONSTRAINT auditor_room_extent_check CHECK (cardinality(connector_ids) + cardinality(mark_ids) > 0);

-- The views of marks are readable by the room, and not by an assignment.
CREATE TRIGGER access_insert AFTER INSERT ON auditor_room REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION mark_access_changes();
CREATE TRIGGER access_update AFTER UPDATE ON auditor_room REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION mark_access_changes();
