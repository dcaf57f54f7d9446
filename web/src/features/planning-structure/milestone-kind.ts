import type { Milestone } from '@tributary/contract/planning-records'
import { call } from '../../api/call.ts'
import { grantsGone } from './lost-grants.ts'
import type { Kind } from './record-kind.ts'

export function milestonesOf(versionId: string): Kind<Milestone> {
  return {
    one: 'milestone',
    many: 'milestones',
    adding: 'Add Milestone',
    nameLabel: 'Name',
    statuses: ['active', 'locked', 'archived'],
    deletion: 'deleteStructure',
    add: (name) => call('POST /milestones', { body: { name, versionId, listOrder: 1 } }),
    change: (milestoneId, body) =>
      call('POST /milestones/:milestoneId', { params: { milestoneId }, body: { ...body, versionId, listOrder: 1 } }),
    remove: (milestoneId) => call('DELETE /milestones/:milestoneId', { params: { milestoneId } }),
    goesWith: ({ GroupCount }) => `${grantsGone(GroupCount)} Rows that were loaded stay in the database.`,
  }
}
