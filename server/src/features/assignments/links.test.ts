import { randomUUID } from 'node:crypto'
import { assignments } from '@tributary/contract/assignments'
import type { FaultReply } from '@tributary/contract/faults'
import { planningStructure } from '@tributary/contract/planning-structure'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { structureCalls, type StructureCalls } from '@tributary/testing/server/excel/create-structure.ts'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let make: StructureCalls
let kitchen: string
let garden: string
let bar: string
let cellar: string
beforeEach(async () => {
  app = await testApp()
  make = structureCalls(app)
  ;[kitchen, garden] = [await make.area('Kitchen'), await make.area('Garden')]
  ;[bar, cellar] = [await make.subarea('Bar'), await make.subarea('Cellar')]
})
afterEach(() => app[Symbol.asyncDispose]())

async function linked(): Promise<Record<string, readonly string[]>> {
  const { body } = await app.as.user.call(planningStructure.areas)
  return Object.fromEntries(
    body.map(({ Name, Subareas, AllCurrentAndFuture }) => [
      Name,
      [...(AllCurrentAndFuture ? ['*'] : []), ...Subareas.map((one) => one.Name)],
    ]),
  )
}
async function linkedFromSubareas(): Promise<Record<string, readonly string[]>> {
  const { body } = await app.as.user.call(planningStructure.subareas)
  return Object.fromEntries(
    body.map(({ Name, AreasSubareas, AllCurrentAndFuture }) => [
      Name,
      [...(AllCurrentAndFuture ? ['*'] : []), ...AreasSubareas.map(({ Area }) => Area.Name)],
    ]),
  )
}
async function post(path: string, body: object) {
  return app.as.admin.send<FaultReply>('POST', `/api/subareas/${path}`, { body })
}
async function put(path: string, body: object) {
  return app.as.admin.send<FaultReply & { Ids: string[]; AllCurrentAndFuture: boolean }>('PUT', `/api/${path}`, {
    body,
  })
}
test('[LINK-1] [API-1 POST /subareas/link-to-area] [API-1 POST /subareas/unlink-from-area] linking and unlinking a subarea are idempotent', async () => {
  for (const _ of [1, 2])
    expect(await post('link-to-area', { areaId: kitchen, subareaId: bar })).toMatchObject({ status: 200, body: {} })
  await post('link-to-area', { areaId: kitchen, subareaId: cellar })
  expect(await linked()).toEqual({ Garden: [], Kitchen: ['Bar', 'Cellar'] })
  for (const _ of [1, 2]) expect((await post('unlink-from-area', { areaId: kitchen, subareaId: bar })).status).toBe(200)
  expect(await linked()).toEqual({ Garden: [], Kitchen: ['Cellar'] })
  const event = { actorId: app.idOf('admin'), organisationId: app.harbour.id, outcome: 'success', objectId: kitchen }
  expect(await findAuditEvents(app.store, 'structure.links_changed')).toMatchObject([
    { ...event, detail: { added: ['Bar'], addedCount: 1, removed: [] } },
    { ...event, detail: { added: ['Cellar'] } },
    { ...event, detail: { removed: ['Bar'] } },
  ])
})

test('[LINK-1] [API-1 POST /subareas/unlink-from-area-all] unlinking an area removes all its links and no others', async () => {
  for (const areaId of [kitchen, garden]) await post('link-to-area', { areaId, subareaId: bar })
  await post('link-to-area', { areaId: kitchen, allCurrentAndFuture: true })
  for (const _ of [1, 2]) expect((await post('unlink-from-area-all', { areaId: kitchen })).status).toBe(200)
  expect(await linked()).toEqual({ Garden: ['Bar'], Kitchen: [] })
})

test('[LINK-4] saving all links of an area stores none for a subarea that is linked to all areas', async () => {
  await put(`subareas/${bar}/areas`, { ids: [], allCurrentAndFuture: true })
  const saved = await put(`areas/${kitchen}/subareas`, { ids: [bar, cellar], before: { ids: [bar] } })
  expect([saved.status, new Set(saved.body.Ids)]).toEqual([200, new Set([bar, cellar])])
  await put(`subareas/${bar}/areas`, { ids: [] })
  expect(await linked()).toEqual({ Garden: [], Kitchen: ['Cellar'] })
})

test('[LINK-5] all current and future includes a subarea created later, until the choice is removed', async () => {
  await post('link-to-area', { areaId: kitchen, subareaId: bar })
  await post('link-to-area', { areaId: kitchen, allCurrentAndFuture: true })
  await make.subarea('Attic')
  expect(await linked()).toEqual({ Garden: [], Kitchen: ['*', 'Attic', 'Bar', 'Cellar'] })
  const refused = await post('unlink-from-area', { areaId: kitchen, subareaId: cellar })
  expect([refused.status, refused.body.fields]).toEqual([
    400,
    { subareaId: expect.stringContaining('all subareas, current and future') },
  ])
  await post('unlink-from-area', { areaId: kitchen, allCurrentAndFuture: true })
  expect(await linked()).toEqual({ Garden: [], Kitchen: ['Bar'] })
})

test('[LINK-4] [API-1 PUT /areas/{id}/subareas] replacing all links of an area is atomic', async () => {
  await post('link-to-area', { areaId: kitchen, subareaId: bar })
  const saved = await put(`areas/${kitchen}/subareas`, { ids: [cellar] })
  expect([saved.status, saved.body]).toEqual([200, { Ids: [cellar], AllCurrentAndFuture: false }])
  expect(await linked()).toEqual({ Garden: [], Kitchen: ['Cellar'] })
  const unknown = await put(`areas/${kitchen}/subareas`, { ids: [bar, randomUUID()] })
  expect(unknown.status).toBe(404)
  expect(await linked()).toEqual({ Garden: [], Kitchen: ['Cellar'] })
  const all = await put(`areas/${kitchen}/subareas`, { ids: [], allCurrentAndFuture: true })
  expect(all.body).toEqual({ Ids: [bar, cellar], AllCurrentAndFuture: true })
  await put(`areas/${kitchen}/subareas`, { ids: [bar] })
  expect(await linked()).toEqual({ Garden: [], Kitchen: ['Bar'] })
})

test('[LINK-4] saving after others have changed the links is refused, and the conflict reports the changes', async () => {
  const before = { ids: [] as string[] }
  await put(`areas/${kitchen}/subareas`, { ids: [bar], before })
  const late = await put(`areas/${kitchen}/subareas`, { ids: [cellar], before })
  expect([late.status, late.body.code]).toEqual([409, 'changedMeanwhile'])
  expect(late.body.message).toContain('(added Bar)')
  const other = await put(`areas/${kitchen}/subareas`, { ids: [], before: { ids: [cellar] } })
  expect(other.body.message).toContain('(added Bar; removed Cellar)')
  const flag = await put(`areas/${kitchen}/subareas`, { ids: [], before: { ids: [], allCurrentAndFuture: true } })
  expect(flag.body.message).toContain('(removed all current and future)')
  expect(await linked()).toEqual({ Garden: [], Kitchen: ['Bar'] })
  expect((await put(`areas/${kitchen}/subareas`, { ids: [bar, cellar], before: { ids: [bar] } })).status).toBe(200)
  await app.as.superadmin.call(planningStructure.deleteSubarea, { params: { subareaId: cellar } })
  expect((await put(`areas/${kitchen}/subareas`, { ids: [], before: { ids: [bar, cellar] } })).body.message).toContain(
    '(removed one that was deleted)',
  )
})

test('[LINK-4] an archived subarea keeps its link when the others are saved, and has it when it is restored', async () => {
  await put(`areas/${kitchen}/subareas`, { ids: [bar, cellar] })
  const status = (statusId: string) =>
    app.as.admin.call(planningStructure.changeSubarea, { params: { subareaId: cellar }, body: { statusId } })
  await status(statusIds.archived)
  const saved = await put(`areas/${kitchen}/subareas`, { ids: [], before: { ids: [bar] } })
  expect([saved.status, saved.body.Ids]).toEqual([200, []])
  await status(statusIds.active)
  expect(await linked()).toEqual({ Garden: [], Kitchen: ['Cellar'] })
})

test('[LINK-6] [API-1 PUT /subareas/{id}/areas] the same links can be saved from the subarea’s side, including all current and future areas', async () => {
  await put(`areas/${kitchen}/subareas`, { ids: [cellar] })
  const saved = await put(`subareas/${bar}/areas`, { ids: [kitchen, garden], before: { ids: [] } })
  expect(saved.body).toEqual({ Ids: [garden, kitchen], AllCurrentAndFuture: false })
  expect(await linked()).toEqual({ Garden: ['Bar'], Kitchen: ['Bar', 'Cellar'] })
  await put(`subareas/${bar}/areas`, { ids: [], allCurrentAndFuture: true })
  await make.area('Roof')
  expect(await linkedFromSubareas()).toEqual({ Bar: ['*', 'Garden', 'Kitchen', 'Roof'], Cellar: ['Kitchen'] })
  expect(await linked()).toEqual({ Garden: ['Bar'], Kitchen: ['Bar', 'Cellar'], Roof: ['Bar'] })

  for (const reply of [
    await put(`areas/${garden}/subareas`, { ids: [] }),
    await post('unlink-from-area', { areaId: garden, subareaId: bar }),
  ])
    expect([reply.status, reply.body.message]).toEqual([
      400,
      expect.stringContaining('Bar, which belongs to all areas, current and future'),
    ])
  expect((await put(`areas/${garden}/subareas`, { ids: [bar, cellar] })).status).toBe(200)
  await put(`subareas/${bar}/areas`, { ids: [] })
  expect(await linked()).toEqual({ Garden: ['Cellar'], Kitchen: ['Cellar'], Roof: [] })
})

test('[LINK-1] [API-2] linking a subarea of another organisation, or neither one nor all, is refused', async () => {
  const { body: foreign } = await app.as.otherAdmin.send<{ Id: string }>('POST', '/api/subareas', {
    body: { name: 'Theirs' },
  })
  const attempts = [
    await post('link-to-area', { areaId: kitchen, subareaId: foreign.Id }),
    await post('unlink-from-area', { areaId: kitchen, subareaId: foreign.Id }),
    await put(`areas/${kitchen}/subareas`, { ids: [foreign.Id] }),
    await put(`subareas/${foreign.Id}/areas`, { ids: [kitchen] }),
  ]
  expect(attempts.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect((await post('link-to-area', { areaId: kitchen })).body.fields).toHaveProperty('subareaId')
  expect(
    (await post('link-to-area', { areaId: kitchen, subareaId: bar, allCurrentAndFuture: 'yes' })).body.fields,
  ).toHaveProperty('allCurrentAndFuture')
})

test('[ROLE-3] [API-1] only administrators of the organisation write links', async () => {
  const body = { areaId: kitchen, subareaId: bar }
  for (const role of ['user', 'guest'] as const) {
    expect((await app.as[role].call(assignments.linkArea, { body })).status).toBe(403)
    expect(
      (await app.as[role].call(assignments.setSubareasOfArea, { params: { areaId: kitchen }, body: { ids: [bar] } }))
        .status,
    ).toBe(403)
  }
  expect((await app.as.otherAdmin.call(assignments.linkArea, { body })).status).toBe(404)
  for (const role of ['admin', 'provideradmin', 'superadmin'] as const)
    expect((await app.as[role].call(assignments.linkArea, { body })).status).toBe(200)
})

test('[API-2] ids of another organisation are refused, even if all current and future are chosen', async () => {
  const theirs = await app.as.otherAdmin.call(planningStructure.addSubarea, { body: { name: 'Theirs' } })
  expect(theirs.status).toBe(201)
  for (const id of [theirs.body.Id, randomUUID()]) {
    const whole = await put(`areas/${kitchen}/subareas`, { ids: [bar, id], allCurrentAndFuture: true })
    expect([whole.status, whole.body.code]).toEqual([404, 'notFound'])
  }
  expect(await linked()).toEqual({ Garden: [], Kitchen: [] })
})
