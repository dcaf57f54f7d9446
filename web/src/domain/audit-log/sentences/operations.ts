import type { AuditAction } from '@tributary/contract/audit-actions'
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import { type ActionWording, countOf, detailText, isSelf, thing, who } from './sentence.ts'
import { formatMoment } from '../../../ui/formats.ts'

export type OperationsAction = Extract<
  AuditAction,
  | `alert_channel.${string}`
  | 'config_changed'
  | `crypto.${string}`
  | `data.${string}`
  | `mail.${string}`
  | `query.${string}`
  | `store.${string}`
>

/** By the type of the thing: what was downloaded of it. */
const downloads: Readonly<Record<string, string>> = {
  connector: `the rejected rows of a run of ${thing}`,
  run: 'the rejected rows of a run',
  load: `the change log of a load into ${thing}`,
  version: `the template of ${thing}`,
  helperTable: `the template of ${thing}`,
  report: 'a file for Excel or Power BI',
}

function describeDownload(event: AuditLogEvent): string {
  if (event.ObjectType === 'user')
    return isSelf(event) ? 'exported their personal data' : `exported the personal data of ${thing}`
  if (event.ObjectType === 'table') return `downloaded rows of ${event.ObjectId ?? 'a table'}`
  return `downloaded ${downloads[event.ObjectType ?? ''] ?? 'the audit log'}`
}

const keyOf = (event: AuditLogEvent) => `${detailText(event, 'root') ?? 'encryption'} key`

/** 'MaintenanceMode' becomes 'Maintenance Mode'. */
const settingOf = ({ ObjectId }: AuditLogEvent) => (ObjectId ?? 'a setting').replaceAll(/(?<=[a-z])(?=[A-Z])/gu, ' ')

const backupOf = (event: AuditLogEvent) => {
  const madeAt = detailText(event, 'madeAt')
  return madeAt === undefined ? 'a backup' : `the backup of ${formatMoment(madeAt, 'exact')}`
}

export const operationsWording: Readonly<Record<OperationsAction, ActionWording>> = {
  'alert_channel.created': { label: 'Alert channel added', sentence: () => `${who} added ${thing}` },
  'alert_channel.deleted': { label: 'Alert channel removed', sentence: () => `${who} removed ${thing}` },
  'alert_channel.updated': { label: 'Alert channel changed', sentence: () => `${who} changed ${thing}` },
  'query.deleted': { label: 'Shared query deleted', sentence: () => `${who} deleted ${thing}` },
  'query.shared': { label: 'Query shared', sentence: () => `${who} shared ${thing} with the organisation` },
  'query.unshared': { label: 'Query no longer shared', sentence: () => `${who} stopped sharing ${thing}` },
  'query.updated': { label: 'Shared query changed', sentence: () => `${who} changed ${thing}` },
  config_changed: {
    label: 'Configuration changed',
    sentence: (event) =>
      `${who} switched ${settingOf(event)} ${event.Detail['after'] === 'true' || event.Detail['after'] === true ? 'on' : 'off'}`,
  },
  'crypto.key_retired': { label: 'Key deleted', sentence: (event) => `${who} deleted an old ${keyOf(event)}` },
  'crypto.key_rotated': { label: 'Key created', sentence: (event) => `${who} created a new ${keyOf(event)}` },
  'data.export_downloaded': { label: 'Data downloaded', sentence: (event) => `${who} ${describeDownload(event)}` },
  'mail.given_up': {
    label: 'Email given up',
    sentence: (event) =>
      `An email (${detailText(event, 'template') ?? 'unknown'}) could not be sent after ${countOf(Number(event.Detail['attempts'] ?? 1), 'attempt', 'attempts')}: ${detailText(event, 'reason') ?? 'unknown reason'}`,
  },
  'store.backed_up': { label: 'Backup made', sentence: () => `${who} made a backup` },
  'store.restored': { label: 'Backup restored', sentence: (event) => `${who} restored ${backupOf(event)}` },
}
