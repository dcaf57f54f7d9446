/** Publications in SQL Server, through a stub that records the statements. `npm run programme -- tsql` parses them. */
import { publications } from '@tributary/contract/publications'
import { startTdsStub, type StubAnswer, type TdsStub } from '@tributary/testing/engine/sqlserver/tds-stub.ts'
import { anyRule, publicationRig, type PublicationRig } from '@tributary/testing/server/connectors/publication-rig.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const password = 'canary-sqlserver-password'
let stub: TdsStub
let rig: PublicationRig
beforeAll(async () => {
  stub = await startTdsStub({ user: 'loader', password, answer: answering() })
  rig = await publicationRig({ env: { TRIBUTARY_ALLOW_HOSTS: `${stub.reach.host}:${stub.reach.port}` } })
})
afterAll(async () => {
  await rig[Symbol.asyncDispose]()
  await stub[Symbol.asyncDispose]()
})

/** The texts in a statement. */
const literalsIn = (sql: string) =>
  [...sql.matchAll(/N'((?:[^']|'')*)'/gu)].map(([, text = '']) => text.replaceAll("''", "'"))

/** Like a server keeps the fencing token, what exists in the schema `published`, and the rows there. */
function answering(): (sql: string) => StubAnswer | undefined {
  let writer: readonly string[] = []
  let number: string | undefined
  const existing = new Set<string>()
  const offers = new Map<string, readonly string[]>()
  const claims = new Map<string, { readonly claimed: readonly string[]; definition: string }>()

  function write(sql: string): StubAnswer | undefined {
    const texts = literalsIn(sql)
    const [, fence, runId] = /SET fence = (\d+), run_id = N'([^']+)'/u.exec(sql) ?? []
    if (fence !== undefined && runId !== undefined) writer = [fence, runId]
    const [, created] = /CREATE (?:TABLE|VIEW) (\[published\]\.\[\w+\])/u.exec(sql) ?? []
    if (created !== undefined) existing.add(created)
    if (sql.startsWith('INSERT INTO [published].[tributary_publication_offer]'))
      offers.set(texts.slice(0, 3).join(), texts.slice(3))
    if (sql.startsWith('INSERT INTO [published].[tributary_published_view]'))
      claims.set(texts[0] ?? '', { claimed: texts, definition: '' })
    const claim = claims.get(texts.at(-1) ?? '')
    if (sql.startsWith('UPDATE [published].[tributary_published_view]') && claim !== undefined)
      claim.definition = texts[0] ?? ''
    const [, next] =
      /^(?:UPDATE|INSERT INTO) \[published\]\.\[tributary_publication\] .*?(\d+)(?: WHERE .*|\))$/u.exec(sql) ?? []
    if (next === undefined) return undefined
    const affected = sql.startsWith('UPDATE') && number === undefined ? 0 : 1
    if (affected === 1) number = next
    return { affected }
  }

  function read(sql: string): StubAnswer | undefined {
    const texts = literalsIn(sql)
    if (sql.includes('CONVERT(varchar(20), fence)')) return { rows: [writer] }
    if (sql.startsWith('SELECT OBJECT_ID(N')) return existing.has(texts[0] ?? '') ? { rows: [['1']] } : undefined
    if (sql.startsWith('SELECT cut_off, views FROM')) {
      const offer = offers.get(texts.join())
      return offer && { rows: [offer] }
    }
    if (sql.includes('number) FROM [published].[tributary_publication] WHERE'))
      return number === undefined ? undefined : { rows: [[number]] }
    if (sql.startsWith('SELECT name, definition FROM'))
      return claims.size === 0 ? undefined : { rows: [...claims].map(([name, { definition }]) => [name, definition]) }
    if (sql.startsWith('SELECT name, publication_set, connector, relation FROM'))
      return claims.size === 0 ? undefined : { rows: [...claims.values()].map(({ claimed }) => claimed.slice(0, 4)) }
    return undefined
  }

  return (sql) => write(sql) ?? read(sql)
}

const params = () => ({ clientId: rig.app.harbour.id })

async function findSet() {
  const { body } = await rig.app.as.admin.call(publications.list, { params: params() })
  return body.find(({ Target }) => Target.startsWith('planning on '))
}

/** Adds a connector that loads the database, and publishes it. Returns its id. */
async function publish(): Promise<string> {
  const { host, port } = stub.reach
  const server = { 'data source': `${host},${port}`, 'initial catalog': 'planning', 'user id': 'loader', password }
  const id = await rig.driver.add('Into SQL Server', {}, [
    { name: 'target.connectionString', value: { connector: 'mssql', ...server, encrypt: false } },
    { name: 'target.schema', value: 'sales' },
  ])
  const reply = await rig.app.as.admin.call(publications.save, {
    params: { ...params(), setId: (await findSet())?.Id ?? '' },
    body: { connectors: [id], ...anyRule },
  })
  expect(reply.status).toBe(200)
  return id
}

/** Runs the connector until its run is published. Returns the statements of the transaction that published it. */
async function runAndPublish(connectorId: string): Promise<readonly string[]> {
  const from = stub.statements.length
  const runId = await rig.runOnce(connectorId)
  await until(findSet, (set) => set?.State === 'current' && set.Connectors[0]?.RunId === runId)
  const sent = stub.statements.slice(from)
  const switched = sent.findLastIndex((sql) =>
    /^(?:UPDATE|INSERT INTO) \[published\]\.\[tributary_publication\] /u.test(sql),
  )
  const begin = sent.slice(0, switched).findLastIndex((sql) => sql === 'BEGIN TRANSACTION')
  const commit = sent.findIndex((sql, at) => at > switched && sql === 'COMMIT TRANSACTION')
  expect([switched, begin, commit]).not.toContain(-1)
  return sent.slice(begin, commit + 1)
}

const viewsIn = (statements: readonly string[]) =>
  statements.flatMap((sql) => /^((?:CREATE|ALTER|DROP) VIEW \[published\]\.\[\w+\])/u.exec(sql)?.[1] ?? [])

test('[TRUST-12] in SQL Server views of the schema published are defined in the transaction that switches to them, and later one row switches them', async () => {
  const connectorId = await publish()
  const first = await runAndPublish(connectorId)
  expect(first[1]).toContain("sp_getapplock @Resource = N'tributary:published'")
  expect(viewsIn(first)).toEqual(['CREATE VIEW [published].[customer]', 'CREATE VIEW [published].[note]'])
  expect(first.find((sql) => sql.startsWith('CREATE VIEW [published].[customer] AS SELECT'))).toContain(
    'FROM [published].[tributary_publication] c WITH (REPEATABLEREAD) JOIN [published].[tributary_publication_run] r',
  )
  expect(await findSet()).toMatchObject({ Schema: 'published', Notice: null })

  const second = await runAndPublish(connectorId)
  expect(viewsIn(second)).toEqual([])
  expect(
    second.filter((sql) => sql.startsWith('UPDATE [published].[tributary_publication] SET number =')),
  ).toHaveLength(1)

  const from = stub.statements.length
  await rig.app.as.admin.call(publications.switchOff, { params: { ...params(), setId: (await findSet())?.Id ?? '' } })
  await until(findSet, (set) => set?.State === 'off')
  expect(viewsIn(stub.statements.slice(from))).toEqual([
    'DROP VIEW [published].[customer]',
    'DROP VIEW [published].[note]',
  ])
})
