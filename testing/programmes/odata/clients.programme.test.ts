/** Clients of other authors read the whole feed, and find what SQL finds. */
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillWarehouse } from '../../server/access/odata-feed.ts'
import { runAs, writerOf } from '../../server/access/warehouse-login.ts'
import { addPerson } from '../../server/identity/add-person.ts'
import { makeToken } from '../../server/identity/make-token.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'

const { TRIBUTARY_ODATA_NPM: npmFolder = '', TRIBUTARY_ODATA_PYTHON: python = '' } = process.env

let app: TestApp
let environment: Record<string, string>
beforeAll(async () => {
  app = await testApp()
  await fillWarehouse(
    app,
    `CREATE SCHEMA shop;
     CREATE TABLE shop.invoice (id int PRIMARY KEY, number varchar(20), total numeric(12,2), paid boolean, issued date, seen timestamptz, ref uuid, rate double precision);
     INSERT INTO shop.invoice SELECT n, 'INV ''é' || n, n * 1.25, n % 2 = 0, date '2026-01-01' + n % 300, timestamptz '2026-01-01' + n * interval '1 hour', gen_random_uuid(), n / 8.0
       FROM generate_series(1, 60000) AS n;
     CREATE TABLE shop.pair (x text, y int, PRIMARY KEY (x, y)); INSERT INTO shop.pair VALUES ('a', 1), ('b', 2);
     CREATE TABLE shop.line (a int, b text); INSERT INTO shop.line VALUES (1, NULL), (1, NULL);
     CREATE TABLE shop.empty (id int PRIMARY KEY);
     CREATE VIEW shop.totals AS SELECT paid, sum(total) AS total FROM shop.invoice GROUP BY paid`,
  )
  const admin = await addPerson(app, { [app.harbour.id]: 'admin' })
  const { secret } = await makeToken(app, admin, { scopes: ['data.read'] })
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as { port: number }
  environment = { ODATA_SERVICE: `http://127.0.0.1:${port}/odata/${app.harbour.id}/`, ODATA_TOKEN: secret }
})
afterAll(() => app[Symbol.asyncDispose]())

test.each([
  ['@odata/client from npm', process.execPath, 'read-everything.mjs', npmFolder],
  ['python-odata from PyPI', python, 'read-everything.py', dirname(python)],
])('[SEE-9] %s reads every set with every row', async (_, program, script, folder) => {
  expect(folder).not.toBe('')
  const { stdout } = await promisify(execFile)(program, [join(import.meta.dirname, 'clients', script)], {
    env: { ...process.env, ...environment, ODATA_PACKAGES: folder },
    maxBuffer: 200_000_000,
  })
  const found = JSON.parse(stdout) as Record<string, Record<string, unknown>[]>
  expect(Object.keys(found).toSorted()).toEqual(['shop_empty', 'shop_invoice', 'shop_line', 'shop_pair', 'shop_totals'])
  const [sums] = await runAs(
    await writerOf(app),
    'SELECT count(*)::int AS rows, sum(total)::float8 AS total, sum(rate) AS rate FROM shop.invoice',
  )
  const invoices = found['shop_invoice'] ?? []
  const sum = (name: string) => invoices.reduce((total, row) => total + Number(row[name]), 0)
  expect({ rows: invoices.length, total: sum('total'), rate: sum('rate') }).toEqual(sums)
  expect(invoices[0]).toMatchObject({ id: 1, number: "INV 'é1", paid: false })
  expect(found['shop_pair']).toHaveLength(2)
  expect(found['shop_line']).toHaveLength(2)
  expect(found['shop_totals']).toHaveLength(2)
})
