/** The scopes that an app may request. */

const areas = [
  'accounting.settings',
  'accounting.contacts',
  'accounting.transactions',
  'accounting.invoices',
  'accounting.payments',
  'accounting.banktransactions',
  'accounting.manualjournals',
  'accounting.classicexpenses',
  'accounting.attachments',
] as const

const reports = [
  'aged',
  'balancesheet',
  'banksummary',
  'budgetsummary',
  'executivesummary',
  'profitandloss',
  'trialbalance',
] as const

const readOnly = [
  'accounting.journals.read',
  'accounting.budgets.read',
  'accounting.reports.read',
  'accounting.reports.tenninetynine.read',
  ...reports.map((report) => `accounting.reports.${report}.read`),
]

export const machineScopes: readonly string[] = [...areas, ...areas.map((area) => `${area}.read`), ...readOnly]

export const everyScope: readonly string[] = ['openid', 'profile', 'email', 'offline_access', ...machineScopes]

/** True if the granted scopes include one of the needed ones; a write scope includes read. */
export function coversScope(granted: readonly string[], needed: readonly string[]): boolean {
  return needed.some((scope) => granted.includes(scope) || granted.includes(`${scope}.read`))
}
