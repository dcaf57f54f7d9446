/** A version with an open and a locked milestone, and two areas of which the planners may use one; made for one journey. */
import type { APIRequestContext } from '@playwright/test'
import { builder, mark } from './structure.ts'

export type Row = readonly [
  entity: string,
  area: string,
  subarea: string,
  milestone: string,
  month: Date,
  amount: number,
]

interface Place {
  readonly milestone?: 'Draft' | 'Final'
  readonly area?: 'Quay' | 'Attic'
}

export interface Planners {
  /** Who makes it. */
  readonly admin?: string
  readonly people?: RegExp
}

export async function makePlan(request: APIRequestContext, { admin, people = /^(?:admin|user)@demo/u }: Planners = {}) {
  const of = mark()
  const made = await builder(request, of, admin)
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
  const row = (amount: number, { milestone = 'Draft', area = 'Quay' }: Place = {}): Row => [
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
