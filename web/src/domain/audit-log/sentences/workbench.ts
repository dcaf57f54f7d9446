/** Sentences about the provider's workbench for descriptions of sources. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import type { AuditLogEvent } from '@tributary/contract/audit-log'
import { type ActionWording, detailList, detailText, thing, who } from './sentence.ts'

type WorkbenchAction = Extract<AuditAction, `workbench.${string}`>

export const workbenchWording: Readonly<Record<WorkbenchAction, ActionWording>> = {
  'workbench.description_deleted': {
    label: 'Description of a source deleted',
    sentence: () => `${who} deleted ${thing}`,
  },
  'workbench.description_saved': { label: 'Description of a source saved', sentence: () => `${who} saved ${thing}` },
  'workbench.proved': {
    label: 'Description of a source proved',
    sentence: (event) => `${who} proved ${streamOf(event)}${hostsOf(event)}`,
  },
  'workbench.tried': {
    label: 'Description of a source tried',
    sentence: (event) => `${who} tried ${streamOf(event)}${hostsOf(event)}`,
  },
}

function streamOf(event: AuditLogEvent): string {
  const stream = detailText(event, 'stream')
  const source = detailText(event, 'title') ?? 'a source'
  return stream === undefined ? source : `${stream} of ${source}`
}

function hostsOf(event: AuditLogEvent): string {
  const hosts = detailList(event, 'hosts')
  return hosts.length === 0 ? ' without calls' : ` with calls to ${hosts.join(', ')}`
}
