-- Sizes of the stream's tables and their histories after its last run, as the target reports them: `TableSize`s of the engine.
ALTER TABLE connector_stream ADD COLUMN sizes jsonb NOT NULL DEFAULT '[]';
