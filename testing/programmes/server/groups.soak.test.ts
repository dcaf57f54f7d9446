/** Concurrent saves of the same group: a few as a slice, a hundred with `npm run soak`. */
import type { FaultReply } from '@tributary/contract/faults'
import type { PermissionGroup } from '@tributary/contract/groups'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { structureCalls } from '../../server/excel/create-structure.ts'
import { statusIds } from '../../server/app/fixed-ids.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { isFull, seed } from '../extent.ts'

const saves = isFull ? 100 : 12
const random = createRandom(seed)

let app: TestApp
let areas: string[]
let subareas: string[]
beforeAll(async () => {
  app = await testApp()
  const make = structureCalls(app)
  areas = []
  subareas = []
  for (let at = 0; at < 5; at += 1) {
    areas.push(await make.area(`Area ${at}`))
    subareas.push(await make.subarea(`Subarea ${at}`))
  }
})
afterAll(() => app[Symbol.asyncDispose]())

type GroupReply = PermissionGroup & FaultReply

function randomGrants() {
  const pairs = areas.flatMap((areaId) =>
    subareas.map((subareaId) => ({ areaId, subareaId, allAreas: false, allSubareas: false })),
  )
  return { areas: pairs.filter(() => random.next() < 0.4), versions: [] }
}
function keys(pairs: readonly { readonly areaId: string | null; readonly subareaId: string | null }[]): string[] {
  return pairs.map(({ areaId, subareaId }) => `${areaId ?? ''} ${subareaId ?? ''}`).toSorted()
}
async function stored(groupId: string) {
  const { body } = await app.as.admin.send<GroupReply>('GET', `/api/permission-groups/${groupId}`)
  const pairs = body.PermissionGroupAreasSubAreas.map(({ B2SAreaSubarea: { AreaId, SubareaId } }) => ({
    areaId: AreaId,
    subareaId: SubareaId,
  }))
  return { name: body.Name, revision: body.Revision, pairs: keys(pairs) }
}

test(`[GRP-9] of ${saves} concurrent saves of a group one is stored, with its name and its grants (seed ${seed})`, async () => {
  const groupId = await structureCalls(app).group('Planners')
  const wishes = Array.from({ length: saves }, (_, at) => ({ name: `Planners ${at}`, grants: randomGrants() }))
  const replies = await Promise.all(
    wishes.map((body) => app.as.admin.send('POST', '/api/permission-groups', { body: { ...body, groupId } })),
  )
  expect(replies.map(({ status }) => status)).toEqual(wishes.map(() => 200))
  const { name, pairs, revision } = await stored(groupId)
  expect(wishes.map((one) => [one.name, keys(one.grants.areas)])).toContainEqual([name, pairs])
  expect(revision).toBe(saves + 1)
})

test(`[GRP-9] of ${saves} saves that are based on the same revision one succeeds, and every other reports what changed (seed ${seed})`, async () => {
  const groupId = await structureCalls(app).group('Readers')
  const { revision } = await stored(groupId)
  const wishes = Array.from({ length: saves }, (_, at) => ({ name: `Readers ${at}`, grants: randomGrants(), revision }))
  const replies = await Promise.all(
    wishes.map((body) => app.as.admin.send<GroupReply>('PUT', `/api/permission-groups/${groupId}`, { body })),
  )
  const winner = replies.findIndex(({ status }) => status === 200)
  const { name, pairs } = await stored(groupId)
  expect([name, pairs]).toEqual([wishes[winner]?.name, keys(wishes[winner]?.grants.areas ?? [])])
  for (const [at, { status, body }] of replies.entries())
    if (at !== winner) expect([status, body.message]).toEqual([409, expect.stringContaining(`named it ${name}`)])
})

test(`[GRP-2] ${saves} concurrent changes of one group’s status all succeed`, async () => {
  const groupId = await structureCalls(app).group('Watched')
  const wishes = Array.from({ length: saves }, (_, at) => (at % 2 === 0 ? statusIds.archived : statusIds.active))
  const replies = await Promise.all(
    wishes.map((statusId) =>
      app.as.admin.send('POST', '/api/permission-groups/status', { body: { groupId, statusId } }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(wishes.map(() => 200))
})
