/** Retention periods in days. */
import { wholeNumber } from './setting.ts'

export const retentionSettings = {
  keepRunLines: days('RUN_LINES', '30', 'the log lines of a run'),
  keepRejectedRows: days('REJECTED_ROWS', '90', 'copies of rejected rows'),
  keepRuns: days('RUNS', '400', 'runs with their figures; the latest of each connector and outcome stays'),
  keepSessions: days('SESSIONS', '30', 'sessions that have ended, with their address and browser'),
  keepDevices: days('DEVICES', '400', 'browsers that are no longer used to sign in'),
  keepIncidents: days('INCIDENTS', '400', 'resolved incidents'),
  keepDeliveries: days('DELIVERIES', '90', 'messages to webhooks, Slack and Teams'),
  keepTieOuts: days('TIE_OUTS', '90', 'tie-outs; the latest of each month stays'),
  keepAudit: days('AUDIT', '400', 'the audit log, schema changes, requests that were decided, and the list of backups'),
  keepMail: days('MAIL', '30', 'sent emails, expired codes, unfinished sign-ups and accepted invitations'),
}

function days(name: string, initial: string, what: string) {
  return wholeNumber(`TRIBUTARY_KEEP_${name}`, {
    initial,
    min: 1,
    max: 36_500,
    meaning: `Days to keep ${what}.`,
  })
}
