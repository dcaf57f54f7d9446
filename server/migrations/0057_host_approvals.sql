-- Hosts of the sources that customers describe: a connector calls only those that the provider has approved.

CREATE TABLE host_approval (
  connector_id uuid PRIMARY KEY,
  organisation_id uuid NOT NULL,
  -- What the settings call now, such as `api.example.com` or `api.example.com:8443`, and the description that says so.
  hosts text[] NOT NULL,
  description text NOT NULL,
  status text NOT NULL CHECK (status IN ('WAITING', 'APPROVED', 'REFUSED', 'WITHDRAWN')),
  -- What was approved last. Settings that call nothing else need no new approval.
  approved_hosts text[] NOT NULL DEFAULT '{}',
  requested_by uuid REFERENCES portal_user,
  requested_at timestamptz NOT NULL,
  decided_by uuid REFERENCES portal_user,
  decided_at timestamptz,
  reason text,
  -- Whether the email to the provider about the request is sent.
  is_mailed boolean NOT NULL DEFAULT false,
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX host_approval_organisation ON host_approval (organisation_id, connector_id);
CREATE INDEX host_approval_requested_by ON host_approval (requested_by);
CREATE INDEX host_approval_decided_by ON host_approval (decided_by);
ALTER TABLE host_approval ENABLE ROW LEVEL SECURITY;
ALTER TABLE host_approval FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON host_approval USING (tributary_sees(organisation_id));

-- True while a host of its settings is not approved: it is not run.
ALTER TABLE connector ADD COLUMN awaits_approval boolean NOT NULL DEFAULT false;
