import type { AuditAction } from '@tributary/contract/audit-actions'
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import { describeScheduleInSentence } from '../../schedules/schedule.ts'
import {
  type ActionWording,
  countOf,
  detailList,
  detailText,
  isSelf,
  listNames,
  stateText,
  thing,
  who,
} from './sentence.ts'
import { hostWording } from './connector-hosts.ts'
import { formatMoment, formatCount } from '../../../ui/formats.ts'

export type ConnectorAction = Extract<
  AuditAction,
  | `connector.${string}`
  | `database.${string}`
  | `dictionary.${string}`
  | `oauth_app.${string}`
  | `product.${string}`
  | `sync.${string}`
  | `tables.${string}`
  | `warehouse.${'login' | 'password' | 'reader'}_${string}`
>

/** The actions on the organisation's own database have no connector. */
function ownerOf({ ObjectId }: AuditLogEvent): string {
  return ObjectId === null ? 'the organisation' : thing
}

const policies: Readonly<Record<string, string>> = {
  take: 'applying them',
  ask: 'asking first',
  stop: 'stopping the run',
}
const policyOf = (event: AuditLogEvent, state: 'before' | 'after') => {
  const policy = detailText(event, state) ?? ''
  return policies[policy] ?? policy
}

function describeScheduleChange(event: AuditLogEvent, timeZone: string): string {
  const [before, after] = (['before', 'after'] as const).map((state) =>
    describeScheduleInSentence(detailText(event, state) ?? null, timeZone),
  )
  return `from ${before} to ${after}`
}

function describeConnectorChange(event: AuditLogEvent): string {
  const [before, after] = [stateText(event, 'before', 'name'), stateText(event, 'after', 'name')]
  if (before !== undefined && after !== undefined && before !== after) return `renamed ${before} to ${thing}`
  return `saved ${thing}`
}

function describeLicences(event: AuditLogEvent): string {
  const [before, after] = [detailList(event, 'before'), detailList(event, 'after')]
  const added = after.filter((id) => !before.includes(id))
  const removed = before.filter((id) => !after.includes(id))
  const parts = [
    ...(added.length === 0 ? [] : [`added ${listNames(added)}`]),
    ...(removed.length === 0 ? [] : [`removed ${listNames(removed)}`]),
  ]
  return parts.length === 0 ? '' : `: ${parts.join('; ')}`
}

function describeSharing(event: AuditLogEvent): string {
  const count = detailList(event, 'after').length
  return count === 0
    ? `stopped sharing ${thing}`
    : `shared ${thing} with ${countOf(count, 'organisation', 'organisations')}`
}

const startedModes: Readonly<Record<string, string>> = {
  full: 'a full run',
  verify: 'a verification',
  repair: 'a repair',
  erase: 'an erasure in history',
}

/** 'a full run of Web shop, 2 tables, from 1 Nov 2026'. */
function describeStartedRun(event: AuditLogEvent): string {
  const streams = Number(event.Detail['streams'] ?? 0)
  const from = detailText(event, 'from')
  return [
    `${startedModes[detailText(event, 'mode') ?? ''] ?? 'a run'} of ${thing}`,
    ...(streams > 0 ? [`only ${countOf(streams, 'table', 'tables')}`] : []),
    ...(from === undefined ? [] : [`from ${formatMoment(from, 'exact')}`]),
  ].join(', ')
}

const endedModes: Readonly<Record<string, string>> = {
  verify: 'A verification',
  repair: 'A repair',
  erase: 'An erasure in history',
  maintain: 'A maintenance',
}
const endedRun = (event: AuditLogEvent) => endedModes[detailText(event, 'mode') ?? ''] ?? 'A run'

const withCode = (event: AuditLogEvent) => {
  const code = detailText(event, 'code')
  return code === undefined ? '' : ` (${code})`
}

const appOf = (event: AuditLogEvent) =>
  `sign-in app${event.Detail['type'] === undefined ? '' : ` for ${detailText(event, 'type')}`}`

export const connectorWording: Readonly<Record<ConnectorAction, ActionWording>> = {
  'connector.alerts_set': { label: 'Alerts changed', sentence: () => `${who} changed who is alerted about ${thing}` },
  'connector.authorise_failed': {
    label: 'Connecting failed',
    sentence: (event) =>
      `${who} could not connect ${detailText(event, 'type') ?? 'a source'}: ${detailText(event, 'reason') ?? 'refused'}`,
  },
  'connector.closed_period_acknowledged': {
    label: 'Closed-period changes acknowledged',
    sentence: (event) =>
      `${who} acknowledged ${countOf(Number(event.Detail['changes'] ?? 1), 'closed-period change', 'closed-period changes')} of ${thing}: ${detailText(event, 'reason') ?? ''}`,
  },
  'connector.closed_periods_set': {
    label: 'Closed periods set',
    sentence: (event) =>
      event.Detail['isOn'] === true
        ? `${who} set the closed periods of ${thing}${event.Detail['date'] === null ? '' : `: closed up to ${detailText(event, 'date')}`}`
        : `${who} switched closed periods of ${thing} off`,
  },
  'connector.created': { label: 'Connector added', sentence: () => `${who} added ${thing}` },
  'connector.credentials_set': {
    label: 'Connection settings changed',
    sentence: () => `${who} changed the connection settings of ${thing}`,
  },
  'connector.credentials_tested': {
    label: 'Connection tested',
    sentence: () => `${who} tested the connection of ${thing}`,
  },
  'connector.deleted': { label: 'Connector deleted', sentence: () => `${who} deleted ${thing}` },
  'connector.disconnected': { label: 'Connector disconnected', sentence: () => `${who} disconnected ${thing}` },
  'connector.erasure_started': {
    label: 'Erasure in history started',
    sentence: (event) =>
      `${who} started to erase a person in the history of ${thing}, found by ${detailText(event, 'table') ?? ''}.${detailText(event, 'column') ?? ''}`,
  },
  'connector.history_set': {
    label: 'History set',
    sentence: (event) => {
      const tables = detailText(event, 'tables')
      if (tables === 'none') return `${who} switched history of ${thing} off`
      if (tables === 'all') return `${who} switched history of all tables of ${thing} on`
      return `${who} chose ${countOf(Number(event.Detail['streams'] ?? 1), 'table', 'tables')} of ${thing} to keep history`
    },
  },
  'connector.table_rules_set': {
    label: 'Table rules changed',
    sentence: (event) => {
      const masked = detailText(event, 'masked')
      const filtered = Number(event.Detail['conditions'] ?? 0) > 0 ? ', filtered' : ''
      const rules = `${filtered}${masked === undefined ? '' : `, masked columns: ${masked}`}`
      return `${who} ${rules === '' ? 'removed' : 'changed'} the rules of the table ${detailText(event, 'stream') ?? ''} of ${thing}${rules}`
    },
  },
  ...hostWording,
  'connector.licences_set': {
    label: 'Licences changed',
    sentence: (event) => `${who} changed the licences of ${thing}${describeLicences(event)}`,
  },
  'connector.mark_superseded': {
    label: 'Mark superseded',
    sentence: (event) =>
      `${who} superseded the mark ${detailText(event, 'name') ?? ''} of ${thing}: ${detailText(event, 'reason') ?? ''}`,
  },
  'connector.marked_reported': {
    label: 'Marked as reported',
    sentence: (event) =>
      `${who} marked ${thing} as reported up to ${detailText(event, 'periodEnd') ?? ''}: ${detailText(event, 'name') ?? ''}`,
  },
  'connector.person_erased': {
    label: 'Person erased in history',
    sentence: (event) =>
      `${who} erased a person in the history of ${thing}: found by ${detailText(event, 'table') ?? ''}.${detailText(event, 'column') ?? ''}, ${countOf(Number(event.Detail['versions'] ?? 0), 'row version', 'row versions')}`,
  },
  'connector.organisations_assigned': {
    label: 'Sharing changed',
    sentence: (event) => `${who} ${describeSharing(event)}`,
  },
  'connector.queried': { label: 'Target queried', sentence: () => `${who} ran a query on the target of ${thing}` },
  'connector.reading_login_removed': {
    label: 'Login for reading removed',
    sentence: () => `${who} removed the login for reading the target of ${thing}`,
  },
  'connector.reading_login_set': {
    label: 'Login for reading stored',
    sentence: () => `${who} stored a login for reading the target of ${thing}`,
  },
  'connector.company_removed': {
    label: 'Company taken off',
    sentence: ({ Detail }) =>
      `${who} took the company ${String(Detail['company'] ?? '')} off ${thing}${Detail['rows'] === 'stay' ? '; its rows stay' : ''}`,
  },
  'connector.reconnected': { label: 'Connector reconnected', sentence: () => `${who} reconnected ${thing}` },
  'connector.schedule_changed': {
    label: 'Schedule changed',
    sentence: (event, timeZone) => `${who} changed the schedule of ${thing} ${describeScheduleChange(event, timeZone)}`,
  },
  'connector.schema_decided': {
    label: 'Schema changes decided',
    sentence: (event) =>
      `${who} ${event.Detail['decision'] === 'REJECTED' ? 'rejected' : 'accepted'} ${countOf(Number(event.Detail['changes'] ?? 1), 'schema change', 'schema changes')} of ${thing}`,
  },
  'dictionary.described': {
    label: 'Description changed',
    sentence: (event) => {
      const { table, column } = event.Detail
      const place = typeof column === 'string' ? `the column ${column} of the table` : 'the table'
      return `${who} changed the description of ${place} ${String(table ?? '')} of ${thing}`
    },
  },
  'connector.schema_policy_changed': {
    label: 'Rule for schema changes changed',
    sentence: (event) =>
      `${who} changed the rule for schema changes of ${thing} from ${policyOf(event, 'before')} to ${policyOf(event, 'after')}`,
  },
  'connector.updated': { label: 'Connector saved', sentence: (event) => `${who} ${describeConnectorChange(event)}` },
  'connector.users_assigned': {
    label: 'Users of a connector changed',
    sentence: (event) =>
      `${who} chose ${countOf(Number(event.Detail['count'] ?? 0), 'user', 'users')} who may see ${thing}`,
  },
  'connector.ready_by_set': {
    label: 'Ready by changed',
    sentence: () => `${who} changed by when the rows of ${thing} must be ready`,
  },
  'connector.verification_set': {
    label: 'Verification changed',
    sentence: () => `${who} changed when the tables of ${thing} are verified`,
  },
  'database.credentials_changed': {
    label: 'Database changed',
    sentence: (event) => {
      const place = event.Detail['after'] === 'warehouse' ? 'the warehouse' : stateText(event, 'after', 'host')
      return `${who} changed the database of ${ownerOf(event)}${place === undefined ? '' : ` to ${place}`}`
    },
  },
  'database.credentials_tested': {
    label: 'Database tested',
    sentence: (event) => `${who} tested the database of ${ownerOf(event)}`,
  },
  'oauth_app.added': { label: 'Sign-in app added', sentence: (event) => `${who} added a ${appOf(event)}` },
  'oauth_app.removed': { label: 'Sign-in app removed', sentence: (event) => `${who} removed a ${appOf(event)}` },
  'oauth_app.secret_changed': {
    label: 'Secret of a sign-in app changed',
    sentence: (event) => `${who} changed the secret of a ${appOf(event)}`,
  },
  'product.assigned': {
    label: 'Company assigned',
    sentence: (event) => `${who} assigned ${detailText(event, 'tenantName') ?? 'a company'} to ${thing}`,
  },
  'sync.cancelled': { label: 'Run cancelled', sentence: () => `${who} cancelled a run of ${thing}` },
  'sync.completed': { label: 'Run completed', sentence: (event) => `${endedRun(event)} of ${thing} completed` },
  'sync.failed': {
    label: 'Run failed',
    sentence: (event) => `${endedRun(event)} of ${thing} failed${withCode(event)}`,
  },
  'sync.triggered': { label: 'Run started', sentence: (event) => `${who} started ${describeStartedRun(event)}` },
  'tables.synchronised': {
    label: 'Tables synchronised',
    sentence: (event) => {
      const tables = Number(event.Detail['tables'] ?? 0)
      return `${who} synchronised ${tables === 1 ? '1 table' : `${formatCount(tables)} tables`} of ${ownerOf(event)} in ${detailText(event, 'place') ?? 'the database'}`
    },
  },
  'warehouse.login_created': {
    label: 'Own login created',
    sentence: () => `${who} created a password for their own login in the warehouse`,
  },
  'warehouse.login_revoked': {
    label: 'Login revoked',
    sentence: (event) =>
      `${who} revoked ${isSelf(event) ? 'their own login' : `the login of ${thing}`} in the warehouse`,
  },
  'warehouse.login_set_back': {
    label: 'Login reset',
    sentence: (event) =>
      `${who} reset the ${detailText(event, 'changed') ?? 'settings'} of the login of ${thing} in the warehouse`,
  },
  'warehouse.reader_switched': {
    label: 'Shared login switched on or off',
    sentence: (event) =>
      `${who} switched the shared login for reports ${detailText(event, 'after') === 'true' ? 'on' : 'off'}`,
  },
  'warehouse.password_set': {
    label: 'Report password created',
    sentence: () => `${who} created a new password for reports`,
  },
  'warehouse.reader_set_back': {
    label: 'Report login reset',
    sentence: (event) => `${who} reset the ${detailText(event, 'changed') ?? 'settings'} of the login for reports`,
  },
}
