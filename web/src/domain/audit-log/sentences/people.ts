import type { AuditAction } from '@tributary/contract/audit-actions'
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import {
  type ActionWording,
  describeAddedAndRemoved,
  detailList,
  detailText,
  isSelf,
  listNames,
  possession,
  thing,
  who,
} from './sentence.ts'

export type PeopleAction = Extract<
  AuditAction,
  `approval.${string}` | `assignment.${string}` | `authz.${string}` | `organisation.${string}` | `user.${string}`
>

const asRole = (event: AuditLogEvent) => {
  const role = detailText(event, 'role')
  return role === undefined ? '' : ` as ${role}`
}

const userFields: Readonly<Record<string, string>> = {
  firstName: 'first name',
  lastName: 'last name',
  emailAddress: 'email address',
  passwordHash: 'password',
  msOid: 'Microsoft id',
  requiresMfa: 'second factor',
}
const organisationFields: Readonly<Record<string, string>> = {
  companyName: 'name',
  timeZone: 'time zone',
  requiresMfa: 'rule for second factors',
  requireMultiFactorAuthentication: 'rule for second factors',
}

function changedFields(event: AuditLogEvent, names: Readonly<Record<string, string>>): string {
  return listNames(detailList(event, 'fields').map((field) => names[field] ?? field)) || 'details'
}

/** By the name of the view that was saved: what was linked to the thing. */
const assignedThings: Readonly<Record<string, string>> = {
  'groups of user': 'security groups',
  'helper tables of user': 'helper tables',
  'entities of user': 'entities',
  'accounting products of user': 'companies',
  'users of helper table': 'users',
  'users of entity': 'users',
}

export const peopleWording: Readonly<Record<PeopleAction, ActionWording>> = {
  'approval.approved': { label: 'Request approved', sentence: () => `${who} approved ${thing}` },
  'approval.rejected': { label: 'Request rejected', sentence: () => `${who} rejected ${thing}` },
  'approval.requested': {
    label: 'Access requested',
    sentence: ({ ObjectName }) => `${ObjectName ?? 'A person'} asked for access`,
  },
  'assignment.changed': {
    label: 'Assignment changed',
    sentence: (event) => {
      const what = assignedThings[detailText(event, 'links') ?? ''] ?? 'assignments'
      return `${who} changed ${possession(event, what)}${describeAddedAndRemoved(event)}`
    },
  },
  'authz.denied': {
    label: 'Not allowed',
    sentence: (event) => `${who} was not allowed to call ${detailText(event, 'route') ?? 'the API'}`,
  },
  'authz.membership_added': {
    label: 'Member added',
    sentence: (event) =>
      isSelf(event) ? `${who} joined the organisation` : `${who} added ${thing} to the organisation${asRole(event)}`,
  },
  'authz.membership_removed': {
    label: 'Member removed',
    sentence: () => `${who} removed ${thing} from the organisation`,
  },
  'authz.role_changed': {
    label: 'Role changed',
    sentence: (event) => {
      const [before, after] = [detailText(event, 'before'), detailText(event, 'after')]
      return `${who} changed ${possession(event, 'role')}${before === undefined ? '' : ` from ${before}`}${after === undefined ? '' : ` to ${after}`}`
    },
  },
  'authz.tenant_mismatch': {
    label: 'Other organisation refused',
    sentence: (event) => `${who} tried to reach another organisation with ${detailText(event, 'route') ?? 'a call'}`,
  },
  'organisation.archived': { label: 'Organisation archived', sentence: () => `${who} archived the organisation` },
  'organisation.created': { label: 'Organisation created', sentence: () => `${who} created the organisation` },
  'organisation.data_region_set': {
    label: 'Region of the warehouse set',
    sentence: (event) => `${who} set the region of the warehouse to ${detailText(event, 'after') ?? 'any'}`,
  },
  'organisation.ready_by_set': {
    label: 'Ready by changed',
    sentence: () => `${who} changed by when the rows of the organisation must be ready`,
  },
  'organisation.restored': { label: 'Organisation restored', sentence: () => `${who} restored the organisation` },
  'organisation.run_share_changed': {
    label: 'Share of runs changed',
    sentence: (event) =>
      `${who} set the organisation’s share of runs to ${detailText(event, 'runsMax') ?? ''} at once with weight ${detailText(event, 'weight') ?? ''}`,
  },
  'organisation.updated': {
    label: 'Organisation changed',
    sentence: (event) => `${who} changed the organisation’s ${changedFields(event, organisationFields)}`,
  },
  'user.activated': { label: 'User activated', sentence: () => `${who} activated ${thing}` },
  'user.archived': { label: 'User archived', sentence: () => `${who} archived ${thing}` },
  'user.created': {
    label: 'Account created',
    sentence: (event) => `${who} created ${possession(event, 'account')}${asRole(event)}`,
  },
  'user.deleted': { label: 'Account deleted', sentence: () => `${who} deleted the account of ${thing}` },
  'user.invitation_withdrawn': {
    label: 'Invitation withdrawn',
    sentence: () => `${who} withdrew the invitation of ${thing}`,
  },
  'user.invited': {
    label: 'Invitation sent',
    sentence: (event) =>
      detailText(event, 'again') === undefined
        ? `${who} invited ${thing}${asRole(event)}`
        : `${who} sent the invitation of ${thing} again`,
  },
  'user.locked': { label: 'User locked', sentence: () => `${who} locked ${thing}` },
  'user.preferences_changed': {
    label: 'Preferences changed',
    sentence: (event) => `${who} changed ${possession(event, 'language or time zone')}`,
  },
  'user.updated': {
    label: 'User changed',
    sentence: (event) => `${who} changed ${possession(event, changedFields(event, userFields))}`,
  },
}
