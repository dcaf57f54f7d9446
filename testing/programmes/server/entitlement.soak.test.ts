/** Compares the computation of entitlements with an exhaustive model, and the store's functions with both. */
import type { Use } from '@tributary/contract/assignments'
import type { Camel } from '@tributary/contract/wire'
import fc from 'fast-check'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPerson } from '../../server/identity/add-person.ts'
import {
  arbitraryOrganisation,
  storeOrganisation,
  type ModelOrganisation,
  type ModelGrant,
  type ModelMember,
} from '../../server/identity/arbitrary-organisation.ts'
import { modelUse, type ModelUse } from '../../server/identity/entitlement-model.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import {
  computeUse,
  type PairGrant,
  type EntitledPerson,
  type EntitlementStructure,
} from '../../../server/src/planning/entitlement/entitlement.ts'
import { findEntitledPerson, readStructure } from '../../../server/src/planning/entitlement/queries.ts'
import { isFull, seed } from '../extent.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

type ExpectedUse = ReturnType<typeof modelUse>

function comparableUse(use: Camel<Use>): ExpectedUse {
  const why = (reasons: Camel<Use>['pairs'][number]['why']) =>
    reasons.map(({ group, because }) => `${group ?? ''}: ${because}`).toSorted()
  return {
    pairs: use.pairs.map((pair) => ({ ids: [pair.areaId, pair.subareaId], why: why(pair.why) })),
    milestones: use.milestones.map((one) => ({
      ids: [one.versionId, one.milestoneId],
      mayWrite: one.mayWrite,
      why: why(one.why),
    })),
    helperTables: use.helperTables.map((one) => ({ ids: [one.id], mayWrite: one.mayWrite, why: why(one.why) })),
    entities: use.entities.map((one) => ({ ids: [one.id], why: why(one.why) })),
  }
}

function structureOf(made: ModelOrganisation, { helperTableIds, entityIds }: ModelMember): EntitlementStructure {
  return {
    areas: made.areas.map((area) => ({ ...area, allSubareas: area.all })),
    subareas: made.subareas.map((subarea) => ({ ...subarea, allAreas: subarea.all })),
    links: made.links.map(([areaId, subareaId]) => ({ areaId: areaId ?? '', subareaId: subareaId ?? '' })),
    versions: made.versions,
    milestones: made.milestones,
    helperTables: made.helperTables.map((table) => ({
      ...table,
      allUsers: table.all,
      isAssigned: helperTableIds.includes(table.id),
    })),
    entities: made.entities.map((entity) => ({
      ...entity,
      allUsers: entity.all,
      isAssigned: entityIds.includes(entity.id),
    })),
  }
}

function personOf({ groups }: ModelOrganisation, member: ModelMember): EntitledPerson {
  const grants = (some: readonly ModelGrant[]): PairGrant[] => some.map(([outerId, innerId]) => ({ outerId, innerId }))
  const active = groups.filter(({ id, status }) => status === 'active' && member.groupIds.includes(id))
  return {
    ...member,
    groups: active.map((group) => ({ ...group, areas: grants(group.areas), versions: grants(group.versions) })),
  }
}

test('[GRP-9] the computation returns the same entitlements and reasons as a model that tests every pair against every grant', () => {
  const property = fc.property(arbitraryOrganisation(['one', 'two', 'three']), (made) => {
    for (const member of made.members)
      expect(comparableUse(computeUse(structureOf(made, member), personOf(made, member)))).toEqual(
        modelUse(made, member),
      )
  })
  fc.assert(property, { seed, numRuns: isFull ? 20_000 : 1_000 })
})

test('[GRP-9] [LINK-5] the store’s functions return the same rows for all users as the computation returns for each user', async () => {
  const organisationId = app.harbour.id
  const memberIds = await Promise.all(
    [1, 2, 3].map(async () => (await addPerson(app, { [organisationId]: 'user' })).id),
  )
  const property = fc.asyncProperty(arbitraryOrganisation(memberIds), (made) =>
    app.store.within(organisationId, async (db) => {
      await storeOrganisation(db, organisationId, made)
      const read = async (query: RawBuilder<UsableRow>) =>
        Map.groupBy((await query.execute(db)).rows, ({ userId }) => userId)
      const pairs = await read(sql`SELECT userId, ARRAY[areaId, subareaId] AS ids FROM usablePairs(${organisationId})`)
      const milestones = await read(
        sql`SELECT userId, ARRAY[versionId, milestoneId] AS ids, mayWrite FROM usableMilestones(${organisationId})`,
      )
      const helperTables = await read(
        sql`SELECT userId, ARRAY[helperTableId] AS ids, mayWrite FROM usableHelperTables(${organisationId})`,
      )
      const entities = await read(sql`SELECT userId, ARRAY[entityId] AS ids FROM usableEntities(${organisationId})`)
      for (const member of made.members) {
        const person = await findEntitledPerson(db, organisationId, member.id)
        if (person === undefined) throw new Error('A member is not found.')
        const use = comparableUse(computeUse(await readStructure(db, organisationId, member.id), person))
        expect(use).toEqual(modelUse(made, member))
        const all = Object.entries({ pairs, milestones, helperTables, entities })
        const rows = all.map(([kind, byUser]) => [kind, sorted(byUser.get(member.id) ?? [])])
        expect(Object.fromEntries(rows)).toEqual(
          Object.fromEntries(Object.entries(use).map(([kind, things]) => [kind, sorted(things)])),
        )
      }
    }),
  )
  await fc.assert(property, { seed, numRuns: isFull ? 1_500 : 40 })
}, 900_000)

interface UsableRow extends Omit<ModelUse, 'why'> {
  readonly userId: string
}

/** Sorted and without the reasons. */
function sorted(things: readonly Omit<ModelUse, 'why'>[]) {
  return things.map(({ ids, mayWrite }) => JSON.stringify([ids, mayWrite ?? null])).toSorted()
}
