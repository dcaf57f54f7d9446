/** Messages from the framed sign-up form to the page around it: completion and height. */
import type { PendingSignUp } from './use-sign-up.ts'

export type FrameMessage =
  | { readonly kind: 'done'; readonly signedUp: PendingSignUp }
  | { readonly kind: 'height'; readonly heightPx: number }

export function postToParent(message: FrameMessage): void {
  window.parent.postMessage(message, window.location.origin)
}

/** Returns null for any other message. */
export function parseFrameMessage(sent: unknown): FrameMessage | null {
  const { kind, signedUp, heightPx } = (sent ?? {}) as Record<string, unknown>
  if (kind === 'height' && typeof heightPx === 'number') return { kind, heightPx }
  const { emailAddress, verificationReference, code } = (signedUp ?? {}) as Record<string, unknown>
  if (kind !== 'done' || typeof emailAddress !== 'string' || typeof verificationReference !== 'string') return null
  return { kind, signedUp: { emailAddress, verificationReference, code: typeof code === 'string' ? code : null } }
}
