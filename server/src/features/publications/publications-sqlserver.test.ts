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

interface AnsweredStatement {
  /** Of the statement. */
  readonly pattern: RegExp
  readonly answer: (texts: readonly string[], captured: readonly (string | undefined)[]) => StubAnswer | undefined
}

const rowsOrNone = (rows: readonly (readonly unknown[])[]) => (rows.length === 0 ? undefined : { rows })

/** Like a server keeps the fencing token, what exists in the schema `published`, and the rows there. */
function answering(): (sql: string) => StubAnswer | undefined {
  let writer: readonly unknown[] = []
  let number: string | undefined
  const existing = new Set<string>()
  const offers = new Map<string, readonly string[]>()
  const claims = new Map<string, readonly string[]>()
  const definitions = new Map<string, string>()
  const answered: readonly AnsweredStatement[] = [
    { pattern: /SET fence = (\d+), run_id = N'([^']+)'/u, answer: (_, taken) => void (writer = taken) },
    { pattern: /CONVERT\(varchar\(20\), fence\)/u, answer: () => ({ rows: [writer] }) },
    {
      pattern: /CREATE (?:TABLE|VIEW) (\[published\]\.\[\w+\])/u,
      answer: (_, [created = '']) => void existing.add(created),
    },
    {
      pattern: /^SELECT OBJECT_ID\(N/u,
      answer: ([name = '']) => rowsOrNone(existing.has(name) ? [['1']] : []),
    },
    {
      pattern: /^INSERT INTO \[published\]\.\[tributary_publication_offer\]/u,
      answer: (texts) => void offers.set(texts.slice(0, 3).join(), texts.slice(3)),
    },
    {
      pattern: /^SELECT cut_off, views FROM/u,
      answer: (texts) => rowsOrNone([offers.get(texts.join())].filter((offer) => offer !== undefined)),
    },
    {
      pattern: /^INSERT INTO \[published\]\.\[tributary_published_view\]/u,
      answer: (texts) => void claims.set(texts[0] ?? '', texts.slice(0, 4)),
    },
    {
      pattern: /^UPDATE \[published\]\.\[tributary_published_view\] SET definition = N/u,
      answer: ([definition = '', name = '']) => void definitions.set(name, definition),
    },
    {
      pattern: /^UPDATE \[published\]\.\[tributary_published_view\] SET definition = '' /u,
      answer: ([name = '']) => void definitions.delete(name),
    },
    {
      pattern: /^DROP VIEW (\[published\]\.\[\w+\])/u,
      answer: (_, [dropped = '']) => void existing.delete(dropped),
    },
    {
      pattern: /^SELECT name, definition FROM/u,
      answer: () => rowsOrNone([...claims.keys()].map((name) => [name, definitions.get(name) ?? ''])),
    },
    {
      pattern: /^SELECT name, publication_set, connector, relation FROM/u,
      answer: () => rowsOrNone([...claims.values()]),
    },
    {
      pattern: /^INSERT INTO \[published\]\.\[tributary_publication\] .*, (\d+)\)$/u,
      answer: (_, [inserted]) => {
        number = inserted
        return { affected: 1 }
      },
    },
    {
      pattern: /^UPDATE \[published\]\.\[tributary_publication\] SET number = (\d+)/u,
      answer: (_, [updated]) => {
        if (number === undefined) return { affected: 0 }
        number = updated
        return { affected: 1 }
      },
    },
    {
      pattern: /number\) FROM \[published\]\.\[tributary_publication\] WHERE/u,
      answer: () => rowsOrNone(number === undefined ? [] : [[number]]),
    },
  ]
  return (sql) => {
    for (const { pattern, answer } of answered) {
      const found = pattern.exec(sql)
      if (found !== null) return answer(literalsIn(sql), found.slice(1))
    }
    return undefined
  }
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
  // Each once or twice: the stub grants the lock to two attempts at once, which SQL Server does not.
  expect(new Set(viewsIn(stub.statements.slice(from)))).toEqual(
    new Set(['DROP VIEW [published].[customer]', 'DROP VIEW [published].[note]']),
  )
})
