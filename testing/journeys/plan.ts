/**
 * Creates a plan for one journey: a version with an open and a locked milestone, and two areas, one of them granted.
 */
import type { APIRequestContext } from '@playwright/test'
import { structureBuilder, uniqueSuffix } from './structure.ts'

export type PlanRow = readonly [
  entity: string,
  area: string,
  subarea: string,
  milestone: string,
  month: Date,
  amount: number,
]

interface RowOptions {
  readonly milestone?: 'Draft' | 'Final'
  readonly area?: 'Quay' | 'Attic'
}

export interface PlanOptions {
  /** Email address of the administrator who creates it. */
  readonly admin?: string
  readonly people?: RegExp
}

export async function makePlan(
  request: APIRequestContext,
  { admin, people = /^(?:admin|user)@demo/u }: PlanOptions = {},
) {
  const of = uniqueSuffix()
  const made = await structureBuilder(request, of, admin)
  const [quay, attic, berth, version, entity] = await Promise.all([
    made.area('Quay'),
    made.area('Attic'),
    made.subarea('Berth'),
    made.version('Plan'),
    made.entity('Harbour Ltd'),
  ])
  await Promise.all([made.link(quay.Id, berth.Id), made.link(attic.Id, berth.Id)])
  const [draft, final] = [await made.milestone(version.Id, 'Draft'), await made.milestone(version.Id, 'Final')]
  const statuses = await made.api.get<{ Id: string; Name: string }[]>('/statuses')
  const lock = (milestoneId: string) =>
    made.api.post(`/milestones/${milestoneId}`, { statusId: statuses.find(({ Name }) => Name === 'locked')?.Id })
  await lock(final.Id)
  const grants = {
    areas: [{ areaId: quay.Id, subareaId: berth.Id, allAreas: false, allSubareas: false }],
    versions: [{ versionId: version.Id, milestoneId: null, allVersions: false, allMilestones: true }],
  }
  const group = await made.api.post<{ Id: string }>('/permission-groups', { name: `Planners ${of}`, grants })
  const users = await made.api.get<{ Id: string; EmailAddress: string }[]>('/users')
  for (const { Id } of users.filter(({ EmailAddress }) => people.test(EmailAddress))) {
    await made.api.post(`/users/${Id}/link-to-group`, { groupId: group.Id })
    await made.api.post(`/users/${Id}/link-to-entity`, { entityId: entity.Id })
  }
  const row = (amount: number, { milestone = 'Draft', area = 'Quay' }: RowOptions = {}): PlanRow => [
    `Harbour Ltd ${of}`,
    `${area} ${of}`,
    `Berth ${of}`,
    `${milestone} ${of}`,
    new Date('2026-01-31'),
    amount,
  ]
  return { of, api: made.api, version: version.Name, versionId: version.Id, row, lockDraft: () => lock(draft.Id) }
}

export type Plan = Awaited<ReturnType<typeof makePlan>>
