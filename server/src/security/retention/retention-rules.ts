/** The retention rules: how long rows are kept, and why. `retention-rules.test.ts` lists all other tables with the reason to keep them. */
import { oauthLimits } from '@tributary/contract/limits'
import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../../kernel/config/config.ts'
import type { retentionSettings } from '../../kernel/config/retention-settings.ts'

/** The setting that holds the days. */
type RetentionSetting = keyof Config & keyof typeof retentionSettings

export interface RetentionRule {
  readonly table: string
  readonly kept: RetentionSetting | { readonly ms: number }
  /** SQL condition for an expired row; the table's alias is `kept`. */
  readonly isExpired: (before: RawBuilder<unknown>) => RawBuilder<unknown>
  readonly why: string
}

const hourMs = 3_600_000

/** In deletion order: referencing tables first. The audit log and emails have separate code. */
export const retentionRules: readonly RetentionRule[] = [
  ...(
    ['link_code', 'verification', 'external_login', 'authorisation', 'pending_identity', 'captcha_used'] as const
  ).map((table): RetentionRule => ({
    table,
    kept: 'keepMail',
    isExpired: (before) => sql`kept.expiresAt < ${before}`,
    why: 'It has expired.',
  })),
  {
    table: 'run_line',
    kept: 'keepRunLines',
    isExpired: (before) => sql`kept.at < ${before}`,
    why: 'They explain a recent run. The run keeps its counts.',
  },
  {
    table: 'run_rejected',
    kept: 'keepRejectedRows',
    isExpired: (before) => sql`kept.runId IN (SELECT id FROM run WHERE completedAt < ${before})`,
    why: 'They contain customer data. The table of rejected rows in the target stays.',
  },
  {
    table: 'row_difference',
    kept: 'keepRejectedRows',
    isExpired: (before) => sql`kept.foundAt < ${before}`,
    why: 'They contain customer data. The next verification of the table finds what still differs.',
  },
  {
    table: 'verification_verdict',
    kept: { ms: 90 * 24 * hourMs },
    isExpired: (before) => sql`kept.at < ${before}`,
    why: 'A quarter can be compared. The latest verification of each table stays.',
  },
  {
    table: 'ready_by_outcome',
    kept: { ms: 90 * 24 * hourMs },
    isExpired: (before) => sql`kept.dueAt < ${before}`,
    why: 'A quarter can be compared.',
  },
  {
    table: 'history_erasure_search',
    kept: { ms: hourMs },
    isExpired: (
      before,
    ) => sql`kept.createdAt < ${before} AND kept.erasureId IN (SELECT erasure.id FROM historyErasure AS erasure WHERE NOT EXISTS
      (SELECT FROM run WHERE run.id = erasure.runId AND run.status IN ('QUEUED', 'RUNNING', 'WAITING')))`,
    why: 'Only the run that erases needs the value that identifies a person.',
  },
  {
    table: 'run',
    kept: 'keepRuns',
    isExpired: (before) => sql`kept.completedAt < ${before} AND EXISTS (SELECT FROM run AS later
      WHERE later.connectorId = kept.connectorId AND later.status = kept.status AND later.queuedAt > kept.queuedAt)`,
    why: 'One year can be compared. The latest run of each outcome stays, because screens show it.',
  },
  {
    table: 'publication',
    kept: 'keepRuns',
    isExpired: (before) => sql`kept.publishedAt < ${before} AND EXISTS (SELECT FROM publication AS later
      WHERE later.setId = kept.setId AND later.publishedAt > kept.publishedAt)`,
    why: 'As long as runs. What is published now stays.',
  },
  {
    table: 'query_run',
    kept: { ms: 90 * 24 * hourMs },
    isExpired: (before) => sql`kept.startedAt < ${before}`,
    why: 'The history helps to find a recent query again. What is needed longer can be saved.',
  },
  {
    table: 'source_pace',
    kept: { ms: 24 * hourMs },
    isExpired: (before) => sql`kept.changedAt < ${before}`,
    why: 'Rate limit windows of sources last minutes at most.',
  },
  {
    table: 'daily_calls',
    kept: 'keepRuns',
    isExpired: (before) => sql`kept.day < (${before})::date`,
    why: 'The calls of a day count as long as its runs.',
  },
  {
    table: 'session',
    kept: 'keepSessions',
    isExpired: (before) => sql`kept.lastActiveAt < ${before} AND (kept.endedAt IS NULL OR kept.endedAt < ${before})`,
    why: 'Long enough to notice the session of an intruder. An idle session ends within a day.',
  },
  {
    table: 'api_token',
    kept: 'keepAudit',
    isExpired: (before) => sql`least(kept.expiresAt, coalesce(kept.revokedAt, kept.expiresAt)) < ${before}`,
    why: 'A call with an expired token is told when it expired, and lists show what was used.',
  },
  {
    table: 'api_token_use',
    kept: 'keepRuns',
    isExpired: (before) => sql`kept.day < (${before})::date`,
    why: 'The calls of a day count as long as its runs.',
  },
  {
    table: 'oauth_code',
    kept: { ms: oauthLimits.connectionMs },
    isExpired: (before) => sql`kept.expiresAt < ${before}`,
    why: 'The reuse of a code ends what it issued, for as long as that may work.',
  },
  {
    table: 'oauth_secret',
    kept: { ms: hourMs },
    isExpired: (before) => sql`kept.expiresAt < ${before}`,
    why: 'A refresh token stays until its connection ends, so that its reuse is noticed.',
  },
  {
    table: 'oauth_client',
    kept: { ms: oauthLimits.unusedClientMs },
    isExpired: (before) =>
      sql`kept.createdAt < ${before} AND NOT EXISTS (SELECT FROM apiToken WHERE apiToken.oauthClientId = kept.id)`,
    why: 'Anyone may register one. Those that a person allowed stay as long as their tokens.',
  },
  {
    table: 'device',
    kept: 'keepDevices',
    isExpired: (before) =>
      sql`kept.lastSeenAt < ${before} AND (kept.trustedUntil IS NULL OR kept.trustedUntil < ${before})`,
    why: 'A device that returns later counts as unknown.',
  },
  {
    table: 'webhook_delivery',
    kept: 'keepDeliveries',
    isExpired: (before) => sql`kept.createdAt < ${before} AND kept.dueAt IS NULL`,
    why: 'They show whether a message arrived. Pending ones stay.',
  },
  {
    table: 'alert_delivery',
    kept: 'keepDeliveries',
    isExpired: (before) => sql`kept.createdAt < ${before} AND kept.dueAt IS NULL`,
    why: 'They show whether a message arrived. Pending ones stay.',
  },
  {
    table: 'publication_action_run',
    kept: 'keepDeliveries',
    isExpired: (before) => sql`kept.createdAt < ${before} AND kept.dueAt IS NULL`,
    why: 'They show what followed each publication. Those under way stay.',
  },
  {
    table: 'incident',
    kept: 'keepIncidents',
    isExpired: (before) => sql`kept.closedAt < ${before}`,
    why: 'One year can be compared. Open incidents stay.',
  },
  {
    table: 'schema_change',
    kept: 'keepAudit',
    isExpired: (before) => sql`kept.status = 'APPLIED' AND kept.foundAt < ${before}`,
    why: 'Decisions of people stay, so that they are not asked again.',
  },
  {
    table: 'tie_out',
    kept: 'keepTieOuts',
    isExpired: (before) => sql`kept.checkedAt < ${before} AND EXISTS (SELECT FROM tieOut AS later
      WHERE later.connectorId = kept.connectorId AND later.checkedAt > kept.checkedAt
        AND date_trunc('month', later.checkedAt, 'UTC') = date_trunc('month', kept.checkedAt, 'UTC'))`,
    why: 'The latest of each month stays as evidence for its books.',
  },
  {
    table: 'invitation',
    kept: 'keepMail',
    isExpired: (before) => sql`kept.acceptedAt < ${before}`,
    why: 'It was accepted and has become a membership.',
  },
  {
    table: 'approval',
    kept: 'keepAudit',
    isExpired: (before) => sql`kept.decidedAt < ${before}`,
    why: 'As long as the audit log contains the decision.',
  },
  {
    table: 'auditor_room',
    kept: 'keepAudit',
    isExpired: (before) => sql`kept.endedAt < ${before}`,
    why: 'As long as the audit log says what its person downloaded.',
  },
  {
    table: 'registration',
    kept: 'keepMail',
    isExpired: (before) =>
      sql`kept.createdAt < ${before} AND NOT EXISTS (SELECT FROM approval WHERE approval.registrationId = kept.id)`,
    why: 'It holds the address and password hash of a person who did not complete the sign-up.',
  },
  {
    table: 'backup',
    kept: 'keepAudit',
    isExpired: (before) =>
      sql`kept.finishedAt < ${before} AND EXISTS (SELECT FROM backup AS later WHERE later.madeAt > kept.madeAt)`,
    why: 'The latest stays, because its age is monitored.',
  },
  {
    table: 'load_file',
    kept: { ms: hourMs },
    isExpired: (before) => sql`kept.createdAt < ${before}`,
    why: 'A file is read once, then loaded or abandoned.',
  },
]
