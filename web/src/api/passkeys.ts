/** Passkeys: what the browser has to do in it. The library comes with the first use. */

export function supportsPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

type Json = Readonly<Record<string, unknown>>

/** The browser's answer as JSON, or null when the person changed their mind. @param options as the server gave them. */
export function askForPasskey(options: Json): Promise<Record<string, unknown> | null> {
  return unlessCancelled(async () => {
    const { startAuthentication } = await import('@simplewebauthn/browser')
    return startAuthentication({ optionsJSON: options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'] })
  })
}

/** As `askForPasskey`, for a new one. */
export function makePasskey(options: Json): Promise<Record<string, unknown> | null> {
  return unlessCancelled(async () => {
    const { startRegistration } = await import('@simplewebauthn/browser')
    return startRegistration({ optionsJSON: options as unknown as Parameters<typeof startRegistration>[0]['optionsJSON'] })
  })
}

async function unlessCancelled(ask: () => Promise<object>): Promise<Record<string, unknown> | null> {
  try {
    return (await ask()) as Record<string, unknown>
  } catch (cause) {
    // Browsers tell neither a refusal nor a time-out apart, on purpose.
    if (cause instanceof Error && ['NotAllowedError', 'AbortError'].includes(cause.name)) return null
    throw cause
  }
}
