/** The figures of the specification (section 9) and our own, each once. Free of zod, so that the portal stays light. */

export const pollMs = 10_000
/** While a run is on screen its progress is asked for this often. */
export const runPollMs = 1_000
export const searchDebounceMs = 300
export const layoutRevealMs = 500
export const bannerHideMs = 1_000
export const copyConfirmationMs = 3_000
export const chunkLoadTimeoutMs = 120_000
export const stalledAfterMs = 30 * 60_000
export const navCollapseBelowPx = 575
export const homeGridColumns = 5
export const avatarsMax = 10
export const passwordMax = 128

export const accessTokenMs = 15 * 60_000
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
export const nameMax = 200
/** What a secret reads as; writing it back keeps the stored value. */
export const secretMask = '••••••••'
