/** Passkeys in the browser (WebAuthn). The library is loaded lazily, with the first use. */

export function supportsPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

type WebAuthnJson = Readonly<Record<string, unknown>>

/**
 * Signs in with a passkey. Returns the credential as JSON, or null if the user cancels. @param options from the server
 */
export function requestPasskey(options: WebAuthnJson): Promise<Record<string, unknown> | null> {
  return nullIfCancelled(async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    return startAuthentication({
      optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'],
    })
  })
}

/** Whether the browser offers passkeys in the autofill of the sign-in form. */
export async function supportsAutofill(): Promise<boolean> {
  if (!supportsPasskeys() || typeof PublicKeyCredential.parseRequestOptionsFromJSON !== 'function') return false
  return PublicKeyCredential.isConditionalMediationAvailable()
}

/** Waits until the user picks a passkey from the autofill. Returns null if the signal aborts first. */
export function awaitAutofilledPasskey(
  options: WebAuthnJson,
  signal: AbortSignal,
): Promise<Record<string, unknown> | null> {
  return nullIfCancelled(async () => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
      options as unknown as PublicKeyCredentialRequestOptionsJSON,
    )
    const credential = await navigator.credentials.get({ mediation: 'conditional', publicKey, signal })
    return (credential as PublicKeyCredential).toJSON()
  })
}

/** Creates a passkey. Returns the credential as JSON, or null if the user cancels. @param options from the server */
export function createPasskey(options: WebAuthnJson): Promise<Record<string, unknown> | null> {
  return nullIfCancelled(async () => {
    const { startRegistration } = await import('@simplewebauthn/browser')
    return startRegistration({
      optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'],
    })
  })
}

async function nullIfCancelled(request: () => Promise<object>): Promise<Record<string, unknown> | null> {
  try {
    return (await request()) as Record<string, unknown>
  } catch (cause) {
    // Browsers report a refusal and a timeout alike, for privacy.
    if (cause instanceof Error && ['NotAllowedError', 'AbortError', 'TimeoutError'].includes(cause.name)) return null
    throw cause
  }
}
