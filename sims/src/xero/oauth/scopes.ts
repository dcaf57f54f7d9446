/** What an app may ask to be let into. */

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

/** Whether the scopes given open what asks for one of those needed; the right to write includes the right to read. */
export function opens(given: readonly string[], needed: readonly string[]): boolean {
  return needed.some((scope) => given.includes(scope) || given.includes(`${scope}.read`))
}
