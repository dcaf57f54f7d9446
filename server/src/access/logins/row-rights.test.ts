import { assignments } from '@tributary/contract/assignments'
import { planningStructure } from '@tributary/contract/planning-structure'
import { tableSync } from '@tributary/contract/table-sync'
import { warehouse } from '@tributary/contract/warehouse'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  applyChanges,
  asReader,
  createLoginFor,
  keepOpen,
  refreshTable,
  runAs,
  selectAs,
  writerOf,
} from '@tributary/testing/server/access/warehouse-login.ts'
import { column, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { type PlanFixture, LoadClient, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import { roleIdOf, statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { addPerson } from '@tributary/testing/server/identity/add-person.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { versionTable } from '../../planning/tables/planned-tables.ts'
import type { Db } from '../../kernel/store/store.ts'
import { listTables } from '../query/list-tables.ts'
import { scramVerifier } from '../warehouse/scram.ts'
import { keepAccess } from './keep-access.ts'
import { ensurePrincipal } from './principals.ts'
import { principalRoles } from './role-names.ts'
import { revokeSqlLogin } from './sql-login.ts'

let app: TestApp
let plan: PlanFixture
beforeEach(async () => {
  app = await testApp()
  plan = await planForLoads(app)
  const admin = new LoadClient(app.as.admin)
  await admin.load({ versionId: plan.versionId }, { columns: ['Amount'], rows: [['1'], ['2']] })
  await admin.load({ helperTableId: plan.ratesId }, { columns: ['Code'], rows: [['EUR']] })
})
afterEach(() => app[Symbol.asyncDispose]())

const amounts = 'SELECT "Amount"::int::text FROM excel."B2SBudget2026" ORDER BY 1'
const codes = 'SELECT "Code" FROM excel."B2SRates"'
const denied = 'permission denied'

async function insertRow(sliceId: string | null): Promise<void> {
  const value = sliceId === null ? 'NULL' : `'${sliceId}'`
  await runAs(await writerOf(app), `INSERT INTO excel."B2SBudget2026" ("Amount", "SliceId") VALUES (5, ${value})`)
}

test('[SEE-2] a person reads the rows of version tables that their rights allow, and their helper tables', async () => {
  const user = app.idOf('user')
  expect(await selectAs(app, user, amounts)).toEqual([['1'], ['2']])
  expect(await selectAs(app, user, codes)).toEqual([['EUR']])
  // A row that belongs to no slice is nobody's, except the administrators'.
  await insertRow(null)
  await insertRow('00000000-0000-4000-8000-000000000000')
  expect(await selectAs(app, user, amounts)).toEqual([['1'], ['2']])
  expect(await selectAs(app, app.idOf('admin'), amounts)).toEqual([['1'], ['2'], ['5'], ['5']])
  const { body: shared } = await app.as.admin.call(warehouse.newPassword, { params: { clientId: app.harbour.id } })
  const { Host: host, Port: port, Database: database, User: reader, Password } = shared
  const report = { host, port, database, user: reader, password: Password ?? '' }
  expect(await runAs(report, 'SELECT count(*)::int AS n FROM excel."B2SBudget2026"')).toEqual([{ n: 4 }])
})

test('[SEE-2] a change of rights takes effect with the next poll of the keeper, and ends connections that lost a right', async () => {
  const user = app.idOf('user')
  const login = await createLoginFor(app, user)
  await using before = await keepOpen(login)
  const setGroups = (ids: string[]) =>
    app.as.admin.call(assignments.setGroupsOfUser, { params: { userId: user }, body: { ids } })
  await setGroups([])
  await keepAccess(app.services)
  await before.ended
  await expect(runAs(login, amounts)).rejects.toThrow(denied)
  await expect(selectAs(app, user, amounts)).rejects.toThrow(denied)
  expect(await runAs(login, codes)).toEqual([{ Code: 'EUR' }])
  // More rights end nothing.
  await using open = await keepOpen(login)
  await setGroups([plan.groupId])
  await keepAccess(app.services)
  expect((await open.client.query(amounts)).rows).toHaveLength(2)
  await app.as.admin.call(assignments.setUsersOfEntity, {
    params: { entityId: (await app.as.admin.call(planningStructure.entities)).body[0]?.Id ?? '' },
    body: { ids: [app.idOf('admin')] },
  })
  await keepAccess(app.services)
  await open.ended
  expect(await runAs(login, amounts)).toEqual([])
})

test('[SEE-2] rows of a new slice, a new column and a renamed table are readable like those before', async () => {
  const user = app.idOf('user')
  expect(await selectAs(app, user, amounts)).toHaveLength(2)
  const july = { entity: 'One', area: 'Kitchen', subarea: 'Bar', milestone: 'July' }
  const sheet = { columns: ['Amount', 'Note'], rows: [['3', 'new']] }
  await new LoadClient(app.as.admin).load({ versionId: plan.versionId }, sheet, july)
  await keepAccess(app.services)
  expect(await selectAs(app, user, 'SELECT "Note" FROM excel."B2SBudget2026" WHERE "Note" IS NOT NULL')).toEqual([
    ['new'],
  ])
  await app.as.admin.call(planningStructure.changeVersion, {
    params: { versionId: plan.versionId },
    body: { name: 'Forecast' },
  })
  expect((await app.as.admin.call(tableSync.synchronise, { params: { clientId: app.harbour.id } })).status).toBe(200)
  await keepAccess(app.services)
  expect(await selectAs(app, user, 'SELECT count(*)::int FROM excel."B2SForecast"')).toEqual([[3]])
})

test('[SEE-2] a version table keeps its policy and its grants through a swap, and is closed until a new one has them', async () => {
  const user = app.idOf('user')
  expect(await selectAs(app, user, amounts)).toHaveLength(2)
  const writer = await writerOf(app)
  const [own] = await runAs(writer, `SELECT "SliceId" AS id FROM excel."B2SBudget2026" LIMIT 1`)
  const { connectorId } = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('tableSync').select('writerId as connectorId').executeTakeFirstOrThrow(),
  )
  const { stream: planned } = versionTable({ id: plan.versionId, name: 'Budget 2026' })
  const amount = column('Amount', { kind: 'decimal', precision: 18, scale: 2 })
  const refreshed = { ...planned, table: { ...planned.table, columns: [column('SliceId', { kind: 'guid' }), amount] } }
  const oid = () => runAs(writer, `SELECT 'excel."B2SBudget2026"'::regclass::oid AS oid`)
  const before = await oid()
  await refreshTable(app, { schema: 'excel', connectorId }, refreshed, [
    [String(own?.['id']), '8'],
    ['00000000-0000-4000-8000-000000000000', '9'],
  ])
  expect(await oid()).not.toEqual(before)
  expect(await selectAs(app, user, amounts)).toEqual([['8']])
  await runAs(writer, 'DROP TABLE excel."B2SBudget2026"')
  await refreshTable(app, { schema: 'excel', connectorId }, refreshed, [[String(own?.['id']), '7']])
  await expect(selectAs(app, user, amounts)).rejects.toThrow(denied)
  await applyChanges(app)
  expect(await selectAs(app, user, amounts)).toEqual([['7']])
})

test('[SEE-2] an assigned person reads all tables of the connector, new ones too, and neither those of others nor views over them', async () => {
  const [mine, theirs] = [await addConnector('Mine'), await addConnector('Theirs')]
  const guest = app.idOf('guest')
  await app.store.within(app.harbour.id, (db) =>
    db
      .insertInto('connectorUser')
      .values({ organisationId: app.harbour.id, connectorId: mine, userId: guest })
      .execute(),
  )
  const id = column('id', { kind: 'integer', bytes: 4 }, false)
  const [one, two] = [stream(table('one', [id])), stream(table('two', [id]))]
  await refreshTable(app, { schema: 'shop', connectorId: mine }, one, [['1']])
  await refreshTable(app, { schema: 'shop', connectorId: theirs }, two, [['2']])
  const writer = await writerOf(app)
  await runAs(
    writer,
    `CREATE VIEW shop.own AS SELECT * FROM shop.one; CREATE VIEW shop.mixed AS SELECT * FROM shop.one UNION SELECT * FROM shop.two;
     CREATE VIEW shop.nested AS SELECT * FROM shop.mixed; CREATE VIEW shop.checked WITH (security_invoker) AS SELECT * FROM shop.one`,
  )
  expect(await selectAs(app, guest, 'SELECT id FROM shop.one')).toEqual([[1]])
  for (const view of ['own', 'checked'])
    expect(await selectAs(app, guest, `SELECT id FROM shop.${view}`)).toEqual([[1]])
  for (const name of ['two', 'mixed', 'nested', 'tributary_table', 'tributary_run'])
    await expect(selectAs(app, guest, `SELECT * FROM shop.${name}`)).rejects.toThrow(denied)
  await expect(selectAs(app, guest, amounts)).rejects.toThrow(denied)
  await refreshTable(app, { schema: 'shop', connectorId: mine }, stream(table('three', [id])), [['3']])
  await applyChanges(app)
  expect(await selectAs(app, guest, 'SELECT id FROM shop.three')).toEqual([[3]])
  expect(
    (await listTables(app.services, app.harbour.id, { userId: guest })).map(({ name, owner }) => [name, owner.kind]),
  ).toEqual([
    ['checked', 'view'],
    ['one', 'connector'],
    ['own', 'view'],
    ['three', 'connector'],
  ])
  const session = await createLoginFor(app, guest)
  await using open = await keepOpen(session)
  await app.store.within(app.harbour.id, (db) => db.deleteFrom('connectorUser').where('userId', '=', guest).execute())
  await keepAccess(app.services)
  await open.ended
  await expect(runAs(session, 'SELECT 1')).rejects.toThrow(/does not exist|authentication failed|not permitted/)
  await expect(asReader(app, guest, (client) => client.query('SELECT 1'))).rejects.toMatchObject({
    code: 'dataNotReadable',
  })
})

async function addConnector(name: string): Promise<string> {
  const row = { organisationId: app.harbour.id, key: name.toLowerCase(), type: 'postgres', name, originalName: name }
  const { id } = await app.store.within(app.harbour.id, (db) =>
    db.insertInto('connector').values(row).returning('id').executeTakeFirstOrThrow(),
  )
  return id
}

test('[SEE-1] a new password of a login ends the sessions of the former one, and a revoked login is gone', async () => {
  const user = app.idOf('user')
  const first = await createLoginFor(app, user)
  await using open = await keepOpen(first)
  const second = await createLoginFor(app, user)
  await open.ended
  expect(second.user).toBe(first.user)
  await expect(runAs(first, 'SELECT 1')).rejects.toThrow('authentication failed')
  await using later = await keepOpen(second)
  await revokeSqlLogin(app.services, { organisationId: app.harbour.id, userId: user }, () => Promise.resolve())
  await later.ended
  await expect(runAs(second, 'SELECT 1')).rejects.toThrow('authentication failed')
  // The server still reads for the person.
  expect(await selectAs(app, user, codes)).toEqual([['EUR']])
})

test('[SEE-1] after a server died between storing a new password and setting it, the keeper ends the former one, for programs and the portal', async () => {
  const userId = app.idOf('user')
  const former = await createLoginFor(app, userId)
  const portal = await portalLoginOf(userId)
  await using open = await keepOpen(former)
  await using openPortal = await keepOpen(portal)
  const verifier = scramVerifier('new-password')
  await app.store.within(app.harbour.id, (db) =>
    db
      .updateTable('warehousePrincipal')
      .set({ sqlVerifier: verifier, portalVerifier: verifier })
      .where('userId', '=', userId)
      .execute(),
  )
  await keepAccess(app.services)
  await Promise.all([open.ended, openPortal.ended])
  for (const login of [former, portal]) {
    await expect(runAs(login, 'SELECT 1')).rejects.toThrow('authentication failed')
    expect(await runAs({ ...login, password: 'new-password' }, codes)).toEqual([{ Code: 'EUR' }])
  }
})

async function portalLoginOf(userId: string) {
  const { principal, password } = await app.store.within(app.harbour.id, (db) =>
    ensurePrincipal(app.services, db, app.harbour.id, userId),
  )
  const writer = await writerOf(app)
  return { ...writer, user: principalRoles(writer.database ?? '', principal.id).portal, password }
}

test('[SEE-1] logins of people who leave, are locked or become guests are gone with the next poll, and their connections end', async () => {
  const changes: Record<string, (db: Db, userId: string) => Promise<unknown>> = {
    leaves: (db, userId) => db.deleteFrom('membership').where('userId', '=', userId).execute(),
    locked: (db, userId) =>
      db.updateTable('portalUser').set({ statusId: statusIds.locked }).where('id', '=', userId).execute(),
    demoted: (db, userId) =>
      db
        .updateTable('membership')
        .set({ roleId: roleIdOf('guest') })
        .where('userId', '=', userId)
        .execute(),
  }
  for (const change of Object.values(changes)) {
    const { id } = await addPerson(app, { [app.harbour.id]: 'admin' })
    const login = await createLoginFor(app, id)
    await using open = await keepOpen(login)
    await app.store.across((db) => change(db, id))
    await keepAccess(app.services)
    await open.ended
    await expect(runAs(login, 'SELECT 1')).rejects.toThrow('authentication failed')
    const { admin } = app.services.warehouse
    expect(await runAs(admin, `SELECT rolname FROM pg_roles WHERE rolname LIKE '%${login.user?.slice(-12)}'`)).toEqual(
      [],
    )
  }
})
