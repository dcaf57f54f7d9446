-- History of row versions: why a connector's streams keep it, and which histories its last runs have kept.

-- A stream keeps history as long as there is a reason.
CREATE TABLE history_reason (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  -- `historyReasons` of the contract. `setting`: an administrator has chosen it.
  reason text NOT NULL,
  -- Names of streams. Null: all of the connector, also those that are added.
  streams text[] CHECK (cardinality(streams) > 0),
  -- Null: the product.
  changed_by uuid REFERENCES portal_user,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (connector_id, reason),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX history_reason_changed_by ON history_reason (changed_by) WHERE changed_by IS NOT NULL;
ALTER TABLE history_reason ENABLE ROW LEVEL SECURITY;
ALTER TABLE history_reason FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON history_reason USING (tributary_sees(organisation_id));

-- The histories of the stream's tables in the target, also those that no longer grow.
ALTER TABLE connector_stream ADD COLUMN histories jsonb NOT NULL DEFAULT '[]';
-- Whether its last run kept them.
ALTER TABLE connector_stream ADD COLUMN keeps_history boolean NOT NULL DEFAULT false;

-- For how many days superseded and deleted row versions of a stream stay. Without a row: for good.
CREATE TABLE history_retention (
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  stream text NOT NULL,
  days integer NOT NULL CHECK (days BETWEEN 1 AND 36500),
  PRIMARY KEY (connector_id, stream),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
ALTER TABLE history_retention ENABLE ROW LEVEL SECURITY;
ALTER TABLE history_retention FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON history_retention USING (tributary_sees(organisation_id));
