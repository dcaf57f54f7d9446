/** The planning structures of a trial, and the access of its people to them. */
import { inputTableName, sqlTableName } from '@tributary/contract/derived-names'
import type { Db, Store } from '../kernel/store/store.ts'
import { trialOrganisations, trialPersonId } from './people.ts'

const [harbour, summit] = trialOrganisations
const admin = trialPersonId('admin@demo.example')
const user = trialPersonId('user@demo.example')
const summitAdmin = trialPersonId('admin@other.example')

type TrialStatus = 'active' | 'locked' | 'archived'
/** Null stands for all, current and future. */
type AreaPair = readonly [area: string | null, subarea: string | null]
type TrialGrant = readonly [version: string | null, milestone: string | null]

interface StructurePlan {
  readonly organisationId: string
  /** The subareas of each area; 'all' links all current and future subareas. */
  readonly areas: Readonly<Record<string, readonly string[] | 'all'>>
  readonly versions: readonly {
    readonly name: string
    readonly status?: TrialStatus
    readonly milestones: Readonly<Record<string, TrialStatus>>
  }[]
  readonly helperTables: readonly string[]
  readonly entities: readonly string[]
  readonly groups: readonly {
    readonly name: string
    readonly pairs: readonly AreaPair[]
    readonly milestones: readonly TrialGrant[]
    readonly members: readonly string[]
  }[]
  /** Helper tables and entities of single people. */
  readonly assigned: readonly {
    readonly userId: string
    readonly helperTables: readonly string[]
    readonly entities: readonly string[]
  }[]
}

const harbourPlan: StructurePlan = {
  organisationId: harbour.id,
  areas: {
    'North quay': ['Fresh fish', 'Frozen fish', 'Shellfish', 'Cold storage'],
    'South quay': ['Fresh fish', 'Cold storage', 'Customs and duties'],
    Wholesale: ['Restaurants', 'Retail chains', 'Export'],
    'Web shop': ['Gift boxes', 'Subscriptions', 'Deliveries'],
    Fleet: ['Fuel', 'Maintenance', 'Crew'],
    'Head office': 'all',
  },
  versions: [
    { name: 'Budget 2026', milestones: { 'First draft': 'locked', 'Board proposal': 'active', Approved: 'active' } },
    { name: 'Forecast 2026', milestones: { Q1: 'locked', Q2: 'active', Q3: 'active', Q4: 'active' } },
    { name: 'Budget 2025', status: 'locked', milestones: { Approved: 'locked' } },
  ],
  helperTables: ['Exchange rates', 'Cost centres', 'Fuel prices'],
  entities: ['Harbour Trading Ltd', 'Harbour Retail Ltd', 'Harbour Norge AS', 'Harbour Logistics BV'],
  groups: [
    {
      name: 'Quay planners',
      pairs: [
        ['North quay', null],
        ['South quay', 'Fresh fish'],
        ['South quay', 'Cold storage'],
      ],
      milestones: [
        ['Budget 2026', null],
        ['Forecast 2026', 'Q2'],
        ['Forecast 2026', 'Q3'],
      ],
      members: [user],
    },
    {
      name: 'Sales planners',
      pairs: [
        ['Wholesale', null],
        ['Web shop', 'Gift boxes'],
        ['Web shop', 'Subscriptions'],
      ],
      milestones: [['Forecast 2026', null]],
      members: [user, admin],
    },
    {
      name: 'Finance',
      pairs: [[null, null]],
      milestones: [[null, null]],
      members: [admin, trialPersonId('provideradmin@demo.example')],
    },
  ],
  assigned: [
    {
      userId: user,
      helperTables: ['Exchange rates', 'Fuel prices'],
      entities: ['Harbour Trading Ltd', 'Harbour Norge AS'],
    },
    { userId: admin, helperTables: ['Exchange rates', 'Cost centres'], entities: ['Harbour Trading Ltd'] },
  ],
}

const summitPlan: StructurePlan = {
  organisationId: summit.id,
  areas: { Bakery: ['Bread', 'Pastry'], Catering: ['Events', 'Canteens'] },
  versions: [{ name: 'Plan 2026', milestones: { Draft: 'active', Final: 'active' } }],
  helperTables: ['Price list'],
  entities: ['Summit Foods Ltd'],
  groups: [{ name: 'Planners', pairs: [[null, null]], milestones: [[null, null]], members: [summitAdmin] }],
  assigned: [{ userId: summitAdmin, helperTables: ['Price list'], entities: ['Summit Foods Ltd'] }],
}

export async function seedStructure(store: Store): Promise<void> {
  // Across: both structures in one transaction, so that an interrupted start is repeated as a whole.
  await store.across(async (db) => {
    for (const plan of [harbourPlan, summitPlan]) await insertPlan(db, plan)
  })
}

type IdsByName = ReadonlyMap<string, string>

/** The ids of milestones are by `version/milestone`. */
type CreatedStructure = Awaited<ReturnType<typeof insertAreas>> & Awaited<ReturnType<typeof insertVersions>>

async function insertPlan(db: Db, plan: StructurePlan): Promise<void> {
  const created = { ...(await insertAreas(db, plan)), ...(await insertVersions(db, plan)) }
  for (const group of plan.groups) await insertGroup(db, plan.organisationId, group, created)
  await insertAssigned(db, plan)
}

async function insertAreas(db: Db, { organisationId, areas }: StructurePlan) {
  const rows = Object.entries(areas).map(([name, linked]) => ({ organisationId, name, allSubareas: linked === 'all' }))
  const areaIds = byName(await db.insertInto('area').values(rows).returning(['id', 'name']).execute())
  const single = Object.entries(areas).flatMap(([area, linked]) =>
    linked === 'all' ? [] : linked.map((subarea) => ({ area, subarea })),
  )
  const names = [...new Set(single.map(({ subarea }) => subarea))]
  const subareaRows = names.map((name) => ({ organisationId, name }))
  const subareaIds = byName(await db.insertInto('subarea').values(subareaRows).returning(['id', 'name']).execute())
  const links = single.map(({ area, subarea }) => ({
    organisationId,
    areaId: get(areaIds, area),
    subareaId: get(subareaIds, subarea),
  }))
  await db.insertInto('areaSubarea').values(links).execute()
  return { areas: areaIds, subareas: subareaIds }
}

async function insertVersions(db: Db, { organisationId, versions }: StructurePlan) {
  const statuses = byName(await db.selectFrom('status').select(['id', 'name']).execute())
  const rows = versions.map(({ name, status }) => ({
    organisationId,
    name,
    statusId: get(statuses, status ?? 'active'),
  }))
  const createdVersions = await db.insertInto('version').values(rows).returning(['id', 'name']).execute()
  const versionIds = byName(createdVersions)
  const claims = createdVersions.map(({ id, name }) => ({
    organisationId,
    name: sqlTableName.version(name).toLowerCase(),
    versionId: id,
  }))
  await db.insertInto('physicalTable').values(claims).execute()
  const milestones = versions.flatMap(({ name: version, milestones: ofVersion }) =>
    Object.entries(ofVersion).map(([name, status]) => ({
      organisationId,
      versionId: get(versionIds, version),
      name,
      statusId: get(statuses, status),
    })),
  )
  const createdMilestones = await db
    .insertInto('milestone')
    .values(milestones)
    .returning(['id', 'name', 'versionId'])
    .execute()
  const nameOf = new Map(createdVersions.map(({ id, name }) => [id, name]))
  return {
    versions: versionIds,
    milestones: new Map(createdMilestones.map(({ id, name, versionId }) => [`${nameOf.get(versionId)}/${name}`, id])),
  }
}

async function insertGroup(
  db: Db,
  organisationId: string,
  group: StructurePlan['groups'][number],
  created: CreatedStructure,
): Promise<void> {
  const { name, pairs, milestones, members } = group
  const { id: groupId } = await db
    .insertInto('permissionGroup')
    .values({ organisationId, name })
    .returning('id')
    .executeTakeFirstOrThrow()
  const areaGrants = pairs.map(([area, subarea]) => ({
    organisationId,
    groupId,
    areaId: area && get(created.areas, area),
    subareaId: subarea && get(created.subareas, subarea),
  }))
  await db.insertInto('groupPair').values(areaGrants).execute()
  const versionGrants = milestones.map(([version, milestone]) => ({
    organisationId,
    groupId,
    versionId: version && get(created.versions, version),
    milestoneId: milestone && get(created.milestones, `${version}/${milestone}`),
  }))
  await db.insertInto('groupMilestone').values(versionGrants).execute()
  await db
    .insertInto('groupUser')
    .values(members.map((userId) => ({ organisationId, groupId, userId })))
    .execute()
}

async function insertAssigned(
  db: Db,
  { organisationId, helperTables, entities, assigned }: StructurePlan,
): Promise<void> {
  const rows = helperTables.map((name) => ({ organisationId, name, inputTableName: inputTableName(name) }))
  const tables = byName(await db.insertInto('helperTable').values(rows).returning(['id', 'name']).execute())
  const claims = rows.map(({ name, inputTableName: inputName }) => ({
    organisationId,
    name: sqlTableName.helperTable(inputName).toLowerCase(),
    helperTableId: get(tables, name),
  }))
  await db.insertInto('physicalTable').values(claims).execute()
  const entityRows = entities.map((name) => ({ organisationId, name }))
  const entityIds = byName(await db.insertInto('entity').values(entityRows).returning(['id', 'name']).execute())
  const tableUsers = assigned.flatMap(({ userId, helperTables: names }) =>
    names.map((name) => ({ organisationId, userId, helperTableId: get(tables, name) })),
  )
  await db.insertInto('helperTableUser').values(tableUsers).execute()
  const entityUsers = assigned.flatMap(({ userId, entities: names }) =>
    names.map((name) => ({ organisationId, userId, entityId: get(entityIds, name) })),
  )
  await db.insertInto('entityUser').values(entityUsers).execute()
}

function byName(rows: readonly { readonly id: string; readonly name: string }[]): IdsByName {
  return new Map(rows.map(({ id, name }) => [name, id]))
}

function get(ids: IdsByName, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`The trial's structure has no element ${name}.`)
  return id
}
