/** What is kept for how long, and why: the one list that the sweep goes by. `retained.test.ts` names every other table, with its reason. */
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../../kernel/config/config.ts'
import type { retentionSettings } from '../../kernel/config/retention-settings.ts'

/** A setting in days, or a time that nobody has a reason to change. */
type Kept = keyof Config & keyof typeof retentionSettings

export interface Retained {
  readonly table: string
  readonly kept: Kept | { readonly ms: number }
  /** Which rows of `kept`, as the row is called here, have had their time. */
  readonly isOver: (before: RawBuilder<unknown>) => RawBuilder<unknown>
  readonly why: string
}

const hourMs = 3_600_000

/** In this order: what refers to another goes before it. The audit log and mail are cleared away in ways of their own. */
export const retained: readonly Retained[] = [
  ...(
    ['link_code', 'verification', 'external_login', 'authorisation', 'pending_identity', 'captcha_used'] as const
  ).map((table): Retained => ({
    table,
    kept: 'keepMail',
    isOver: (before) => sql`kept.expiresAt < ${before}`,
    why: 'Nobody can answer it any more.',
  })),
  {
    table: 'run_line',
    kept: 'keepRunLines',
    isOver: (before) => sql`kept.at < ${before}`,
    why: 'They explain a run while somebody may still ask; the run keeps its figures.',
  },
  {
    table: 'run_rejected',
    kept: 'keepRejectedRows',
    isOver: (before) => sql`kept.runId IN (SELECT id FROM run WHERE completedAt < ${before})`,
    why: 'They are rows of the customer’s. The target’s own table of them stays.',
  },
  {
    table: 'run',
    kept: 'keepRuns',
    isOver: (before) => sql`kept.completedAt < ${before} AND EXISTS (SELECT FROM run AS later
      WHERE later.connectorId = kept.connectorId AND later.status = kept.status AND later.queuedAt > kept.queuedAt)`,
    why: 'A year of them can be compared. The latest of each outcome stays, for the screens tell it.',
  },
  {
    table: 'source_pace',
    kept: { ms: 24 * hourMs },
    isOver: (before) => sql`kept.changedAt < ${before}`,
    why: 'No window of a source is longer than minutes.',
  },
  {
    table: 'session',
    kept: 'keepSessions',
    isOver: (before) => sql`kept.lastActiveAt < ${before} AND (kept.endedAt IS NULL OR kept.endedAt < ${before})`,
    why: 'Long enough to notice somebody else’s. It ends by itself within a day of doing nothing.',
  },
  {
    table: 'device',
    kept: 'keepDevices',
    isOver: (before) =>
      sql`kept.lastSeenAt < ${before} AND (kept.trustedUntil IS NULL OR kept.trustedUntil < ${before})`,
    why: 'Whoever comes back after that is asked like a stranger.',
  },
  {
    table: 'webhook_delivery',
    kept: 'keepDeliveries',
    isOver: (before) => sql`kept.createdAt < ${before} AND kept.dueAt IS NULL`,
    why: 'They show whether a message arrived. What is still to be sent stays.',
  },
  {
    table: 'incident',
    kept: 'keepIncidents',
    isOver: (before) => sql`kept.closedAt < ${before}`,
    why: 'A year of them can be compared. Those that are open stay.',
  },
  {
    table: 'schema_change',
    kept: 'keepAudit',
    isOver: (before) => sql`kept.status = 'APPLIED' AND kept.foundAt < ${before}`,
    why: 'What somebody decided stays, so that they are not asked again.',
  },
  {
    table: 'tie_out',
    kept: 'keepTieOuts',
    isOver: (before) => sql`kept.checkedAt < ${before} AND EXISTS (SELECT FROM tieOut AS later
      WHERE later.connectorId = kept.connectorId AND later.checkedAt > kept.checkedAt
        AND date_trunc('month', later.checkedAt, 'UTC') = date_trunc('month', kept.checkedAt, 'UTC'))`,
    why: 'The latest of each month stays, as the proof of its books.',
  },
  {
    table: 'invitation',
    kept: 'keepMail',
    isOver: (before) => sql`kept.acceptedAt < ${before}`,
    why: 'It has become a membership.',
  },
  {
    table: 'approval',
    kept: 'keepAudit',
    isOver: (before) => sql`kept.decidedAt < ${before}`,
    why: 'For as long as the audit log tells of the decision.',
  },
  {
    table: 'registration',
    kept: 'keepMail',
    isOver: (before) =>
      sql`kept.createdAt < ${before} AND NOT EXISTS (SELECT FROM approval WHERE approval.registrationId = kept.id)`,
    why: 'It holds an address and the hash of a password of somebody who did not go on.',
  },
  {
    table: 'backup',
    kept: 'keepAudit',
    isOver: (before) =>
      sql`kept.finishedAt < ${before} AND EXISTS (SELECT FROM backup AS later WHERE later.madeAt > kept.madeAt)`,
    why: 'The latest stays, for its age is watched.',
  },
  {
    table: 'load_file',
    kept: { ms: hourMs },
    isOver: (before) => sql`kept.createdAt < ${before}`,
    why: 'A file is read once, and loaded or given up.',
  },
]
