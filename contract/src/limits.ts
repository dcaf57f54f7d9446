/** Limits, from section 9 of the specification and Tributary's own. Free of zod, because the portal bundles them. */

export const pollMs = 10_000
/** Organisations that portal and task pane load at once. The server searches a longer list. */
export const organisationsLoadedMax = 1_000
export const searchDebounceMs = 300
export const layoutRevealMs = 500
export const bannerHideMs = 1_000
export const copyConfirmationMs = 3_000
export const chunkLoadTimeoutMs = 120_000
export const stalledAfterMs = 30 * 60_000
/** The least time between two manual synchronisations of an accounting product. */
export const accountingSyncEveryMs = 15 * 60_000
/** Company names in a row of the accounting assignments; then '...'. */
export const companyNamesMax = 4
export const navCollapseBelowPx = 575
export const homeGridColumns = 5
export const avatarsMax = 10
export const passwordMax = 128

export const accessTokenMs = 15 * 60_000
/** How long a sign-in or re-authentication allows sensitive changes. */
export const proofFreshMs = 15 * 60_000
export const sessionIdleMs = 60 * 60_000
export const sessionAbsoluteMs = 12 * 60 * 60_000
/** For the two provider roles, who see every organisation. */
export const providerSessionIdleMs = 30 * 60_000
export const providerSessionAbsoluteMs = 8 * 60 * 60_000
/** How long a rotated refresh token still returns the same successor. */
export const refreshGraceMs = 30_000
export const sessionCacheMs = 5_000

/** The lifetime of a verification and its code, and the number of attempts. */
export const verificationMs = 10 * 60_000
export const verificationTriesMax = 5
export const verificationCodeLength = 6
/** The least time before a code or a link is sent again. */
export const resendAfterMs = 60_000
export const trustedDeviceMs = 30 * 86_400_000
export const signInLinkMs = 15 * 60_000
export const resetLinkMs = 60 * 60_000
export const registrationLinkMs = 24 * 60 * 60_000
export const invitationMs = 7 * 86_400_000
export const approvalLinkMs = 72 * 60 * 60_000
export const sessionsMax = 10

/** Of verifications. */
export const verificationLimits = {
  /** The most that a run may verify after its rows are committed. */
  secondsMax: 3_600,
  /** A table that was not verified for so long is overdue. */
  provenWithinDays: 7,
  /** Rows that differ, which are stored for each table. */
  differencesMax: 1_000,
} as const

/** Characters of an administrator's words about a table or a column. */
export const dictionaryWordsMax = 2_000

/** Of OAuth for assistants. */
export const oauthLimits = {
  /** Characters of a client’s name, of each address that it registers, their number, and characters of a request. */
  clientNameMax: 60,
  redirectUriMax: 1_000,
  redirectUrisMax: 10,
  requestMax: 4_000,
  codeMs: 60_000,
  accessMs: 60 * 60_000,
  /** The person then allows the assistant again. */
  connectionMs: 90 * 86_400_000,
  /** A client that was registered and never allowed. */
  unusedClientMs: 7 * 86_400_000,
  unusedClientsMax: 5_000,
} as const

export const auditorRoomLimits = { daysMax: 90, connectorsMax: 200, marksMax: 200 } as const

export const bodyMaxBytes = 1_048_576
/** Of a call that is open to visitors. */
export const visitorBodyMaxBytes = 32_768
/** The greatest nesting depth of a request body. */
export const jsonDepthMax = 32
/** The most field errors in one reply. */
export const faultFieldsMax = 20
export const nameMax = 200
/** Of a person's preferences: characters of each value, remembered tables, columns of one, and characters of all tables. */
/** The share of runs of an organisation. */
export const runShareLimits = { runsMax: 100, weightMax: 100 } as const

export const preferenceLimits = {
  localeMax: 35,
  timeZoneMax: 64,
  nameMax: 64,
  tablesMax: 50,
  columnsMax: 100,
  tablesSizeMax: 16_384,
} as const
/** Alert channels of an organisation, or of a person in it, and what each may hold. */
export const alertChannelLimits = { channelsMax: 20, addressMax: 2_000, connectorsMax: 1_000 } as const
/** Actions after publications of an organisation, and what each may hold. */
export const publicationActionLimits = {
  actionsMax: 20,
  addressMax: 2_000,
  secretMax: 500,
  hostMax: 200,
  idMax: 18,
} as const
/** Of closed periods: characters of names, of a reason and of a search, and changes that one call acknowledges. */
export const closedPeriodLimits = {
  nameMax: 300,
  markNameMax: 100,
  reasonMax: 1_000,
  changesMax: 1_000,
  searchMax: 200,
} as const
/** Of history: characters of a name, streams, days that row versions stay; of an erasure characters of the value, and columns of a table. */
export const historyLimits = {
  nameMax: 300,
  streamsMax: 10_000,
  daysMax: 36_500,
  erasedValueMax: 1_000,
  erasedColumnsMax: 1_000,
} as const
/** Of rules of a table: conditions and their values, masked columns, and characters that a mask keeps. */
export const tableRuleLimits = {
  conditionsMax: 20,
  valuesMax: 200,
  valueMax: 500,
  masksMax: 200,
  charactersMax: 20,
} as const
/** Of sets of connectors that are published together. */
export const publicationLimits = { connectorsMax: 1_000, daysMax: 365, hoursMax: 8_760 } as const
/** Of queries that people write: characters of a statement, what is shown of a result, and what is kept for each person. */
export const queryLimits = {
  statementMax: 100_000,
  rowsMax: 5_000,
  bytesMax: 5 * 1_048_576,
  timeMs: 60_000,
  historyMax: 100,
  savedMax: 200,
  runningMax: 2,
} as const
/** Characters of the reason for rejecting a request. */
export const rejectionReasonMax = 500
/** Replaces a stored secret in replies. Sending it back keeps the stored value. */
export const secretMask = '••••••••'
/** Number of latest runs in a list of connectors. */
export const recentRunsMax = 14
/** Days in the strip of the overview. */
export const overviewDays = 30
/** A run that its schedule expects may complete this much later before its connector counts as late. */
export const lateAfterMs = 30 * 60_000
/** Of a load: rows in one chunk, columns of a sheet, bytes of a file. */
export const chunkRowsMax = 1_000
export const sheetColumnsMax = 500
/** Tables of one workbook with live queries. */
export const workbookTablesMax = 20
export const fileMaxBytes = 20 * 1_048_576
/** How the explorer filters a column. */
export const dataFilterOperators = [
  'contains',
  'startsWith',
  'oneOf',
  'noneOf',
  'between',
  'empty',
  'notEmpty',
  'today',
  'thisMonth',
  'lastMonth',
  'thisYear',
  'lastYear',
] as const
export type DataFilterOperator = (typeof dataFilterOperators)[number]
/** Of a query of the explorer: names, a filter's values, JSON in its address, and how long it may run. */
export const dataLimits = {
  nameMax: 200,
  filtersMax: 20,
  valuesMax: 200,
  valueMax: 2_000,
  positionMax: 40,
  queryMax: 8_000,
  pageRows: 100,
  viewRows: 1_000,
  querySeconds: 60,
} as const

/** The text of a source description that a customer writes, in characters. */
export const descriptionMax = 60_000
/** Of the provider's workbench: characters of a description, of a document to draft from and of a setting, and pages of a try. */
export const workbenchLimits = {
  descriptionMax: 500_000,
  documentMax: 1_000_000,
  valueMax: 10_000,
  pagesMax: 5,
} as const
/** Bodies with the document of an API: quotes and line breaks are escaped in JSON. */
export const documentBodyMaxBytes = 4 * 1_048_576

/** Of *Ready by*. */
export const readyByLimits = {
  maxAgeHoursMax: 24,
  /** The period in which kept and missed promises are counted. */
  countedDays: 30,
} as const

/** Events that one search of the audit log examines. The number is also in the summary of its route. */
export const auditLogLimits = { searchedMax: 25_000 } as const

/** Headers of a page of search results, if the search has not examined everything. `X-Total-Count` is then the number of those found so far. */
export const unsearchedHeaders = {
  /** The search continues with this as `beforeId`. */
  continueBefore: 'x-search-continues-before',
  /** The time of the newest one that was not examined. */
  newestAt: 'x-search-ended-at',
} as const
