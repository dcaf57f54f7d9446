/** A warehouse of Harbour Trading with tables of two connectors, a version and a helper table, and people who read some of them. */
import { assignments } from '@tributary/contract/assignments'
import type { DataFilter } from '@tributary/contract/data'
import type { ClientConfig } from 'pg'
import type { StoredTable } from '../../../server/src/access/dictionary/stored-structure.ts'
import { testApp, type TestApp } from '../app/test-app.ts'
import { completedRun, insertConnectorWithRuns } from '../connectors/connector-with-runs.ts'
import { structureCalls } from '../excel/create-structure.ts'
import { defaultSlice, LoadClient, planForLoads } from '../excel/load-sheets.ts'
import { applyChanges, runAs, writerOf } from './warehouse-login.ts'

export interface DataFixture extends AsyncDisposable {
  readonly app: TestApp
  /** Of calls about a table; without a name, about the invoices. */
  params(table?: string, schema?: string): { clientId: string; schema: string; table: string }
}

/** As they are in an address. */
export function toFilters(...all: readonly DataFilter[]): string {
  return JSON.stringify(all)
}

const minuteMs = 60_000

/**
 * The clock shows the middle of a month, at 01:00 in Auckland. The guest is assigned to the connector Shop. The user may read one of the two rows of
 * the version.
 */
export async function openDataFixture(given?: TestApp): Promise<DataFixture> {
  const app = given ?? (await testApp())
  const now = new Date(app.clock.now())
  app.clock.advance(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15, 12) - app.clock.now())
  await loadPlans(app)
  await addConnectors(app)
  await applyChanges(app)
  return {
    app,
    params: (table = 'invoice', schema = 'shop') => ({ clientId: app.harbour.id, schema, table }),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

/** The administrator of the warehouse's server. */
export function adminOf({ services }: TestApp): ClientConfig {
  return { ...services.warehouse.admin }
}

async function loadPlans(app: TestApp): Promise<void> {
  const plan = await planForLoads(app)
  const two = await structureCalls(app).entity('Two')
  await app.as.admin.call(assignments.setUsersOfEntity, {
    params: { entityId: two },
    body: { ids: [app.idOf('admin')] },
  })
  const admin = new LoadClient(app.as.admin)
  const version = { versionId: plan.versionId }
  await admin.load(version, { columns: ['Amount'], rows: [['1']] })
  await admin.load(version, { columns: ['Amount'], rows: [['2']] }, { ...defaultSlice, entity: 'Two' })
  await admin.load({ helperTableId: plan.ratesId }, { columns: ['Code'], rows: [['EUR']] })
}

async function addConnectors(app: TestApp): Promise<void> {
  const { id: organisationId } = app.harbour
  const shop = await insertConnectorWithRuns(app, organisationId, {
    name: 'Shop',
    runs: [completedRun(app, 5 * minuteMs)],
  })
  const stock = await insertConnectorWithRuns(app, organisationId, { name: 'Stock' })
  await app.store.within(organisationId, async (db) => {
    await db
      .insertInto('connectorUser')
      .values({ organisationId, connectorId: shop, userId: app.idOf('guest') })
      .execute()
    const stream = { organisationId, connectorId: shop, licence: 'Base', reads: 'since' } as const
    const fault = 'The source refused the table.'
    await db
      .insertInto('connectorStream')
      .values([
        { ...stream, name: 'invoice', tableName: 'invoice', rows: 250, freshAt: new Date('2026-11-20T06:00:00Z') },
        { ...stream, name: 'line', tableName: 'invoice_line', rows: 500, fault },
        { ...stream, name: 'contact', tableName: 'contact', structure: JSON.stringify([contactStructure]) },
      ])
      .execute()
    await db
      .updateTable('connectorStream')
      .set({ structure: JSON.stringify([invoiceStructure]) })
      .where('organisationId', '=', organisationId)
      .where('connectorId', '=', shop)
      .where('name', '=', 'invoice')
      .execute()
  })
  const writer = await writerOf(app)
  await runAs(writer, warehouseTables(shop, stock))
  await runAs(writer, datedRows(app.clock.now()))
}

function structureColumn(name: string, description: string | null): StoredTable['columns'][number] {
  const common = { type: 'bigint', isKey: name === 'id', isNullable: false }
  return { sourceName: name, sourceField: name, name, description, ...common }
}

const invoiceStructure: StoredTable = {
  sourceName: 'invoice',
  schema: 'shop',
  name: 'invoice',
  description: 'What customers were charged',
  columns: [structureColumn('id', 'Of the invoice')],
  references: [],
}

/** Its relation is no foreign key. */
const contactStructure: StoredTable = {
  sourceName: 'contact',
  schema: 'shop',
  name: 'contact',
  description: null,
  columns: [structureColumn('id', null), structureColumn('last_invoice', null)],
  references: [{ columns: ['last_invoice'], table: 'invoice', to: ['id'], isParent: false }],
}

/** Two invoices of today in Auckland, one of the first moment of this month, and one of the last moment of the month before. */
function datedRows(now: number): string {
  const day = `date_trunc('day', timestamptz '${new Date(now).toISOString()}' AT TIME ZONE 'Pacific/Auckland')`
  const moments = [
    day,
    `${day} + interval '1 day' - interval '1 microsecond'`,
    `date_trunc('month', ${day})`,
    `date_trunc('month', ${day}) - interval '1 microsecond'`,
  ]
  return moments
    .map(
      (at, index) =>
        `UPDATE shop.invoice SET changed = (${at}) AT TIME ZONE 'Pacific/Auckland' WHERE id = ${index + 1}`,
    )
    .join(';')
}

function warehouseTables(shop: string, stock: string): string {
  return `
    CREATE SCHEMA shop;
    CREATE TABLE shop.tributary_table (name text PRIMARY KEY, connector text NOT NULL, stream text NOT NULL, source_name text NOT NULL);
    INSERT INTO shop.tributary_table VALUES ('invoice', '${shop}', 'invoice', 'invoice'), ('invoice_line', '${shop}', 'line', 'invoice_line'),
      ('contact', '${shop}', 'contact', 'contact');
    CREATE TABLE shop.contact (id bigint PRIMARY KEY, last_invoice bigint);
    INSERT INTO shop.contact VALUES (1, 7);
    CREATE TABLE shop.invoice (id bigint PRIMARY KEY, number varchar(20), total numeric(40,10), paid boolean NOT NULL, issued date, changed timestamptz, doc json);
    COMMENT ON COLUMN shop.invoice.total IS 'With tax';
    INSERT INTO shop.invoice SELECT n, CASE n WHEN 5 THEN '' WHEN 6 THEN NULL ELSE 'INV-' || n END, nullif(n, 100) * 1.25, n % 2 = 0, date '2025-12-31' + n, '2026-02-01'
      FROM generate_series(1, 249) AS n;
    INSERT INTO shop.invoice VALUES
      (9007199254740993, 'INV-250', 12345678901234567890.1234567891, true, '2026-02-28', '2026-03-01', '{"a" : 1}');
    CREATE INDEX ON shop.invoice (total);
    CREATE TABLE shop.invoice_line (id int PRIMARY KEY, invoice_id bigint REFERENCES shop.invoice);
    INSERT INTO shop.invoice_line SELECT n, 1 + n % 249 FROM generate_series(1, 500) AS n;
    CREATE VIEW shop.unpaid AS SELECT id, total FROM shop.invoice WHERE NOT paid;
    CREATE SCHEMA stock;
    CREATE TABLE stock.tributary_table (LIKE shop.tributary_table);
    INSERT INTO stock.tributary_table VALUES ('movement', '${stock}', 'movement', 'movement');
    CREATE TABLE stock.movement AS SELECT n, CASE n % 2 WHEN 0 THEN 'east' ELSE 'west' END AS place FROM generate_series(1, 60000) AS n;
    ANALYZE stock.movement`
}
