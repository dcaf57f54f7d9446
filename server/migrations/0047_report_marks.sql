-- Marks "as reported": a moment of a connector's books that views in the target show for good. A mark never changes, except that it is superseded.

CREATE TABLE report_mark (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  organisation_id uuid NOT NULL,
  connector_id uuid NOT NULL,
  name text NOT NULL,
  -- Part of the names of its views.
  slug text NOT NULL,
  -- The last reported day.
  period_end date NOT NULL,
  -- The cut-off of the run that was reported, as the engine writes it, with microseconds.
  moment text NOT NULL,
  run_id uuid NOT NULL,
  created_by uuid NOT NULL REFERENCES portal_user,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The views that the target has, and why not all of them exist.
  views text[] NOT NULL DEFAULT '{}',
  notice text,
  superseded_at timestamptz,
  superseded_by uuid REFERENCES portal_user,
  reason text,
  CHECK ((superseded_at IS NULL) = (reason IS NULL)),
  UNIQUE (connector_id, slug),
  FOREIGN KEY (organisation_id, connector_id) REFERENCES connector (organisation_id, id)
);
CREATE INDEX report_mark_created_by ON report_mark (created_by);
CREATE INDEX report_mark_superseded_by ON report_mark (superseded_by) WHERE superseded_by IS NOT NULL;
ALTER TABLE report_mark ENABLE ROW LEVEL SECURITY;
ALTER TABLE report_mark FORCE ROW LEVEL SECURITY;
CREATE POLICY organisation ON report_mark USING (tributary_sees(organisation_id));

-- Whatever a program or a person with access to the store tries.
CREATE FUNCTION keep_report_mark() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.name, OLD.slug, OLD.period_end, OLD.moment, OLD.run_id, OLD.created_by, OLD.created_at)
    IS DISTINCT FROM (NEW.name, NEW.slug, NEW.period_end, NEW.moment, NEW.run_id, NEW.created_by, NEW.created_at)
    OR (OLD.superseded_at IS NOT NULL AND (OLD.superseded_at, OLD.reason) IS DISTINCT FROM (NEW.superseded_at, NEW.reason))
  THEN RAISE EXCEPTION 'A mark does not change. Supersede it with a reason.';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep BEFORE UPDATE ON report_mark FOR EACH ROW EXECUTE FUNCTION keep_report_mark();
