/** Passkeys: what the browser has to do in it. The library comes with the first use. */

export function supportsPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

type Json = Readonly<Record<string, unknown>>

/** The browser's answer as JSON, or null when the person changed their mind. @param options as the server gave them. */
export function askForPasskey(options: Json): Promise<Record<string, unknown> | null> {
  return unlessCancelled(async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    return startAuthentication({
      optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    })
  })
}

/** Whether the browser offers passkeys where it offers names and passwords that it has kept. */
export async function supportsAutofill(): Promise<boolean> {
  if (!supportsPasskeys() || typeof PublicKeyCredential.parseRequestOptionsFromJSON !== 'function') return false
  return PublicKeyCredential.isConditionalMediationAvailable()
}

/** Waits until the person picks one that the browser offers; null when the signal aborts first. */
export function awaitPasskey(options: Json, signal: AbortSignal): Promise<Record<string, unknown> | null> {
  return unlessCancelled(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      options as unknown as PublicKeyCredentialRequestOptionsJSON,
    )
    const credential = await navigator.credentials.get({ mediation: 'conditional', publicKey, signal })
    return (credential as PublicKeyCredential).toJSON()
  })
}

/** As `askForPasskey`, for a new one. */
export function makePasskey(options: Json): Promise<Record<string, unknown> | null> {
  return unlessCancelled(async () => {
    const { startRegistration } = await import('@simplewebauthn/browser')
    return startRegistration({
      optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'],
    })
  })
}

async function unlessCancelled(ask: () => Promise<object>): Promise<Record<string, unknown> | null> {
  try {
    return (await ask()) as Record<string, unknown>
  } catch (cause) {
    // Browsers tell neither a refusal nor a time-out apart, on purpose.
    if (cause instanceof Error && ['NotAllowedError', 'AbortError', 'TimeoutError'].includes(cause.name)) return null
    throw cause
  }
}
