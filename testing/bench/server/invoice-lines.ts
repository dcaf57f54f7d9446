/** A table of invoice lines in the warehouse of the trial's first organisation, as a connector would write it. */
import pg from 'pg'
import { trialOrganisations } from '../../../server/src/trial/people.ts'
import type { MeasuredServer } from './measured-server.ts'

/** The warehouse must exist: the first call of its page creates it. */
export async function fillInvoiceLines(
  { database, superuser }: Pick<MeasuredServer, 'database' | 'superuser'>,
  rows: number,
): Promise<void> {
  const { rows: found } = await database.query<{ name: string; writer: string }>(
    'SELECT database_name AS name, writer_name AS writer FROM warehouse WHERE organisation_id = $1',
    [trialOrganisations[0].id],
  )
  const [{ name, writer } = { name: '', writer: '' }] = found
  const warehouse = new pg.Client({ ...superuser, database: name })
  await warehouse.connect()
  await warehouse.query(`SET ROLE ${pg.escapeIdentifier(writer)}`)
  await warehouse.query(
    `CREATE SCHEMA bench;
     CREATE TABLE bench.invoice_line (id bigint PRIMARY KEY, invoice bigint, item text, amount numeric(19,4), day date, changed timestamptz)`,
  )
  await warehouse.query(
    `INSERT INTO bench.invoice_line
     SELECT n, n / 4, 'Item ' || n % 1000, (n * 7919::bigint % 1000000) / 100.0, date '2024-01-01' + (n % 1000)::int, timestamptz '2024-01-01' + n * interval '1 s'
     FROM generate_series(1, $1::bigint) AS n`,
    [rows],
  )
  await warehouse.query('CREATE INDEX ON bench.invoice_line (amount); CREATE INDEX ON bench.invoice_line (day)')
  await warehouse.query('ANALYZE bench.invoice_line')
  await warehouse.end()
}
