/** Made-up queries as several people: the feed returns exactly the rows that the query means and the person may read. */
import { assignments } from '@tributary/contract/assignments'
import { groups } from '@tributary/contract/groups'
import { createRandom, type Random } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fillWarehouse, type FeedOptions, getFeed, withOptions } from '../../server/access/odata-feed.ts'
import { runAs, writerOf } from '../../server/access/warehouse-login.ts'
import { addPerson } from '../../server/identity/add-person.ts'
import { structureCalls } from '../../server/excel/create-structure.ts'
import { defaultSlice, LoadClient, planForLoads } from '../../server/excel/load-sheets.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { isFull, printFigure, seed } from '../extent.ts'
import { damaged, type FuzzRow, makeFilter } from './made-up-queries.ts'

const queries = isFull ? 20_000 : 400
const set = '/excel_B2SBudget2026'

let app: TestApp
/** Each person, and the rows of the version table that they may read. */
let people: readonly { readonly options: FeedOptions; readonly rows: readonly FuzzRow[]; readonly status: number }[]
beforeAll(async () => {
  app = await testApp()
  const plan = await planForLoads(app)
  const planner = await addPerson(app, { [app.harbour.id]: 'user' })
  const reader = await addPerson(app, { [app.harbour.id]: 'user' })
  await grantCellar(planner.id)
  await app.as.admin.call(assignments.setHelperTablesOfUser, {
    params: { userId: reader.id },
    body: { ids: [plan.ratesId] },
  })
  const admin = new LoadClient(app.as.admin)
  const [bar, cellar] = [rowsOf('bar', 0), rowsOf('cellar', 30)]
  const columns = ['Amount', 'Owner', 'Note']
  const cells = (rows: readonly FuzzRow[]) =>
    rows.map(({ Amount, Owner, Note }) => [{ n: String(Amount) }, Owner, Note])
  await admin.load({ versionId: plan.versionId }, { columns, rows: cells(bar) })
  await admin.load(
    { versionId: plan.versionId },
    { columns, rows: cells(cellar) },
    { ...defaultSlice, subarea: 'Cellar' },
  )
  await admin.load({ helperTableId: plan.ratesId }, { columns: ['Code'], rows: [['EUR']] })
  // Sheets have no empty texts; the table may.
  await runAs(await writerOf(app), `UPDATE excel."B2SBudget2026" SET "Note" = NULL WHERE "Note" = ''`)
  await fillWarehouse(app, 'CREATE SCHEMA shop; CREATE TABLE shop.secret AS SELECT 1 AS id')
  people = [
    { options: { as: 'admin' }, rows: [...bar, ...cellar], status: 200 },
    { options: { as: 'user' }, rows: bar, status: 200 },
    { options: await asPerson(planner), rows: cellar, status: 200 },
    { options: await asPerson(reader), rows: [], status: 404 },
    { options: { as: 'guest' }, rows: [], status: 403 },
    { options: { as: 'otherAdmin' }, rows: [], status: 404 },
  ]
})
afterAll(() => app[Symbol.asyncDispose]())

const notes = [null, 'a', 'B', "it's", '%', '_', '\\', 'é', '100', 'bar', 'cellar', 'a_b%']

function rowsOf(owner: string, from: number): FuzzRow[] {
  return Array.from({ length: 30 }, (_, at) => ({
    Amount: from + at,
    Owner: owner,
    Note: notes[(from + at * 7) % notes.length] ?? null,
  }))
}

/** The admin, too, loads only where they are entitled to. */
async function grantCellar(plannerId: string): Promise<void> {
  const groupId = await structureCalls(app).group('Cellar people')
  const { area, subarea, version, milestones, entity } = await app.store.within(app.harbour.id, async (db) => ({
    area: await db.selectFrom('area').select('id').where('name', '=', 'Kitchen').executeTakeFirstOrThrow(),
    subarea: await db.selectFrom('subarea').select('id').where('name', '=', 'Cellar').executeTakeFirstOrThrow(),
    version: await db.selectFrom('version').select('id').executeTakeFirstOrThrow(),
    milestones: await db.selectFrom('milestone').select('id').execute(),
    entity: await db.selectFrom('entity').select('id').executeTakeFirstOrThrow(),
  }))
  await app.as.admin.call(groups.grantPair, { body: { groupId, areaId: area.id, subAreaId: subarea.id } })
  for (const { id: milestoneId } of milestones)
    await app.as.admin.call(groups.grantMilestone, { body: { groupId, versionId: version.id, milestoneId } })
  const known = await app.store.within(app.harbour.id, (db) => db.selectFrom('permissionGroup').select('id').execute())
  const admin = app.idOf('admin')
  await app.as.admin.call(assignments.setGroupsOfUser, {
    params: { userId: admin },
    body: { ids: known.map(({ id }) => id) },
  })
  await app.as.admin.call(assignments.setGroupsOfUser, { params: { userId: plannerId }, body: { ids: [groupId] } })
  const users = [admin, app.idOf('user'), plannerId]
  await app.as.admin.call(assignments.setUsersOfEntity, { params: { entityId: entity.id }, body: { ids: users } })
}

async function asPerson({ client }: Awaited<ReturnType<typeof addPerson>>): Promise<FeedOptions> {
  const session = await client.session()
  return { as: 'visitor', headers: { authorization: `Bearer ${session?.accessToken}` } }
}

test(
  `[SEE-2] [SEE-8] [SEE-9] ${queries} made-up queries as six people return the rows that they mean, no foreign row and no fault`,
  { timeout: 3_600_000 },
  async () => {
    const random = createRandom(seed)
    const counts = { answered: 0, refused: 0, rows: 0 }
    for (let number = 0; number < queries; number++) {
      const outcome = await (random.next() < 0.7 ? askFor(random) : askDamaged(random))
      counts[outcome.isAnswered ? 'answered' : 'refused'] += 1
      counts.rows += outcome.rows
    }
    expect(counts.answered).toBeGreaterThan(queries / 4)
    expect(counts.refused).toBeGreaterThan(queries / 10)
    printFigure(
      `odata: ${queries} queries as 6 people, ${counts.answered} answered with ${counts.rows} rows, ${counts.refused} refused`,
    )
  },
)

async function askFor(random: Random) {
  const { options, rows, status } = random.pick(people)
  const filter = makeFilter(random)
  const matching = rows.filter((row) => filter.matches(row) === true)
  const way = random.pick(Object.keys(waysToAsk) as (keyof typeof waysToAsk)[])
  const path = withOptions(way === 'count' ? `${set}/$count` : set, waysToAsk[way](filter.text))
  if (path.length > 11_000) return { isAnswered: false, rows: 0 }
  const reply = await getFeed(app, path, options)
  expect([filter.text, reply.status, status === 200 && reply.body.error]).toEqual([
    filter.text,
    status,
    status === 200 && undefined,
  ])
  if (status !== 200) return { isAnswered: false, rows: 0 }
  const amounts = matching.map(({ Amount }) => Amount)
  const found = {
    rows: amounts,
    page: amounts.toReversed().slice(2, 7),
    sum: sumsOf(matching),
    count: matching.length,
  }[way]
  const answer =
    way === 'count' ? Number(reply.text) : reply.body.value.map((row) => (way === 'sum' ? row : row['Amount']))
  expect([filter.text, answer]).toEqual([filter.text, found])
  return { isAnswered: true, rows: amounts.length }
}

const waysToAsk = {
  rows: ($filter: string) => ({ $filter, $orderby: 'Amount', $select: 'Amount' }),
  page: ($filter: string) => ({ $filter, $orderby: 'Amount desc', $skip: '2', $top: '5', $select: 'Amount' }),
  count: ($filter: string) => ({ $filter }),
  sum: (filter: string) => ({
    $apply: `filter(${filter})/groupby((Owner),aggregate(Amount with sum as Sum,$count as Rows))`,
    $orderby: 'Owner',
  }),
}

function sumsOf(matching: readonly FuzzRow[]): unknown[] {
  const byOwner = Map.groupBy(matching, ({ Owner }) => Owner)
  return [...byOwner]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([Owner, rows]) => ({
      Owner,
      'Sum@odata.type': '#Decimal',
      Sum: rows.reduce((sum, { Amount }) => sum + Amount, 0),
      'Rows@odata.type': '#Int64',
      Rows: rows.length,
    }))
}

/** Whatever is sent, the reply holds no row that the person may not read. */
async function askDamaged(random: Random) {
  const { options, rows } = random.pick(people)
  const text = damaged(random, makeFilter(random).text)
  const name = random.pick(['$filter', '$orderby', '$search', '$select', '$apply', '$skiptoken', '$top', '$format'])
  const path = withOptions(set, { [name]: name === '$apply' ? `filter(${text})` : text })
  const { status, body, text: reply } = await getFeed(app, path.slice(0, 11_900), options)
  expect([text, status < 500 || status === 501]).toEqual([text, true])
  if (status !== 200) return { isAnswered: false, rows: 0 }
  const owners = new Set(rows.map(({ Owner }) => Owner))
  const foreign = body.value.filter(({ Owner }) => Owner !== undefined && !owners.has(String(Owner)))
  expect([text, foreign, reply.includes('secret')]).toEqual([text, [], false])
  return { isAnswered: true, rows: body.value.length }
}
