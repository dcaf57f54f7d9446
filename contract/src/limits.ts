/** The figures of the specification (section 9) and our own, each once. Free of zod, so that the portal stays light. */

export const pollMs = 10_000
export const searchDebounceMs = 300
export const layoutRevealMs = 500
export const bannerHideMs = 1_000
export const copyConfirmationMs = 3_000
export const chunkLoadTimeoutMs = 120_000
export const stalledAfterMs = 30 * 60_000
/** Between two synchronisations of an accounting product by hand. */
export const accountingSyncEveryMs = 15 * 60_000
/** Company names in a row of the accounting assignments; then '...'. */
export const companyNamesMax = 4
export const navCollapseBelowPx = 575
export const homeGridColumns = 5
export const avatarsMax = 10
export const passwordMax = 128

export const accessTokenMs = 15 * 60_000
/** For so long after signing in, or after proving it once more, somebody may change what matters most. */
export const proofFreshMs = 15 * 60_000
export const sessionIdleMs = 60 * 60_000
export const sessionAbsoluteMs = 12 * 60 * 60_000
/** For the two provider roles, who see every organisation. */
export const providerSessionIdleMs = 30 * 60_000
export const providerSessionAbsoluteMs = 8 * 60 * 60_000
/** How long the former refresh token still answers with the same successor. */
export const refreshGraceMs = 30_000
export const sessionCacheMs = 5_000

/** A verification and its code, and how often one may guess. */
export const verificationMs = 10 * 60_000
export const verificationTriesMax = 5
export const verificationCodeLength = 6
/** Before a code or a link may be sent once more. */
export const resendAfterMs = 60_000
export const trustedDeviceMs = 30 * 86_400_000
export const signInLinkMs = 15 * 60_000
export const resetLinkMs = 60 * 60_000
export const registrationLinkMs = 24 * 60 * 60_000
export const invitationMs = 7 * 86_400_000
export const approvalLinkMs = 72 * 60 * 60_000
export const sessionsMax = 10

export const bodyMaxBytes = 1_048_576
/** Of a call that is open to visitors. */
export const visitorBodyMaxBytes = 32_768
/** Objects and lists within each other in the body of a call. */
export const jsonDepthMax = 32
/** Faults of fields that one reply names. */
export const faultFieldsMax = 20
export const nameMax = 200
/** What a secret reads as; writing it back keeps the stored value. */
export const secretMask = '••••••••'
/** Marks in the strip of a connector's latest runs. */
export const recentRunsMax = 14
/** Of a load: rows in one chunk, columns of a sheet, bytes of a file. */
export const chunkRowsMax = 1_000
export const sheetColumnsMax = 500
export const fileMaxBytes = 20 * 1_048_576
