/** What a token may be used for. Free of zod, because the portal bundles it. */

/** By scope: what a token with it may do, within the present role of its owner. */
export const tokenScopes = {
  'data.read': 'Read the rows of tables, rejected rows and the lines of tie-outs.',
  'status.read': 'Read connectors, runs, their results and incidents.',
  'connectors.run': 'List connectors, start and cancel their runs, and read the results.',
  'plans.load': 'Load sheets into plan tables and helper tables, and read what they refer to.',
  administer:
    'Change the planning structure, security groups and assignments, decide on schema changes, and read the members and the audit log. For owners whose role is administrator.',
} as const satisfies Readonly<Record<string, string>>
export type TokenScope = keyof typeof tokenScopes
export const tokenScopeNames = Object.keys(tokenScopes) as [TokenScope, ...TokenScope[]]

export const tokenLimits = {
  daysDefault: 90,
  daysMax: 365,
  nameMax: 100,
  /** Valid tokens of a person, or of a service account, in one organisation. */
  perOwnerMax: 20,
  /** Of an organisation. */
  serviceAccountsMax: 50,
  /** The owner is mailed this many days before a token expires. */
  warnDays: 7,
} as const

/** The beginning of every token. Scanners for leaked secrets find tokens by it. */
export const tokenPrefixes = { person: 'trib_pat_', service: 'trib_svc_' } as const

/** What an assistant may be allowed by OAuth. */
export const assistantScopes = ['data.read', 'status.read'] as const satisfies readonly TokenScope[]
