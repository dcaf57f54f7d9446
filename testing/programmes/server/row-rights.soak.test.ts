/** Compares what each login reads with a model that tests every slice against every grant, for random organisations. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { ClientConfig } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RoleName } from '@tributary/contract/capabilities'
import { addPerson } from '../../server/identity/add-person.ts'
import {
  arbitraryOrganisation,
  type ModelMember,
  type ModelOrganisation,
  storeOrganisation,
} from '../../server/identity/arbitrary-organisation.ts'
import { modelUse } from '../../server/identity/entitlement-model.ts'
import { createLoginFor, refreshTable, runAs, selectAs } from '../../server/access/warehouse-login.ts'
import { roleIdOf } from '../../server/app/fixed-ids.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { column, stream, table } from '../../engine/sync/fixtures.ts'
import type { Db } from '../../../server/src/kernel/store/store.ts'
import { helperTable, versionTable } from '../../../server/src/planning/tables/planned-tables.ts'
import { isFull, seed } from '../extent.ts'
import { keepAccess } from '../../../server/src/access/logins/keep-access.ts'

const configurations = isFull ? 1_000 : 60
const four = [0, 1, 2, 3]
/** The ids that `arbitraryOrganisation` gives. */
const idOf = (kind: 'Area' | 'Subarea' | 'Version' | 'Milestone' | 'Table' | 'Entity', at: number) =>
  `00000000-0000-4000-8000-0000000009${['Area', 'Subarea', 'Version', 'Milestone', 'Table', 'Entity'].indexOf(kind)}${at}`

/** Every slice that any of the organisations may have, in each version. */
const slices = four.flatMap((version) =>
  four.flatMap((milestone) =>
    four.flatMap((entity) =>
      four.flatMap((area) =>
        four.map((subarea) => {
          const label = [version, milestone, entity, area, subarea].join('')
          const ids = {
            versionId: idOf('Version', version),
            milestoneId: idOf('Milestone', milestone),
            entityId: idOf('Entity', entity),
            areaId: idOf('Area', area),
            subareaId: idOf('Subarea', subarea),
          }
          const hash = createHash('sha256').update(label).digest('hex')
          const sliceId = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
          return { label, sliceId, ids }
        }),
      ),
    ),
  ),
)

let app: TestApp
let memberIds: readonly string[]
const logins: ClientConfig[] = []
const connectors = ['one', 'two']
const connectorIds: string[] = []

beforeAll(async () => {
  app = await testApp()
  const organisationId = app.harbour.id
  memberIds = await Promise.all(four.slice(1).map(async () => (await addPerson(app, { [organisationId]: 'user' })).id))
  await app.store.within(organisationId, async (db) => {
    await db.insertInto('tableSync').values({ organisationId, writerId: organisationId }).execute()
    for (const name of connectors) {
      const row = { organisationId, key: name, type: 'postgres', name, originalName: name }
      connectorIds.push((await db.insertInto('connector').values(row).returning('id').executeTakeFirstOrThrow()).id)
    }
  })
  await createTables(organisationId)
  for (const id of memberIds) logins.push(await createLoginFor(app, id))
}, 120_000)
afterAll(() => app[Symbol.asyncDispose]())

async function createTables(organisationId: string): Promise<void> {
  const label = column('Label', { kind: 'text' })
  const excel = { schema: 'excel', connectorId: organisationId }
  for (const at of four) {
    const { stream: version } = versionTable({ id: idOf('Version', at), name: `Version ${at}` })
    const columns = [column('SliceId', { kind: 'guid' }), label]
    const rows = slices.filter(({ ids }) => ids.versionId === version.name)
    await refreshTable(
      app,
      excel,
      { ...version, table: { ...version.table, columns } },
      rows.map((slice) => [slice.sliceId, slice.label]),
    )
    const { stream: helper } = helperTable({ id: idOf('Table', at), inputTableName: `Table${at}` })
    await refreshTable(app, excel, { ...helper, table: { ...helper.table, columns: [label] } }, [[`helper ${at}`]])
  }
  for (const [at, name] of connectors.entries()) {
    const of = stream(table(name, [label], []), { reads: 'whole' })
    await refreshTable(app, { schema: 'shop', connectorId: connectorIds[at] ?? '' }, of, [[name]])
  }
}

interface Draw {
  readonly made: ModelOrganisation
  readonly roles: readonly RoleName[]
  readonly assigned: readonly (readonly boolean[])[]
}

async function store(db: Db, { made, roles, assigned }: Draw): Promise<void> {
  const organisationId = app.harbour.id
  const none = { allHelperTables: false, allEntities: false }
  await db.updateTable('membership').set(none).where('userId', 'in', memberIds).execute()
  await storeOrganisation(db, organisationId, made)
  const of = new Map(made.milestones.map(({ id, versionId }) => [id, versionId]))
  const has = (things: readonly { readonly id: string }[], id: string) => things.some((thing) => thing.id === id)
  const existing = slices.filter(
    ({ ids }) =>
      of.get(ids.milestoneId) === ids.versionId &&
      has(made.entities, ids.entityId) &&
      has(made.areas, ids.areaId) &&
      has(made.subareas, ids.subareaId),
  )
  if (existing.length > 0)
    await db
      .insertInto('slice')
      .values(existing.map(({ sliceId, ids }) => ({ organisationId, sliceId, ...ids })))
      .execute()
  await db.deleteFrom('connectorUser').where('organisationId', '=', organisationId).execute()
  for (const [at, userId] of memberIds.entries()) {
    await db
      .updateTable('membership')
      .set({ roleId: roleIdOf(roles[at] ?? 'user') })
      .where('userId', '=', userId)
      .execute()
    const connectorsOf = connectorIds.filter((_, which) => assigned[at]?.[which] === true)
    for (const connectorId of connectorsOf)
      await db.insertInto('connectorUser').values({ organisationId, connectorId, userId }).execute()
  }
}

const withoutRights: ModelMember = {
  id: '',
  groupIds: [],
  helperTableIds: [],
  entityIds: [],
  allHelperTables: false,
  allEntities: false,
}

/** The labels of all rows that a member should read. */
function expectedLabels({ made, roles, assigned }: Draw, at: number): readonly string[] {
  if (roles[at] === 'admin')
    return [...slices.map(({ label }) => label), ...four.map((one) => `helper ${one}`), ...connectors]
  const ofConnectors = connectors.filter((_, which) => assigned[at]?.[which] === true)
  if (roles[at] === 'guest') return ofConnectors
  const use = modelUse(made, made.members[at] ?? withoutRights)
  const usable = (kind: 'pairs' | 'milestones' | 'entities') => new Set(use[kind].map(({ ids }) => ids.join()))
  const [pairs, milestones, entities] = [usable('pairs'), usable('milestones'), usable('entities')]
  const rows = slices.filter(
    ({ ids }) =>
      pairs.has(`${ids.areaId},${ids.subareaId}`) &&
      milestones.has(`${ids.versionId},${ids.milestoneId}`) &&
      entities.has(ids.entityId),
  )
  const helpers = four.filter((one) => use.helperTables.some(({ ids }) => ids[0] === idOf('Table', one)))
  return [...rows.map(({ label }) => label), ...helpers.map((one) => `helper ${one}`), ...ofConnectors]
}

const tables = [
  ...four.map((at) => `excel."B2SVersion${at}"`),
  ...four.map((at) => `excel."B2STable${at}"`),
  ...connectors.map((name) => `shop.${name}`),
]
/** All rows of the tables that the login may read. */
const readableLabels = `SELECT label FROM (SELECT 1) AS nothing
  CROSS JOIN LATERAL (SELECT unnest(xpath('//*[local-name() = ''Label'']/text()', query_to_xml(statement, true, false, '')))::text AS label
    FROM unnest(ARRAY[${tables.map((name) => `'${name}'`).join(', ')}]) AS name
    CROSS JOIN LATERAL (SELECT CASE WHEN NOT has_schema_privilege(split_part(name, '.', 1), 'USAGE') THEN 'SELECT WHERE false'
      WHEN has_table_privilege(name, 'SELECT') THEN format('SELECT "Label" FROM %s', name) ELSE 'SELECT WHERE false' END AS statement) AS query) AS rows
  ORDER BY label`

test(`[SEE-2] every login reads exactly the rows of the model, in ${configurations} random organisations`, async () => {
  const three = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one, one)
  const draws = fc.record({
    made: arbitraryOrganisation(memberIds),
    roles: three(fc.constantFrom<RoleName>('user', 'user', 'user', 'user', 'guest', 'admin')),
    assigned: three(fc.tuple(fc.boolean(), fc.boolean())),
  })
  let compared = 0
  const property = fc.asyncProperty(draws, async (draw) => {
    await app.store.within(app.harbour.id, (db) => store(db, draw))
    await keepAccess(app.services)
    for (const at of memberIds.keys()) compared += await compareLogins(draw, at)
  })
  await fc.assert(property, { seed, numRuns: configurations, endOnFailure: true })
  expect(compared).toBeGreaterThan(configurations)
}, 1_800_000)

/** Returns the number of rows that both logins of the member have read. */
async function compareLogins(draw: Draw, at: number): Promise<number> {
  const userId = memberIds[at] ?? ''
  const expected = expectedLabels(draw, at).toSorted()
  const portal = await selectAs(app, userId, readableLabels).catch((error: unknown) => error as Error)
  if (portal instanceof Error) {
    // Someone who may read nothing cannot connect at all.
    expect(expected).toEqual([])
    expect(portal).toMatchObject({ code: 'dataNotReadable' })
    await expect(runAs(logins[at] ?? {}, 'SELECT 1')).rejects.toThrow(/not permitted to log in|authentication failed/)
    return 0
  }
  expect(portal.flat().toSorted()).toEqual(expected)
  const sql = await runAs(logins[at] ?? {}, readableLabels).catch(async (error: unknown) => {
    // The login was dropped while the person was a guest without a connector.
    expect(String(error)).toContain('authentication failed')
    logins[at] = await createLoginFor(app, userId)
    return runAs(logins[at], readableLabels)
  })
  expect(sql.map(({ label }) => String(label)).toSorted()).toEqual(expected)
  return expected.length
}
