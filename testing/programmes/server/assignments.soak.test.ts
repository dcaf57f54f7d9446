/** Concurrent saves of the same links: a few as a slice, a hundred with `npm run soak`. */
import type { FaultReply } from '@tributary/contract/faults'
import { planningStructure } from '@tributary/contract/planning-structure'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { structureCalls } from '../../server/excel/create-structure.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { isFull, seed } from '../extent.ts'

const saves = isFull ? 100 : 12
const random = createRandom(seed)

let app: TestApp
let areas: readonly string[]
let subareas: readonly string[]
beforeAll(async () => {
  app = await testApp()
  const make = structureCalls(app)
  areas = await inTurn(6, (at) => make.area(`Area ${at}`))
  subareas = await inTurn(8, (at) => make.subarea(`Subarea ${at}`))
})
afterAll(() => app[Symbol.asyncDispose]())

async function inTurn<T>(count: number, make: (at: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  for (let at = 0; at < count; at += 1) made.push(await make(at))
  return made
}
function someOf(ids: readonly string[]): string[] {
  return ids.filter(() => random.next() < 0.5)
}
function put(path: string, body: object) {
  return app.as.admin.send<FaultReply & { readonly Ids: readonly string[] }>('PUT', `/api/${path}`, { body })
}
async function subareasOf(areaId: string): Promise<readonly string[]> {
  const { body } = await app.as.admin.call(planningStructure.areas)
  return body.find(({ Id }) => Id === areaId)?.Subareas.map(({ Id }) => Id) ?? []
}

test(`[LINK-4] of ${saves} concurrent saves of one area the links of one are stored, never a mixture (seed ${seed})`, async () => {
  const [areaId = ''] = areas
  const wishes = Array.from({ length: saves }, () => someOf(subareas))
  const replies = await Promise.all(wishes.map((ids) => put(`areas/${areaId}/subareas`, { ids })))
  expect(replies.map(({ status }) => status)).toEqual(wishes.map(() => 200))
  expect(wishes.map((ids) => ids.toSorted())).toContainEqual((await subareasOf(areaId)).toSorted())
})

test(`[LINK-4] of ${saves} saves that are based on the same state one succeeds, and every other reports what changed (seed ${seed})`, async () => {
  const [, areaId = ''] = areas
  const wishes = Array.from({ length: saves }, (_, at) => [subareas[at % subareas.length] ?? ''])
  const replies = await Promise.all(wishes.map((ids) => put(`areas/${areaId}/subareas`, { ids, before: { ids: [] } })))
  const winner = replies.findIndex(({ status }) => status === 200)
  const stored = await subareasOf(areaId)
  expect(stored).toEqual(wishes[winner])
  const name = `Subarea ${subareas.indexOf(stored[0] ?? '')}`
  for (const [at, { status, body }] of replies.entries())
    if (at !== winner) expect([status, body.message]).toEqual([409, expect.stringContaining(`(added ${name})`)])
})

test(`[LINK-4] [LINK-6] ${saves} concurrent saves from both sides all succeed, and both sides show the same links (seed ${seed})`, async () => {
  const calls = Array.from({ length: saves }, (_, at) =>
    at % 2 === 0
      ? put(`areas/${random.pick(areas)}/subareas`, { ids: someOf(subareas) })
      : put(`subareas/${random.pick(subareas)}/areas`, { ids: someOf(areas) }),
  )
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200))
  const [one, other] = [
    await app.as.admin.call(planningStructure.areas),
    await app.as.admin.call(planningStructure.subareas),
  ]
  const pairs = one.body.flatMap(({ Id, Subareas }) => Subareas.map((subarea) => `${Id} ${subarea.Id}`))
  expect(
    other.body.flatMap(({ Id, AreasSubareas }) => AreasSubareas.map(({ Area }) => `${Area.Id} ${Id}`)).toSorted(),
  ).toEqual(pairs.toSorted())
})

test('[AREA-4] [LINK-4] a subarea that is deleted while it is linked leaves no link and breaks no save', async () => {
  const make = structureCalls(app)
  const doomed = await inTurn(saves, (at) => make.subarea(`Doomed ${at}`))
  const calls = doomed.flatMap((subareaId, at) => [
    put(`areas/${areas[at % areas.length] ?? ''}/subareas`, { ids: [subareaId] }),
    app.as.superadmin.call(planningStructure.deleteSubarea, { params: { subareaId } }),
  ])
  const replies = await Promise.all(calls)
  for (const { status } of replies) expect([200, 204, 404]).toContain(status)
  const left = await app.store.within(app.harbour.id, (db) =>
    db.selectFrom('areaSubarea').select('areaId').where('subareaId', 'in', doomed).execute(),
  )
  expect(left).toEqual([])
})
