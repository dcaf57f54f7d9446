/** What the framed form says to the page around it: that it is done, and how much room it needs. */
import type { SignedUp } from './use-sign-up.ts'

export type FrameMessage =
  | { readonly kind: 'done'; readonly signedUp: SignedUp }
  | { readonly kind: 'height'; readonly heightPx: number }

export function sendToPage(message: FrameMessage): void {
  window.parent.postMessage(message, window.location.origin)
}

/** Null for whatever else a window may send. */
export function readMessage(sent: unknown): FrameMessage | null {
  const { kind, signedUp, heightPx } = (sent ?? {}) as Record<string, unknown>
  if (kind === 'height' && typeof heightPx === 'number') return { kind, heightPx }
  const { emailAddress, verificationReference, code } = (signedUp ?? {}) as Record<string, unknown>
  if (kind !== 'done' || typeof emailAddress !== 'string' || typeof verificationReference !== 'string') return null
  return { kind, signedUp: { emailAddress, verificationReference, code: typeof code === 'string' ? code : null } }
}
