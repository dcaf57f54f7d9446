/** One event of each action of the workbench, auditor rooms, certificates, closed periods and marks, as the server records it, and its sentence. */
import type { AuditAction } from '@tributary/contract/audit-actions'
import { about, nobody, shop, type EventSample } from './audit-events.ts'

type TrustAction = Extract<
  AuditAction,
  | `auditor_room.${string}`
  | `certificate.${string}`
  | `publication_action.${string}`
  | `connector.closed_period${string}`
  | `connector.mark${string}`
  | 'connector.erasure_started'
  | 'connector.person_erased'
  | `publication_set.${string}`
  | `workbench.${string}`
  | 'connector.history_set'
  | `connector.hosts_${string}`
  | 'connector.table_rules_set'
  | 'connector.ready_by_set'
  | 'organisation.ready_by_set'
  | 'connector.verification_set'
>

const room = about('auditor_room', 'Avery Auditor')
const action = about('publication_action', 'Sales report')
const publishing = about('publication_set', 'Tributary’s own warehouse')
const certificate = about('certificate', 'Tie-out of Quay Ltd, 2026-10')

export const trustEventSamples: Readonly<Record<TrustAction, EventSample>> = {
  'workbench.description_deleted': {
    ...about('workbench_description', 'Orchard'),
    says: 'Amara Okafor deleted the description Orchard',
  },
  'workbench.description_saved': {
    ...about('workbench_description', 'Orchard'),
    Detail: { after: { name: 'Orchard', characters: 900 } },
    says: 'Amara Okafor saved the description Orchard',
  },
  'workbench.proved': {
    Detail: { title: 'Orchard', stream: 'order', kind: 'simulated', hosts: [] },
    says: 'Amara Okafor proved order of Orchard without calls',
  },
  'workbench.tried': {
    Detail: { title: 'Orchard', hosts: ['api.orchard.example'], pages: 2 },
    says: 'Amara Okafor tried Orchard with calls to api.orchard.example',
  },
  'organisation.ready_by_set': {
    Detail: { before: null, after: { time: '07:30', days: [1, 2, 3, 4, 5], maxAgeHours: 4 } },
    says: 'Amara Okafor changed by when the rows of the organisation must be ready',
  },
  'connector.ready_by_set': {
    ...shop,
    Detail: { before: 'organisation', after: { time: '07:30', days: [1, 2, 3, 4, 5], maxAgeHours: 4 } },
    says: 'Amara Okafor changed by when the rows of Web shop must be ready',
  },
  'connector.verification_set': {
    ...shop,
    Detail: {
      before: { schedule: null, secondsAfterRuns: 20 },
      after: { schedule: '0 2 * * 0', secondsAfterRuns: 60 },
    },
    says: 'Amara Okafor changed when the tables of Web shop are verified',
  },
  'connector.history_set': {
    ...shop,
    Detail: { tables: 'chosen', streams: 2 },
    says: 'Amara Okafor chose 2 tables of Web shop to keep history',
  },
  'connector.hosts_approved': {
    ...shop,
    Detail: { hosts: 'api.example.com' },
    says: 'Amara Okafor approved the hosts of Web shop: api.example.com',
  },
  'connector.hosts_refused': {
    ...shop,
    Detail: { hosts: 'api.example.com', reason: 'Unknown' },
    says: 'Amara Okafor refused the hosts of Web shop: api.example.com',
  },
  'connector.hosts_requested': {
    ...shop,
    Detail: { hosts: 'api.example.com, login.example.com' },
    says: 'Amara Okafor requested the approval of the hosts of Web shop: api.example.com, login.example.com',
  },
  'connector.hosts_withdrawn': {
    ...shop,
    Detail: { hosts: 'api.example.com', reason: 'Ended' },
    says: 'Amara Okafor withdrew the approval of the hosts of Web shop: api.example.com',
  },
  'connector.table_rules_set': {
    ...shop,
    Detail: { stream: 'public.customer', conditions: 1, masked: 'email, phone' },
    says: 'Amara Okafor changed the rules of the table public.customer of Web shop, filtered, masked columns: email, phone',
  },
  'auditor_room.changed': { ...room, says: 'Amara Okafor changed the auditor room of Avery Auditor' },
  'auditor_room.ended': { ...nobody, ...room, says: 'Tributary ended the auditor room of Avery Auditor' },
  'auditor_room.opened': { ...room, says: 'Amara Okafor opened the auditor room of Avery Auditor' },
  'publication_action.created': { ...action, says: 'Amara Okafor added the action Sales report after publications' },
  'publication_action.deleted': { ...action, says: 'Amara Okafor removed the action Sales report after publications' },
  'publication_action.started': { ...action, says: 'Amara Okafor started the action Sales report' },
  'publication_action.updated': { ...action, says: 'Amara Okafor changed the action Sales report after publications' },
  'certificate.downloaded': {
    ...certificate,
    says: 'Amara Okafor downloaded the certificate Tie-out of Quay Ltd, 2026-10',
  },
  'certificate.issued': {
    ...certificate,
    Detail: { subject: 'tieOut', verdict: 'green' },
    says: 'Amara Okafor issued the certificate Tie-out of Quay Ltd, 2026-10',
  },
  'connector.closed_period_acknowledged': {
    ...shop,
    Detail: { changes: 2, reason: 'Agreed with the auditor' },
    says: 'Amara Okafor acknowledged 2 closed-period changes of Web shop: Agreed with the auditor',
  },
  'connector.closed_periods_set': {
    ...shop,
    Detail: { isOn: true, date: '2026-06-30' },
    says: 'Amara Okafor set the closed periods of Web shop: closed up to 2026-06-30',
  },
  'connector.erasure_started': {
    ...shop,
    Detail: { runId: 'r', table: 'contact', column: 'contact_id' },
    says: 'Amara Okafor started to erase a person in the history of Web shop, found by contact.contact_id',
  },
  'connector.person_erased': {
    ...nobody,
    ...shop,
    Detail: { runId: 'r', table: 'contact', column: 'contact_id', versions: 3, marks: 1 },
    says: 'Tributary erased a person in the history of Web shop: found by contact.contact_id, 3 row versions',
  },
  'connector.mark_superseded': {
    ...shop,
    Detail: { name: 'June 2026', reason: 'A late invoice' },
    says: 'Amara Okafor superseded the mark June 2026 of Web shop: A late invoice',
  },
  'connector.marked_reported': {
    ...shop,
    Detail: { name: 'June 2026', periodEnd: '2026-06-30' },
    says: 'Amara Okafor marked Web shop as reported up to 2026-06-30: June 2026',
  },
  'publication_set.saved': {
    ...publishing,
    Detail: { connectors: 2, tieOut: 'green', verifiedWithinDays: 7, incidentAfterHours: 24 },
    says: 'Amara Okafor set publishing in Tributary’s own warehouse',
  },
  'publication_set.switched_off': {
    ...publishing,
    says: 'Amara Okafor switched off publishing in Tributary’s own warehouse',
  },
}
