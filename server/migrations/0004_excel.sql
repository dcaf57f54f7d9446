-- The planning structure of an organisation and who may use which part of it.

-- As people sort: whatever the capitals, and 'Week 2' before 'Week 10'.
CREATE COLLATION natural_order (provider = icu, locale = 'und-u-kn-true');

CREATE TABLE area (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  name text NOT NULL CHECK (name <> ''),
  status_id uuid NOT NULL DEFAULT '00000000-0000-4000-8000-000000000020' REFERENCES status,
  -- All subareas there are and will be belong to it.
  all_subareas boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id)
);
CREATE UNIQUE INDEX area_name ON area (organisation_id, lower(name));
CREATE INDEX area_order ON area (organisation_id, name COLLATE natural_order, id);

CREATE TABLE subarea (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  name text NOT NULL CHECK (name <> ''),
  status_id uuid NOT NULL DEFAULT '00000000-0000-4000-8000-000000000020' REFERENCES status,
  -- It belongs to all areas there are and will be.
  all_areas boolean NOT NULL DEFAULT false,
  list_order integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id)
);
CREATE UNIQUE INDEX subarea_name ON subarea (organisation_id, lower(name));
CREATE INDEX subarea_order ON subarea (organisation_id, name COLLATE natural_order, id);

CREATE TABLE area_subarea (
  organisation_id uuid NOT NULL,
  area_id uuid NOT NULL,
  subarea_id uuid NOT NULL,
  PRIMARY KEY (area_id, subarea_id),
  FOREIGN KEY (organisation_id, area_id) REFERENCES area (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, subarea_id) REFERENCES subarea (organisation_id, id) ON DELETE CASCADE
);
CREATE INDEX area_subarea_subarea ON area_subarea (subarea_id);

CREATE TABLE version (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  name text NOT NULL CHECK (name <> ''),
  status_id uuid NOT NULL DEFAULT '00000000-0000-4000-8000-000000000020' REFERENCES status,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id)
);
CREATE UNIQUE INDEX version_name ON version (organisation_id, lower(name));
CREATE INDEX version_order ON version (organisation_id, name COLLATE natural_order, id);

CREATE TABLE milestone (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  version_id uuid NOT NULL,
  name text NOT NULL CHECK (name <> ''),
  status_id uuid NOT NULL DEFAULT '00000000-0000-4000-8000-000000000020' REFERENCES status,
  list_order integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id),
  UNIQUE (organisation_id, version_id, id),
  FOREIGN KEY (organisation_id, version_id) REFERENCES version (organisation_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX milestone_name ON milestone (version_id, lower(name));

CREATE TABLE helper_table (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  name text NOT NULL CHECK (name <> ''),
  input_table_name text NOT NULL CHECK (input_table_name <> ''),
  status_id uuid NOT NULL DEFAULT '00000000-0000-4000-8000-000000000020' REFERENCES status,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id)
);
CREATE UNIQUE INDEX helper_table_name ON helper_table (organisation_id, lower(name));
CREATE INDEX helper_table_order ON helper_table (organisation_id, name COLLATE natural_order, id);

-- Every physical table name of an organisation once, whether a version or a helper table has it.
CREATE TABLE physical_table (
  organisation_id uuid NOT NULL REFERENCES organisation,
  -- In small letters: databases compare names so.
  name text NOT NULL,
  version_id uuid UNIQUE,
  helper_table_id uuid UNIQUE,
  PRIMARY KEY (organisation_id, name),
  FOREIGN KEY (organisation_id, version_id) REFERENCES version (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, helper_table_id) REFERENCES helper_table (organisation_id, id) ON DELETE CASCADE,
  CHECK (num_nonnulls(version_id, helper_table_id) = 1)
);

CREATE TABLE entity (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  name text NOT NULL CHECK (name <> ''),
  status_id uuid NOT NULL DEFAULT '00000000-0000-4000-8000-000000000020' REFERENCES status,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id)
);
CREATE UNIQUE INDEX entity_name ON entity (organisation_id, lower(name));
CREATE INDEX entity_order ON entity (organisation_id, name COLLATE natural_order, id);

CREATE TABLE permission_group (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL REFERENCES organisation,
  name text NOT NULL CHECK (name <> ''),
  status_id uuid NOT NULL DEFAULT '00000000-0000-4000-8000-000000000020' REFERENCES status,
  -- Grows with every change of its grants or name, so that of two who save the later one is told.
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organisation_id, id)
);
CREATE UNIQUE INDEX permission_group_name ON permission_group (organisation_id, lower(name));
CREATE INDEX permission_group_order ON permission_group (organisation_id, name COLLATE natural_order, id);

-- A null side means all of that side, current and future: (a, null) all subareas of a, (null, s) all areas of s, both null everything.
CREATE TABLE group_pair (
  organisation_id uuid NOT NULL,
  group_id uuid NOT NULL,
  area_id uuid,
  subarea_id uuid,
  FOREIGN KEY (organisation_id, group_id) REFERENCES permission_group (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, area_id) REFERENCES area (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, subarea_id) REFERENCES subarea (organisation_id, id) ON DELETE CASCADE,
  UNIQUE NULLS NOT DISTINCT (group_id, area_id, subarea_id)
);
CREATE INDEX group_pair_area ON group_pair (area_id);
CREATE INDEX group_pair_subarea ON group_pair (subarea_id);

-- (v, null) all milestones of v, (null, null) all milestones of all versions.
CREATE TABLE group_milestone (
  organisation_id uuid NOT NULL,
  group_id uuid NOT NULL,
  version_id uuid,
  milestone_id uuid,
  CHECK (version_id IS NOT NULL OR milestone_id IS NULL),
  FOREIGN KEY (organisation_id, group_id) REFERENCES permission_group (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, version_id) REFERENCES version (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, version_id, milestone_id) REFERENCES milestone (organisation_id, version_id, id) ON DELETE CASCADE,
  UNIQUE NULLS NOT DISTINCT (group_id, version_id, milestone_id)
);
CREATE INDEX group_milestone_version ON group_milestone (version_id);
CREATE INDEX group_milestone_milestone ON group_milestone (milestone_id);

CREATE TABLE group_user (
  organisation_id uuid NOT NULL,
  group_id uuid NOT NULL,
  user_id uuid NOT NULL,
  PRIMARY KEY (group_id, user_id),
  FOREIGN KEY (organisation_id, group_id) REFERENCES permission_group (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, user_id) REFERENCES membership (organisation_id, user_id) ON DELETE CASCADE
);
CREATE INDEX group_user_user ON group_user (organisation_id, user_id);

CREATE TABLE helper_table_user (
  organisation_id uuid NOT NULL,
  helper_table_id uuid NOT NULL,
  user_id uuid NOT NULL,
  PRIMARY KEY (helper_table_id, user_id),
  FOREIGN KEY (organisation_id, helper_table_id) REFERENCES helper_table (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, user_id) REFERENCES membership (organisation_id, user_id) ON DELETE CASCADE
);
CREATE INDEX helper_table_user_user ON helper_table_user (organisation_id, user_id);

CREATE TABLE entity_user (
  organisation_id uuid NOT NULL,
  entity_id uuid NOT NULL,
  user_id uuid NOT NULL,
  PRIMARY KEY (entity_id, user_id),
  FOREIGN KEY (organisation_id, entity_id) REFERENCES entity (organisation_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organisation_id, user_id) REFERENCES membership (organisation_id, user_id) ON DELETE CASCADE
);
CREATE INDEX entity_user_user ON entity_user (organisation_id, user_id);

-- 'All current and future' on either side of these two: a user has every one, or one is every user's.
ALTER TABLE membership
  ADD COLUMN all_helper_tables boolean NOT NULL DEFAULT false,
  ADD COLUMN all_entities boolean NOT NULL DEFAULT false;
ALTER TABLE helper_table ADD COLUMN all_users boolean NOT NULL DEFAULT false;
ALTER TABLE entity ADD COLUMN all_users boolean NOT NULL DEFAULT false;

DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['area', 'subarea', 'area_subarea', 'version', 'milestone', 'helper_table', 'physical_table', 'entity',
                              'permission_group', 'group_pair', 'group_milestone', 'group_user', 'helper_table_user', 'entity_user'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY organisation ON %I USING (tributary_sees(organisation_id))', name);
  END LOOP;
END $$;

-- What the members of an organisation may use, all at once. `platform/entitlement` says the same of one person, with the reasons;
-- a test holds the two equal. The parts of each have no row in common, so that nothing need be compared with anything.
CREATE FUNCTION usable_pairs(organisation uuid) RETURNS TABLE (user_id uuid, area_id uuid, subarea_id uuid)
  LANGUAGE sql STABLE PARALLEL SAFE
  BEGIN ATOMIC
    WITH one AS (
      SELECT id, all_subareas FROM area WHERE organisation_id = organisation AND status_id <> (SELECT id FROM status WHERE name = 'archived')
    ), other AS (
      SELECT id, all_areas FROM subarea WHERE organisation_id = organisation AND status_id <> (SELECT id FROM status WHERE name = 'archived')
    ), linked AS (
      SELECT one.id AS area_id, other.id AS subarea_id FROM one CROSS JOIN other WHERE one.all_subareas
      UNION ALL
      SELECT one.id, other.id FROM one CROSS JOIN other WHERE other.all_areas AND NOT one.all_subareas
      UNION ALL
      SELECT one.id, other.id FROM area_subarea AS link JOIN one ON one.id = link.area_id JOIN other ON other.id = link.subarea_id
      WHERE link.organisation_id = organisation AND NOT one.all_subareas AND NOT other.all_areas
    ), granted AS (
      SELECT DISTINCT group_user.user_id, group_pair.area_id, group_pair.subarea_id
      FROM group_user JOIN permission_group ON permission_group.id = group_user.group_id JOIN group_pair ON group_pair.group_id = group_user.group_id
      WHERE group_user.organisation_id = organisation AND permission_group.status_id = (SELECT id FROM status WHERE name = 'active')
    ), everything AS (
      SELECT granted.user_id FROM granted WHERE granted.area_id IS NULL AND granted.subarea_id IS NULL
    ), whole_area AS (
      SELECT granted.user_id, granted.area_id FROM granted WHERE granted.area_id IS NOT NULL AND granted.subarea_id IS NULL
        AND NOT EXISTS (SELECT FROM everything WHERE everything.user_id = granted.user_id)
    ), whole_subarea AS (
      SELECT granted.user_id, granted.subarea_id FROM granted WHERE granted.area_id IS NULL AND granted.subarea_id IS NOT NULL
        AND NOT EXISTS (SELECT FROM everything WHERE everything.user_id = granted.user_id)
    )
    SELECT everything.user_id, linked.area_id, linked.subarea_id FROM everything CROSS JOIN linked
    UNION ALL
    SELECT whole_area.user_id, linked.area_id, linked.subarea_id FROM whole_area JOIN linked ON linked.area_id = whole_area.area_id
    UNION ALL
    SELECT whole_subarea.user_id, linked.area_id, linked.subarea_id
    FROM whole_subarea JOIN linked ON linked.subarea_id = whole_subarea.subarea_id
    WHERE NOT EXISTS (SELECT FROM whole_area WHERE whole_area.user_id = whole_subarea.user_id AND whole_area.area_id = linked.area_id)
    UNION ALL
    SELECT granted.user_id, linked.area_id, linked.subarea_id
    FROM granted JOIN linked ON linked.area_id = granted.area_id AND linked.subarea_id = granted.subarea_id
    WHERE NOT EXISTS (SELECT FROM everything WHERE everything.user_id = granted.user_id)
      AND NOT EXISTS (SELECT FROM whole_area WHERE whole_area.user_id = granted.user_id AND whole_area.area_id = granted.area_id)
      AND NOT EXISTS (SELECT FROM whole_subarea WHERE whole_subarea.user_id = granted.user_id AND whole_subarea.subarea_id = granted.subarea_id);
  END;

CREATE FUNCTION usable_milestones(organisation uuid) RETURNS TABLE (user_id uuid, version_id uuid, milestone_id uuid, may_write boolean)
  LANGUAGE sql STABLE PARALLEL SAFE
  BEGIN ATOMIC
    WITH shown AS (
      SELECT version.id AS version_id, milestone.id AS milestone_id, of_version.name <> 'locked' AND of_milestone.name <> 'locked' AS may_write
      FROM milestone JOIN version ON version.id = milestone.version_id
      JOIN status AS of_version ON of_version.id = version.status_id JOIN status AS of_milestone ON of_milestone.id = milestone.status_id
      WHERE milestone.organisation_id = organisation AND of_version.name <> 'archived' AND of_milestone.name <> 'archived'
    ), granted AS (
      SELECT DISTINCT group_user.user_id, group_milestone.version_id, group_milestone.milestone_id
      FROM group_user JOIN permission_group ON permission_group.id = group_user.group_id
      JOIN group_milestone ON group_milestone.group_id = group_user.group_id
      WHERE group_user.organisation_id = organisation AND permission_group.status_id = (SELECT id FROM status WHERE name = 'active')
    ), everything AS (
      SELECT granted.user_id FROM granted WHERE granted.version_id IS NULL
    ), whole_version AS (
      SELECT granted.user_id, granted.version_id FROM granted WHERE granted.version_id IS NOT NULL AND granted.milestone_id IS NULL
        AND NOT EXISTS (SELECT FROM everything WHERE everything.user_id = granted.user_id)
    )
    SELECT everything.user_id, shown.version_id, shown.milestone_id, shown.may_write FROM everything CROSS JOIN shown
    UNION ALL
    SELECT whole_version.user_id, shown.version_id, shown.milestone_id, shown.may_write
    FROM whole_version JOIN shown ON shown.version_id = whole_version.version_id
    UNION ALL
    SELECT granted.user_id, shown.version_id, shown.milestone_id, shown.may_write
    FROM granted JOIN shown ON shown.milestone_id = granted.milestone_id
    WHERE NOT EXISTS (SELECT FROM everything WHERE everything.user_id = granted.user_id)
      AND NOT EXISTS (SELECT FROM whole_version WHERE whole_version.user_id = granted.user_id AND whole_version.version_id = granted.version_id);
  END;

CREATE FUNCTION usable_helper_tables(organisation uuid) RETURNS TABLE (user_id uuid, helper_table_id uuid, may_write boolean)
  LANGUAGE sql STABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT membership.user_id, helper_table.id, status.name <> 'locked'
    FROM membership JOIN helper_table ON helper_table.organisation_id = membership.organisation_id
    JOIN status ON status.id = helper_table.status_id AND status.name <> 'archived'
    WHERE membership.organisation_id = organisation AND (membership.all_helper_tables OR helper_table.all_users)
    UNION ALL
    SELECT link.user_id, helper_table.id, status.name <> 'locked'
    FROM helper_table_user AS link JOIN helper_table ON helper_table.id = link.helper_table_id
    JOIN membership ON membership.organisation_id = link.organisation_id AND membership.user_id = link.user_id
    JOIN status ON status.id = helper_table.status_id AND status.name <> 'archived'
    WHERE link.organisation_id = organisation AND NOT (membership.all_helper_tables OR helper_table.all_users);
  END;

CREATE FUNCTION usable_entities(organisation uuid) RETURNS TABLE (user_id uuid, entity_id uuid)
  LANGUAGE sql STABLE PARALLEL SAFE
  BEGIN ATOMIC
    SELECT membership.user_id, entity.id
    FROM membership JOIN entity ON entity.organisation_id = membership.organisation_id
    JOIN status ON status.id = entity.status_id AND status.name <> 'archived'
    WHERE membership.organisation_id = organisation AND (membership.all_entities OR entity.all_users)
    UNION ALL
    SELECT link.user_id, entity.id
    FROM entity_user AS link JOIN entity ON entity.id = link.entity_id
    JOIN membership ON membership.organisation_id = link.organisation_id AND membership.user_id = link.user_id
    JOIN status ON status.id = entity.status_id AND status.name <> 'archived'
    WHERE link.organisation_id = organisation AND NOT (membership.all_entities OR entity.all_users);
  END;
