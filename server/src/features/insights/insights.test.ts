import { connectors } from '@tributary/contract/connectors'
import { insights } from '@tributary/contract/insights'
import { approvals } from '@tributary/contract/approvals'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertFixtures } from '@tributary/testing/server/app/every-route.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const hourMs = 3_600_000
const ago = (hours: number) => new Date(app.clock.now() - hours * hourMs)

interface Past {
  readonly status: 'RUNNING' | 'COMPLETED' | 'FAILED'
  readonly trigger: 'person' | 'schedule'
  readonly hoursAgo: number
}

/** A connector of that organisation whose last run was this. */
async function connectorWith(
  organisation: TestApp['harbour'] | TestApp['summit'],
  { status, trigger, hoursAgo }: Past,
) {
  const things = await insertFixtures(
    app,
    organisation,
    app.idOf(organisation.id === app.summit.id ? 'otherAdmin' : 'user'),
  )
  const queuedAt = ago(hoursAgo)
  await app.store.within(organisation.id, (db) =>
    db
      .updateTable('run')
      .set({ status, trigger, queuedAt, startedAt: queuedAt, completedAt: status === 'RUNNING' ? null : queuedAt })
      .where('organisationId', '=', organisation.id)
      .where('id', '=', things.runId)
      .execute(),
  )
  return things
}

test('[ADMIN-1] the dashboard’s numbers: what runs, what failed lately, what is not fresh, which requests wait', async () => {
  const { harbour, summit } = app
  const running = await connectorWith(harbour, { status: 'RUNNING', trigger: 'person', hoursAgo: 0 })
  const failed = await connectorWith(harbour, { status: 'FAILED', trigger: 'schedule', hoursAgo: 2 })
  const stale = await connectorWith(harbour, { status: 'COMPLETED', trigger: 'schedule', hoursAgo: 30 })
  const theirs = await connectorWith(summit, { status: 'RUNNING', trigger: 'schedule', hoursAgo: 1 })
  const { body: decided } = await app.as.admin.call(approvals.decide, {
    body: { approvalId: stale.approvalId, approvalStatus: 'REJECTED' },
  })
  expect(decided.ApprovalStatus).toBe('REJECTED')

  const listed = await app.as.provideradmin.call(connectors.list, { params: { clientId: harbour.id } })
  const logOf = (id: string) => listed.body.find(({ Id }) => Id === id)?.Log
  expect(listed.body.map(({ Id }) => Id).toSorted()).toEqual(
    [running, failed, stale].map(({ connectorId }) => connectorId).toSorted(),
  )
  expect(logOf(running.connectorId)).toMatchObject({
    RunId: running.runId,
    ManuallyTriggeredAtUtc: ago(0).toISOString(),
    CompletedAtUtc: null,
    HasError: false,
  })
  expect(logOf(failed.connectorId)).toMatchObject({ AutomaticallyTriggeredAtUtc: ago(2).toISOString(), HasError: true })
  expect(logOf(stale.connectorId)).toMatchObject({ CompletedAtUtc: ago(30).toISOString(), HasError: false })

  // The provider sees the requests of the organisation that is asked about, whatever became of them.
  const { body: requests } = await app.as.provideradmin.call(approvals.list, { query: { orgId: harbour.id } })
  const statusOf = (id: string) => requests.find(({ Id }) => Id === id)?.ApprovalStatus
  expect([running, failed, stale, theirs].map(({ approvalId }) => statusOf(approvalId))).toEqual([
    'PENDING',
    'PENDING',
    'REJECTED',
    undefined,
  ])

  // Running, over all organisations: by client, with the time it was triggered at.
  expect((await app.as.provideradmin.call(insights.list)).body).toMatchObject([
    {
      ClientName: 'Harbour Trading',
      ClientConnectorId: running.connectorId,
      ManuallyTriggeredAtUtc: ago(0).toISOString(),
    },
    {
      ClientName: 'Summit Foods',
      ClientConnectorId: theirs.connectorId,
      AutomaticallyTriggeredAtUtc: ago(1).toISOString(),
    },
  ])
})
