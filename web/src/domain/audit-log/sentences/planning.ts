import type { AuditAction } from '@tributary/contract/audit-actions'
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import {
  type ActionWording,
  describeAddedAndRemoved,
  describeRecordChange,
  detailText,
  stateText,
  thing,
  who,
} from './sentence.ts'
import { nounOf } from './things.ts'
import { formatCount } from '../../../ui/formats.ts'

export type PlanningAction = Extract<
  AuditAction,
  `load.${string}` | `permission_group.${string}` | `structure.${string}`
>

function describeLinks(event: AuditLogEvent): string {
  const after = stateText(event, 'after', 'allCurrentAndFuture')
  const isSwitched = after !== stateText(event, 'before', 'allCurrentAndFuture')
  const all = isSwitched ? (after === 'true' ? ' to all current and future ones' : ' to chosen ones only') : ''
  return `changed the links of ${thing}${all}${describeAddedAndRemoved(event)}`
}

const rowsOf = (event: AuditLogEvent) => {
  const rows = Number(event.Detail['rows'] ?? 0)
  return rows === 1 ? '1 row' : `${formatCount(rows)} rows`
}

/** A load is named by what it was loaded into, or by its table after the receipt is deleted. */
const targetOf = (event: AuditLogEvent) =>
  event.ObjectName === null ? (detailText(event, 'table') ?? 'a table') : thing

export const planningWording: Readonly<Record<PlanningAction, ActionWording>> = {
  'load.committed': {
    label: 'Sheet loaded',
    sentence: (event) => `${who} loaded ${rowsOf(event)} into ${targetOf(event)}`,
  },
  'load.undone': { label: 'Load undone', sentence: (event) => `${who} undid a load into ${targetOf(event)}` },
  'permission_group.changed': {
    label: 'Security group changed',
    sentence: (event) => `${who} ${describeRecordChange(event, 'security group')}${describeAddedAndRemoved(event)}`,
  },
  'permission_group.created': {
    label: 'Security group created',
    sentence: (event) => `${who} created ${thing}${describeAddedAndRemoved(event)}`,
  },
  'permission_group.deleted': { label: 'Security group deleted', sentence: () => `${who} deleted ${thing}` },
  'structure.created': { label: 'Record added', sentence: () => `${who} added ${thing}` },
  'structure.deleted': { label: 'Record deleted', sentence: () => `${who} deleted ${thing}` },
  'structure.links_changed': { label: 'Links changed', sentence: (event) => `${who} ${describeLinks(event)}` },
  'structure.updated': {
    label: 'Record changed',
    sentence: (event) => `${who} ${describeRecordChange(event, nounOf(event.ObjectType))}`,
  },
}
