/** A warehouse moves to another server with everything in it. */
import { warehouse } from '@tributary/contract/warehouse'
import { type DataServerProcess, startDataServer } from '@tributary/testing/databases/data-server.ts'
import { openDataFixture } from '@tributary/testing/server/access/data-fixture.ts'
import { createLoginFor, runAs, selectAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'
import { readWholeCatalogue } from '@tributary/testing/server/warehouses/catalogue.ts'
import { readMove, runDueMoves, startMove } from '@tributary/testing/server/warehouses/move-rig.ts'
import { registerServer } from '@tributary/testing/server/warehouses/register-server.ts'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyAccess } from '../../access/logins/apply-access.ts'
import { ensureWarehouse } from '../../access/warehouse/warehouse.ts'

let west: DataServerProcess
beforeAll(async () => {
  west = await startDataServer()
})
afterAll(() => west[Symbol.asyncDispose]())

/** What connectors, history and reports leave in a warehouse, and what an operator adds: foreign keys, indexes and views. The fixture has a foreign key. */
const everything = `
  COMMENT ON SCHEMA shop IS 'The shop''s tables';
  CREATE TABLE shop."Odd ""names""" (
    id bigint GENERATED ALWAYS AS IDENTITY (START 5 INCREMENT 3), "a b" text COLLATE "C" DEFAULT 'it''s' NOT NULL, gone int, price numeric(38, 9),
    doubled numeric GENERATED ALWAYS AS (price * 2) STORED, at timestamptz DEFAULT now(), raw bytea, tags text[], body jsonb, guid uuid, day date, f float8,
    CONSTRAINT "the key" PRIMARY KEY (id), CONSTRAINT positive CHECK (price >= 0), UNIQUE ("a b")) WITH (fillfactor = 80);
  ALTER TABLE shop."Odd ""names""" DROP COLUMN gone;
  ALTER TABLE shop."Odd ""names""" ALTER "a b" SET STATISTICS 400, ALTER raw SET STORAGE EXTERNAL, ALTER body SET COMPRESSION pglz;
  CREATE INDEX "by day" ON shop."Odd ""names""" (day DESC) WHERE price > 1;
  CREATE INDEX by_lower ON shop."Odd ""names""" (lower("a b"));
  COMMENT ON TABLE shop."Odd ""names""" IS 'Odd';
  COMMENT ON COLUMN shop."Odd ""names"""."a b" IS E'two\\nlines';
  INSERT INTO shop."Odd ""names""" ("a b", price, raw, tags, body, guid, day, f)
    SELECT 'n' || i || E'\\t\\\\', i * 0.123456789, decode(repeat('00ff', i % 50), 'hex'), ARRAY['x', NULL, i::text], jsonb_build_object('i', i),
      gen_random_uuid(), date '2020-01-01' + i, CASE WHEN i % 7 = 0 THEN 'NaN' ELSE i / 3.0 END FROM generate_series(1, 2000) i;
  CREATE TABLE shop.aa_child (id int PRIMARY KEY, odd bigint REFERENCES shop."Odd ""names""" ON DELETE CASCADE DEFERRABLE, parent int REFERENCES shop.aa_child);
  INSERT INTO shop.aa_child VALUES (1, 5, NULL), (2, 8, 1), (3, NULL, 3);
  ALTER TABLE shop.aa_child ADD CONSTRAINT "not checked" FOREIGN KEY (id) REFERENCES shop.aa_child NOT VALID;
  CREATE UNLOGGED TABLE shop.tributary_new_rest (id int);
  CREATE VIEW shop.z_first AS SELECT id, "a b" FROM shop."Odd ""names""";
  CREATE VIEW shop.a_second WITH (security_invoker = true) AS SELECT z.*, f.n FROM shop.z_first z CROSS JOIN (SELECT 1 AS n) f;
  COMMENT ON VIEW shop.a_second IS 'Second'; COMMENT ON COLUMN shop.a_second.id IS 'Its id';
  CREATE MATERIALIZED VIEW shop.m_copy AS SELECT count(*) AS n FROM shop.z_first;
  CREATE UNIQUE INDEX m_copy_n ON shop.m_copy (n);
  CREATE FUNCTION shop.tributary_no_history(text, text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$ BEGIN RAISE EXCEPTION '% %', $1, $2; END $$;
  CREATE FUNCTION shop.a_as_of(timestamptz) RETURNS TABLE (id bigint) LANGUAGE sql STABLE AS 'SELECT id FROM shop."Odd ""names""" WHERE at <= $1';
  COMMENT ON FUNCTION shop.a_as_of(timestamptz) IS 'As of';
  CREATE VIEW shop.uses_function AS SELECT * FROM shop.a_as_of('2100-01-01');
  CREATE SCHEMA empty_one`

test('[SCALE-1] a move brings tables, views, functions, comments, keys and foreign keys, rights, logins with their passwords and row level security, equal to the last entry of the catalogues', async () => {
  await using app = await testApp()
  const { params: paramsOf } = await openDataFixture(app)
  await app.as.admin.signIn()
  const params = { clientId: app.harbour.id }
  const { Password, User } = (await app.as.admin.call(warehouse.newPassword, { params })).body
  const login = await createLoginFor(app, app.idOf('user'))
  await runAs(await writerOf(app), everything)
  await applyAccess(app.services, app.harbour.id)
  const userRows = await selectAs(app, app.idOf('user'), 'SELECT * FROM excel."B2SBudget2026"')
  const { row } = await ensureWarehouse(app.services, app.harbour.id)
  const superuser = app.services.warehouse.admin
  const before = await readWholeCatalogue(superuser, row.databaseName)
  const serverId = await registerServer(app, west, { name: 'West', region: 'Dublin' })
  await startMove(app, serverId)
  const catalogues: Awaited<ReturnType<typeof readWholeCatalogue>>[] = []
  await runDueMoves(app, {
    beforeStep: async (state) => {
      if (state === 'SWITCHED') catalogues.push(await readWholeCatalogue(west.superuser, row.databaseName))
    },
  })
  expect(await readMove(app)).toMatchObject({
    State: 'KEPT',
    Notice: null,
    FromServer: { Name: 'Default' },
    ToServer: { Name: 'West' },
  })
  expect(catalogues[0]).toEqual(before)
  expect(await selectAs(app, app.idOf('user'), 'SELECT * FROM excel."B2SBudget2026"')).toEqual(userRows)
  expect(userRows).toHaveLength(1)
  const there = { host: west.host, port: west.port }
  const reader = { ...there, database: row.databaseName, user: User, password: Password ?? '' }
  const sums = 'SELECT count(*)::int AS n, sum(price)::text AS s, max(id)::int AS m FROM shop."Odd ""names"""'
  expect(await runAs(reader, sums)).toEqual([{ n: 2000, s: '247037.034789000', m: 6002 }])
  expect(await runAs({ ...login, ...there }, 'SELECT count(*)::int AS n FROM excel."B2SBudget2026"')).toEqual([
    { n: 1 },
  ])
  for (const old of [{ ...reader, ...oldServer(superuser) }, login])
    await expect(runAs(old, 'SELECT 1')).rejects.toThrow(/not permitted to log in|permission denied for database/u)
  const writer = await writerOf(app)
  expect(writer.port).toBe(west.port)
  expect(await runAs(writer, `INSERT INTO shop."Odd ""names""" ("a b") VALUES ('next') RETURNING id::int`)).toEqual([
    { id: 6005 },
  ])
  expect((await app.as.admin.call(warehouse.read, { params })).body).toMatchObject({
    Port: west.port,
    Region: 'Dublin',
  })
  expect(await findAuditEvents(app.store, 'warehouse.move_requested')).toHaveLength(1)
  const [moved] = await findAuditEvents(app.store, 'warehouse.moved')
  expect(moved?.detail).toMatchObject({ tables: expect.any(Number), rows: expect.any(Number) })
  expect(paramsOf().schema).toBe('shop')
  app.clock.advance(86_400_001)
  await runDueMoves(app)
  expect(await readMove(app)).toMatchObject({ State: 'DONE', EndedAtUtc: expect.any(String) })
  const left = `SELECT datname FROM pg_database WHERE datname = '${row.databaseName}' UNION SELECT rolname FROM pg_roles WHERE starts_with(rolname, '${row.databaseName}')`
  expect(await runAs(superuser, left)).toEqual([])
  expect(await findAuditEvents(app.store, 'warehouse.old_copy_dropped')).toHaveLength(1)
})

function oldServer({ host, port }: ClientConfig) {
  return { host, port }
}
