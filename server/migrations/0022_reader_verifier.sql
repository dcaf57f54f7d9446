-- What PostgreSQL stores of the readers' password, so that a change by the reader itself is found and set back.
ALTER TABLE warehouse ADD COLUMN reader_verifier text;
