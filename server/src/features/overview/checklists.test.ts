import type { ChecklistName } from '@tributary/contract/checklist'
import { overview } from '@tributary/contract/overview'
import { users } from '@tributary/contract/users'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import type { TestClient } from '@tributary/testing/server/app/client.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import { insertLoad } from '@tributary/testing/server/excel/load-fixtures.ts'
import { insertStructure } from '@tributary/testing/server/excel/structure-fixtures.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import type { Db } from '../../kernel/store/store.ts'

let app: TestApp
let organisationId: string
let admin: AddedPerson
beforeAll(async () => {
  app = await testApp({ env: { TRIBUTARY_LIMITS: 'off' } })
})
afterAll(() => app[Symbol.asyncDispose]())

let organisations = 0
beforeEach(async () => {
  const { body } = await app.as.provideradmin.call(users.createOrganisation, {
    body: { companyName: `New ${++organisations}` },
  })
  organisationId = body.Id
  admin = await addPerson(app, { [organisationId]: 'admin' })
})

const insert = (work: (db: Db) => Promise<unknown>) => app.store.within(organisationId, work)

/** The steps of a checklist that are done and those that are not; null if the list is not shown. */
async function stepsOf(name: ChecklistName, client: TestClient = admin.client) {
  const { body } = await client.call(overview.read, { params: { clientId: organisationId } })
  const steps = body.Checklists.find(({ Name }) => Name === name)?.Steps
  if (steps === undefined) return null
  const namesOf = (done: boolean) => steps.filter(({ Done }) => Done === done).map(({ Name }) => Name)
  return { done: namesOf(true), open: namesOf(false) }
}

async function addConnector() {
  const connector = { organisationId, key: 'shop', type: 'postgres', name: 'Shop', originalName: 'Shop' }
  let id = ''
  await insert(async (db) => {
    id = (await db.insertInto('connector').values(connector).returning('id').executeTakeFirstOrThrow()).id
  })
  return id
}

const addRun = (connectorId: string) =>
  insert((db) =>
    db
      .insertInto('run')
      .values({
        organisationId,
        connectorId,
        mode: 'full',
        trigger: 'person',
        status: 'COMPLETED',
        completedAt: new Date(),
      })
      .execute(),
  )

test('[UX-HOME-1] facts complete the steps from a source to a report, and the complete checklist disappears', async () => {
  expect(await stepsOf('connect')).toEqual({
    done: [],
    open: ['connectSource', 'firstRun', 'seeRows', 'connectReport', 'inviteColleague'],
  })
  const connectorId = await addConnector()
  expect((await stepsOf('connect'))?.done).toEqual(['connectSource'])

  await addRun(connectorId)
  await insert((db) =>
    db
      .insertInto('warehouse')
      .values({ organisationId, databaseName: 'w', writerName: 'ww', readerName: 'wr', writerSecret: 's' })
      .execute(),
  )
  expect((await stepsOf('connect'))?.done).toEqual(['connectSource', 'firstRun'])

  const stream = { name: 'orders', tableName: 'orders', licence: 'Base', reads: 'whole', rows: 3 } as const
  await insert((db) =>
    db
      .insertInto('connectorStream')
      .values({ organisationId, connectorId, ...stream })
      .execute(),
  )
  expect((await stepsOf('connect'))?.open).toEqual(['connectReport', 'inviteColleague'])

  const invitation = { emailAddress: 'colleague@example.com', firstName: 'C', lastName: 'D', roleId: roleIdOf('user') }
  await insert((db) =>
    db
      .insertInto('invitation')
      .values({ organisationId, invitedBy: admin.id, ...invitation })
      .execute(),
  )
  expect((await stepsOf('connect'))?.open).toEqual(['connectReport'])

  await insert((db) =>
    db
      .updateTable('warehouse')
      .set({ readerSeenAt: new Date() })
      .where('organisationId', '=', organisationId)
      .execute(),
  )
  expect(await stepsOf('connect')).toBeNull()
})

test('[UX-HOME-1] rows in the organisation’s own database need no step for reports, because Tributary does not see who reads it', async () => {
  await addRun(await addConnector())
  expect((await stepsOf('connect'))?.open).toEqual(['seeRows', 'inviteColleague'])
})

test('[UX-HOME-2] facts complete the steps from a structure to the first load', async () => {
  expect(await stepsOf('excel')).toEqual({ done: [], open: ['areas', 'versions', 'tables', 'groups', 'firstLoad'] })
  let groupId = ''
  await insert(async (db) => {
    groupId = (await insertStructure(db, organisationId)).groupId
  })
  expect((await stepsOf('excel'))?.done).toEqual(['areas', 'versions'])
  await insert((db) =>
    db.insertInto('tableSync').values({ organisationId, doneAt: new Date(), place: 'p', tables: '[]' }).execute(),
  )
  expect((await stepsOf('excel'))?.done).toEqual(['areas', 'versions', 'tables'])
  await insert((db) => db.insertInto('groupUser').values({ organisationId, groupId, userId: admin.id }).execute())
  expect((await stepsOf('excel'))?.open).toEqual(['firstLoad'])
  await insert((db) => insertLoad(db, organisationId, admin.id))
  await insert((db) =>
    db.updateTable('load').set({ status: 'LOADED' }).where('organisationId', '=', organisationId).execute(),
  )
  expect(await stepsOf('excel')).toBeNull()
})

test('[UX-HOME-3] dismissing a checklist hides it from every administrator, is audited once, and can be taken back', async () => {
  const other = await addPerson(app, { [organisationId]: 'admin' })
  const dismiss = async (isDismissed: boolean) => {
    const body = { name: 'connect', isDismissed } as const
    const { status } = await admin.client.call(overview.dismissChecklist, {
      params: { clientId: organisationId },
      body,
    })
    expect(status).toBe(204)
  }
  await dismiss(true)
  await dismiss(true)
  expect([await stepsOf('connect'), await stepsOf('connect', other.client)]).toEqual([null, null])
  expect(await stepsOf('excel')).not.toBeNull()
  await dismiss(false)
  expect(await stepsOf('connect', other.client)).not.toBeNull()
  const events = (await findAuditEvents(app.store, 'organisation.updated')).filter(
    (event) => event.organisationId === organisationId,
  )
  expect(events.map(({ actorId, detail }) => [actorId, detail])).toEqual([
    [admin.id, { fields: ['checklists'] }],
    [admin.id, { fields: ['checklists'] }],
  ])
})

test('[UX-HOME-3] only those who may do the steps see the checklists and may dismiss them', async () => {
  for (const client of [app.as.superadmin, app.as.provideradmin])
    expect(await stepsOf('connect', client)).not.toBeNull()
  for (const role of ['user', 'guest'] as const) {
    const { client } = await addPerson(app, { [organisationId]: role })
    expect(await stepsOf('connect', client)).toBeNull()
    const body = { name: 'connect', isDismissed: true } as const
    expect((await client.call(overview.dismissChecklist, { params: { clientId: organisationId }, body })).status).toBe(
      403,
    )
  }
})
