-- Who cancelled a run, so that the name in its notice can be taken away when they are erased.
ALTER TABLE run ADD COLUMN cancelled_by uuid REFERENCES portal_user;
CREATE INDEX run_cancelled_by ON run (cancelled_by) WHERE cancelled_by IS NOT NULL;
