import { randomUUID } from 'node:crypto'
import { privacy } from '@tributary/contract/privacy'
import { users } from '@tributary/contract/users'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemAuditContext, withActor } from '../../kernel/audit-context.ts'
import { isoTime } from '../../kernel/clock.ts'
import { addPerson, type AddedPerson } from '@tributary/testing/server/identity/add-person.ts'
import { testAction } from '@tributary/testing/server/app/audit-log.ts'
import { roleIdOf } from '@tributary/testing/server/app/fixed-ids.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

const remove = (app: TestApp, { id }: AddedPerson) => app.as.admin.call(users.remove, { params: { userId: id } })

test('the name of an erased person leaves events that recorded an assignment without an id', async () => {
  await using app = await testApp()
  const person = await addPerson(app, { [app.harbour.id]: 'user' })
  const recordAssignment = (...added: readonly string[]) =>
    app.store.across((db) =>
      app.services.audit.record(db, withActor(systemAuditContext, { userId: app.idOf('admin') }), {
        organisationId: app.harbour.id,
        action: 'assignment.changed',
        outcome: 'success',
        detail: { links: 'users of entity', added },
      }),
    )
  await recordAssignment('Other Person', 'Added Person')
  await recordAssignment('Other Person')
  expect((await remove(app, person)).status).toBe(204)
  const left = await app.store.across((db) =>
    db
      .selectFrom('auditEvent')
      .leftJoin('auditPersonal', 'eventId', 'auditEvent.id')
      .select(['detail', 'fields'])
      .where('action', '=', 'assignment.changed')
      .orderBy('auditEvent.id')
      .execute(),
  )
  expect(left).toEqual([
    { detail: { links: 'users of entity' }, fields: null },
    { detail: { links: 'users of entity' }, fields: { added: ['Other Person'] } },
  ])
})

test('erasing a person deletes the sign-up that had their former address', async () => {
  await using app = await testApp()
  const person = await addPerson(app, { [app.harbour.id]: 'user' })
  const { emailAddress } = person
  await app.store.across(async (db) => {
    const applicant = {
      firstName: 'Added',
      lastName: 'Person',
      companyName: 'Harbour Trading',
      finalisedAt: new Date(),
    }
    await db
      .insertInto('registration')
      .values({ ...applicant, emailAddress })
      .execute()
  })
  const moved = await app.as.admin.call(users.update, {
    params: { userId: person.id },
    body: { emailAddress: 'moved@added.example' },
  })
  expect(moved.status).toBe(200)
  expect((await remove(app, person)).status).toBe(204)
  const left = await app.store.across((db) => db.selectFrom('registration').select('emailAddress').execute())
  expect(left).toEqual([])
})

test('erasing a person rejects their pending request at that time, so that it expires like any other', async () => {
  await using app = await testApp()
  const { id, emailAddress } = await addPerson(app, { [app.harbour.id]: 'user' })
  const insertRequest = sql<{ id: string }>`WITH of AS (
      INSERT INTO registration (firstName, lastName, emailAddress, companyName, linkedUserId)
      VALUES ('Added', 'Person', ${emailAddress}, 'Another', ${id}) RETURNING id)
    INSERT INTO approval (registrationId, type) SELECT id, 'NEW_ORGANISATION' FROM of RETURNING id`
  await app.store.across((db) => insertRequest.execute(db))
  expect((await app.as.admin.call(users.remove, { params: { userId: id } })).status).toBe(204)
  const left = () => app.store.across((db) => db.selectFrom('approval').select(['status', 'decidedAt']).execute())
  expect(await left()).toEqual([{ status: 'REJECTED', decidedAt: isoTime(app.clock.now()) }])
})

test('people who are erased at the same moment get a number each, also across organisations', async () => {
  await using app = await testApp()
  const organisations = [app.harbour, app.summit, app.harbour, app.summit, app.harbour, app.summit]
  const people = await Promise.all(organisations.map(({ id }) => addPerson(app, { [id]: 'user' })))
  await Promise.all([app.as.admin.session(), app.as.otherAdmin.session()])
  const removed = people.map(({ id }, at) =>
    app.as[at % 2 === 0 ? 'admin' : 'otherAdmin'].call(users.remove, { params: { userId: id } }),
  )
  expect((await Promise.all(removed)).map(({ status }) => status)).toEqual(people.map(() => 204))
  const numbers = await app.store.across((db) =>
    db
      .selectFrom('portalUser')
      .select('erasedNumber')
      .where('erasedNumber', 'is not', null)
      .orderBy('erasedNumber')
      .execute(),
  )
  expect(numbers.map(({ erasedNumber }) => erasedNumber)).toEqual([1, 2, 3, 4, 5, 6])
})

test('erasing deletes searches for the name where the person was known, not searches elsewhere or for parts of words', async () => {
  await using app = await testApp()
  const person = await addPerson(app, { [app.harbour.id]: 'user' })
  await app.store.across((db) =>
    db.updateTable('portalUser').set({ firstName: 'A' }).where('id', '=', person.id).execute(),
  )
  const recordSearch = (organisationId: string | null, search: string) =>
    app.store.across((db) =>
      app.services.audit.record(db, withActor(systemAuditContext, { userId: app.idOf('admin') }), {
        organisationId,
        action: 'data.export_downloaded',
        outcome: 'success',
        detail: { search },
      }),
    )
  for (const { id } of [app.harbour, app.summit]) await recordSearch(id, 'the Person')
  await recordSearch(null, 'a person')
  for (const search of ['a', 'harbour', 'an']) await recordSearch(app.harbour.id, search)
  expect((await remove(app, person)).status).toBe(204)
  const left = await app.store.across((db) =>
    db
      .selectFrom('auditPersonal')
      .select(['organisationId', sql<string>`fields ->> 'search'`.as('search')])
      .where(sql<boolean>`fields ? 'search'`)
      .orderBy('eventId')
      .execute(),
  )
  expect(left).toEqual([
    { organisationId: app.summit.id, search: 'the Person' },
    { organisationId: app.harbour.id, search: 'harbour' },
    { organisationId: app.harbour.id, search: 'an' },
  ])
})

test('a person whose address only ends like the erased one keeps their loads', async () => {
  await using app = await testApp()
  const person = await addPerson(app, { [app.harbour.id]: 'user' })
  const remark = ' (in a load whose receipt was lost when the portal was restored from a backup)'
  const [loadId, mine, others] = [randomUUID(), randomUUID(), randomUUID()]
  await app.store.across(async (db) => {
    await sql`INSERT INTO load (id, organisationId, recordName, tableName, userId, source, workbook, sheet, firstRow, firstColumn, columns)
      VALUES (${loadId}, ${app.harbour.id}, 'r', 't', ${app.idOf('admin')}, 'portal', 'w', 's', 1, 1, '{}')`.execute(db)
    for (const [slice, by] of [
      [mine, person.emailAddress],
      [others, `x${person.emailAddress}`],
    ] as const)
      await sql`INSERT INTO loadSlice (organisationId, loadId, sliceId, entity, area, subarea, milestone, rows, formerRows, formerBy, former)
        VALUES (${app.harbour.id}, ${loadId}, ${slice}, 'e', 'a', 's', 'm', 1, 1, ${`${by}${remark}`}, '')`.execute(db)
  })
  const held = (await app.as.superadmin.call(privacy.memberExport, { params: { userId: person.id }, query: {} })).body
  expect(held.Tables['load_slice']?.map((row) => row['slice_id'])).toEqual([mine])
  expect((await remove(app, person)).status).toBe(204)
  const left = await app.store.across((db) => db.selectFrom('loadSlice').select(['sliceId', 'formerBy']).execute())
  expect(new Map(left.map(({ sliceId, formerBy }) => [sliceId, formerBy]))).toEqual(
    new Map([
      [mine, 'Deleted user #1'],
      [others, `x${person.emailAddress}${remark}`],
    ]),
  )
})

test('others can write to the audit log of the organisation while a person is erased', async () => {
  await using app = await testApp()
  const person = await addPerson(app, { [app.harbour.id]: 'user' })
  await app.as.admin.session()
  const removal = await app.store.across(async (db) => {
    // Erasing waits here, as it would for a long table scan.
    await lockForTransaction(db, 'erasedNumbers')
    const request = remove(app, person)
    // A transaction keeps the pg_stat_activity of its first query; pg_locks is always current.
    const waiting = () => sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`.execute(db)
    await until(waiting, ({ rows }) => rows.length > 0)
    await app.store.across(async (other) => {
      await sql`SET LOCAL lock_timeout = '2s'`.execute(other)
      await app.services.audit.record(other, systemAuditContext, {
        organisationId: app.harbour.id,
        action: testAction('thing.done'),
        outcome: 'success',
      })
    })
    return { request }
  })
  expect((await removal.request).status).toBe(204)
})

test('deleting a user with an unproven address keeps what waits for its owner in other organisations', async () => {
  await using app = await testApp()
  const person = {
    firstName: 'Vera',
    lastName: 'Owner',
    emailAddress: 'owner@elsewhere.example',
    roleId: roleIdOf('user'),
  }
  expect((await app.as.otherAdmin.call(users.invite, { body: person })).status).toBe(201)
  const waiting = () =>
    app.store.across(async (db) => ({
      invitations: await db
        .selectFrom('invitation')
        .selectAll()
        .where('emailAddress', '=', person.emailAddress)
        .execute(),
      links: await db.selectFrom('linkCode').select(['subjectId', 'usedAt']).execute(),
      letters: (await app.emailsTo(person.emailAddress)).map(({ template }) => template),
    }))
  const before = await waiting()
  expect(before).toMatchObject({ invitations: [{ organisationId: app.summit.id }], letters: ['invitation'] })
  const { body } = await app.as.admin.call(users.create, { body: { ...person, password: 'a-good-one-77' } })
  expect((await app.as.admin.call(users.remove, { params: { userId: body.Id } })).status).toBe(204)
  const after = await waiting()
  expect({ ...after, letters: after.letters.slice(0, 1) }).toEqual(before)
})
