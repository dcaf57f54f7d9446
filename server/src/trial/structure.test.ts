import { planningStructure } from '@tributary/contract/planning-structure'
import { expect, test } from 'vitest'
import { testApp } from '@tributary/testing/server/app/test-app.ts'
import { seedStructure } from './structure.ts'

test('each of the trial’s two organisations has a planning structure with elements of every kind', async () => {
  await using app = await testApp()
  await seedStructure(app.store)
  const { admin, otherAdmin } = app.as
  const { body: areas } = await admin.call(planningStructure.areas)
  expect(areas).toHaveLength(6)
  expect(areas.find(({ Name }) => Name === 'Head office')).toMatchObject({
    AllCurrentAndFuture: true,
    Subareas: { length: 14 },
  })
  const { body: subareas } = await admin.call(planningStructure.subareas)
  expect([subareas.length, subareas.every(({ AreasSubareas }) => AreasSubareas.length > 1)]).toEqual([14, true])
  const { body: versions } = await admin.call(planningStructure.versions)
  expect(versions.map(({ Name }) => Name)).toEqual(['Budget 2025', 'Budget 2026', 'Forecast 2026'])
  expect(versions.flatMap(({ Milestones }) => Milestones).map(({ Status }) => Status.Name)).toContain('locked')
  expect((await admin.call(planningStructure.helperTables)).body).toHaveLength(3)
  expect((await admin.call(planningStructure.entities)).body).toHaveLength(4)
  const members = await app.store.within(app.harbour.id, (db) =>
    db
      .selectFrom('groupUser')
      .innerJoin('permissionGroup', 'permissionGroup.id', 'groupId')
      .select(['name', (found) => found.fn.countAll<number>().as('count')])
      .groupBy('name')
      .orderBy('name')
      .execute(),
  )
  expect(members.map(({ name, count }) => [name, count])).toEqual([
    ['Finance', 2],
    ['Quay planners', 1],
    ['Sales planners', 2],
  ])
  expect((await otherAdmin.call(planningStructure.areas)).body.map(({ Name }) => Name)).toEqual(['Bakery', 'Catering'])
  // The seeded tables claim their names.
  const taken = await admin.send('POST', '/api/versions', { body: { name: 'Exchangerates' } })
  expect(taken.body).toMatchObject({ code: 'tableNameTaken' })
})
