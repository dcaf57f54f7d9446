import type { Milestone } from '@tributary/contract/planning-records'
import { call } from '../../api/call.ts'
import { describeLostGrants } from './deletion-effects.ts'
import type { PlanningRecordKind } from './record-kind.ts'

export function milestoneKind(versionId: string): PlanningRecordKind<Milestone> {
  return {
    one: 'milestone',
    many: 'milestones',
    addLabel: 'Add Milestone',
    nameLabel: 'Name',
    statuses: ['active', 'locked', 'archived'],
    deleteCapability: 'deleteStructure',
    add: (name) => call('POST /milestones', { body: { name, versionId, listOrder: 1 } }),
    change: (milestoneId, body) =>
      call('POST /milestones/:milestoneId', { params: { milestoneId }, body: { ...body, versionId, listOrder: 1 } }),
    remove: (milestoneId) => call('DELETE /milestones/:milestoneId', { params: { milestoneId } }),
    describeDeletion: ({ GroupCount }) => `${describeLostGrants(GroupCount)} Loaded rows stay in the database.`,
  }
}
