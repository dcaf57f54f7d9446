-- A connector of an organisation without a wish is inserted without a plan, at once. Until now each inserted connector read all
-- connectors of its organisation, so that an import became slower with each one.
CREATE OR REPLACE FUNCTION plan_ready_by(organisation uuid, one_connector uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  -- Plans exist only where a wish exists or existed: the planner deletes those that nothing asks for.
  IF NOT EXISTS (SELECT FROM ready_by_wish WHERE organisation_id = organisation)
    AND NOT EXISTS (SELECT FROM ready_by_plan WHERE organisation_id = organisation) THEN
    RETURN;
  END IF;
  -- One statement for each case, so that each has the plan that fits it.
  IF one_connector IS NULL THEN
    INSERT INTO ready_by_plan (organisation_id, connector_id)
      SELECT connector.organisation_id, connector.id FROM connector
      WHERE connector.organisation_id = organisation AND connector.status = 'CONNECTED'
        AND EXISTS (SELECT FROM ready_by_wish AS wish WHERE wish.organisation_id = organisation
          AND (wish.connector_id IS NULL OR wish.connector_id = connector.id))
      ON CONFLICT DO NOTHING;
    UPDATE ready_by_plan SET plan_at = now() WHERE organisation_id = organisation;
  ELSE
    INSERT INTO ready_by_plan (organisation_id, connector_id)
      SELECT connector.organisation_id, connector.id FROM connector
      WHERE connector.id = one_connector AND connector.organisation_id = organisation AND connector.status = 'CONNECTED'
        AND (EXISTS (SELECT FROM ready_by_wish WHERE organisation_id = organisation AND connector_id IS NULL)
          OR EXISTS (SELECT FROM ready_by_wish WHERE organisation_id = organisation AND connector_id = one_connector))
      ON CONFLICT DO NOTHING;
    UPDATE ready_by_plan SET plan_at = now() WHERE connector_id = one_connector AND organisation_id = organisation;
  END IF;
END $$;
