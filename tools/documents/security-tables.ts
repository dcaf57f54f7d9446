/** Tables of docs/security.md that are generated from code: permissions, limits, headers and audit actions. */
import { capabilities, may, roleLevels } from '@tributary/contract/capabilities'
import * as limits from '@tributary/contract/limits'
import type { Route } from '@tributary/contract/route'
import { routes } from '@tributary/contract/routes'
import { readConfig } from '../../server/src/kernel/config/config.ts'
import { rateSettings } from '../../server/src/kernel/config/limit-settings.ts'
import { initialOf } from '../../server/src/kernel/config/setting.ts'
import { replyHeaders } from '../../server/src/kernel/http/http-server.ts'
import { pageHeaders } from '../../server/src/kernel/pages/page-headers.ts'
import { auditActions } from '../../contract/src/audit-actions.ts'
import { listAttemptLimits } from './attempt-limits.ts'
import { markdownTable } from './markdown-table.ts'

export const securityTables: Readonly<Record<string, () => string>> = {
  permissions: renderPermissions,
  'session-limits': renderSessionLimits,
  'call-rates': renderCallRates,
  'attempt-limits': renderAttemptLimits,
  'reply-headers': renderHeaders,
  're-authentication': renderReAuthentication,
  'audit-actions': renderAuditActions,
}

function renderPermissions(): string {
  const levels = Object.values(roleLevels)
  const rows = Object.keys(capabilities).map((name) => [
    `\`${name}\``,
    ...levels.map((level) => (may(level, name as keyof typeof capabilities) ? 'yes' : '')),
  ])
  return markdownTable(['Capability', 'Superadmin', 'Provider admin', 'Admin', 'User', 'Guest'], rows)
}

function renderSessionLimits(): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Access token', formatMs(limits.accessTokenMs)],
    ['Session without activity', formatMs(limits.sessionIdleMs)],
    ['Session in total', formatMs(limits.sessionAbsoluteMs)],
    ['Session of a provider role without activity', formatMs(limits.providerSessionIdleMs)],
    ['Session of a provider role in total', formatMs(limits.providerSessionAbsoluteMs)],
    ['Sessions of a person', String(limits.sessionsMax)],
    ['Age of the session row that a call checks, at most', formatMs(limits.sessionCacheMs)],
    ['Former refresh token returns the same successor', formatMs(limits.refreshGraceMs)],
    ['Re-authentication is valid', formatMs(limits.proofFreshMs)],
    ['Second factor code', formatMs(limits.verificationMs)],
    ['Tries of a second factor code', String(limits.verificationTriesMax)],
    ['Trusted browser', formatMs(limits.trustedDeviceMs)],
    ['Sign-in link', formatMs(limits.signInLinkMs)],
    ['Password reset link', formatMs(limits.resetLinkMs)],
    ['Registration link', formatMs(limits.registrationLinkMs)],
    ['Invitation', formatMs(limits.invitationMs)],
    ['Approval link', formatMs(limits.approvalLinkMs)],
    ['Longest password, characters', String(limits.passwordMax)],
    ['Body of a call, bytes', format(limits.bodyMaxBytes)],
    ['Body of a call without an account, bytes', format(limits.visitorBodyMaxBytes)],
    ['Depth of JSON in a body', String(limits.jsonDepthMax)],
    ['Uploaded file, bytes', format(limits.fileMaxBytes)],
  ]
  return markdownTable(['Limit', 'Value'], rows)
}

function renderCallRates(): string {
  const rows = Object.values(rateSettings).map((setting) => [
    setting.meaning.replace(/^Calls a minute of (.*)\.$/u, '$1'),
    format(Number(initialOf(setting, 'production'))),
    `\`${setting.name}\``,
  ])
  return markdownTable(['Calls of', 'Calls a minute', 'Setting'], rows)
}

function renderAttemptLimits(): string {
  const rows = listAttemptLimits().map(({ kind, free, waitMs, waitMaxMs, windowMs, isShared }) => [
    kind,
    format(free),
    formatMs(windowMs),
    waitMs === waitMaxMs ? formatMs(waitMs) : `${formatMs(waitMs)}, doubling up to ${formatMs(waitMaxMs)}`,
    isShared ? '' : 'yes',
  ])
  return markdownTable(['Attempts', 'Free', 'Within', 'Then wait', 'Counted in a trial'], rows)
}

function renderHeaders(): string {
  const { config } = readConfig({ TRIBUTARY_PUBLIC_URL: 'https://tributary.example' })
  const ofReply = replyHeaders(config)
  const ofPage: Readonly<Record<string, string>> = { ...ofReply, ...pageHeaders(config, '/home') }
  const rows = Object.keys(ofPage).map((name) => [`\`${name}\``, cell(ofReply[name]), cell(ofPage[name])])
  return markdownTable(['Header', 'Replies of the API', 'Pages of the portal'], rows)
}

function cell(value: string | undefined): string {
  return value === undefined ? '' : `\`${value}\``
}

function renderReAuthentication(): string {
  const rows = Object.values(routes)
    .flatMap((noun): readonly Route[] => Object.values(noun))
    .filter(({ needsFreshProof }) => needsFreshProof === true)
    .map(({ method, path, allow }) => [`\`${method} /api${path}\``, `\`${allow}\``])
  return markdownTable(['Call', 'Capability'], rows)
}

/** One row per subject keeps the table short. */
function renderAuditActions(): string {
  const subjects = Map.groupBy(auditActions, (action) => action.split('.')[0] ?? action)
  const rows = [...subjects].map(([subject, actions]) => [
    `\`${subject}\``,
    actions.map((action) => `\`${action}\``).join(', '),
  ])
  return markdownTable(['Subject', 'Actions'], rows)
}

function format(value: number): string {
  return value.toLocaleString('en-US')
}

const units: readonly (readonly [string, number])[] = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
]

/** In the largest unit that gives a whole number. */
function formatMs(ms: number): string {
  const unit = units.find(([, size]) => ms % size === 0)
  if (unit === undefined) return `${format(ms)} ms`
  const [name, size] = unit
  const count = ms / size
  return `${count} ${count === 1 ? name.slice(0, -1) : name}`
}
