-- What each slice is of: its entity, area, subarea and milestone may be renamed, and it stays the same slice.

CREATE TABLE slice (
  organisation_id uuid NOT NULL REFERENCES organisation,
  slice_id uuid NOT NULL,
  version_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  area_id uuid NOT NULL,
  subarea_id uuid NOT NULL,
  milestone_id uuid NOT NULL,
  PRIMARY KEY (organisation_id, slice_id),
  UNIQUE (organisation_id, version_id, entity_id, area_id, subarea_id, milestone_id),
  FOREIGN KEY (organisation_id, entity_id) REFERENCES entity (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, area_id) REFERENCES area (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, subarea_id) REFERENCES subarea (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, version_id, milestone_id) REFERENCES milestone (organisation_id, version_id, id) ON DELETE CASCADE
);
CREATE INDEX slice_entity ON slice (entity_id);
CREATE INDEX slice_area ON slice (area_id);
CREATE INDEX slice_subarea ON slice (subarea_id);
CREATE INDEX slice_milestone ON slice (milestone_id);

-- Those that were loaded before, as far as they are still called so; of every organisation.
SET LOCAL tributary.organisation = '*';
INSERT INTO slice (organisation_id, slice_id, version_id, entity_id, area_id, subarea_id, milestone_id)
SELECT DISTINCT ON (former.slice_id) former.organisation_id, former.slice_id, load.version_id, entity.id, area.id, subarea.id, milestone.id
FROM load_slice AS former
JOIN load ON load.id = former.load_id
JOIN entity ON entity.organisation_id = former.organisation_id AND entity.name = former.entity
JOIN area ON area.organisation_id = former.organisation_id AND area.name = former.area
JOIN subarea ON subarea.organisation_id = former.organisation_id AND subarea.name = former.subarea
JOIN milestone ON milestone.version_id = load.version_id AND milestone.name = former.milestone
ON CONFLICT DO NOTHING;
SET LOCAL tributary.organisation = '';

ALTER TABLE slice ENABLE ROW LEVEL SECURITY;
ALTER TABLE slice FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON slice USING (tributary_sees(organisation_id));
