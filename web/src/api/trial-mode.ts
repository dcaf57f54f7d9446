/** The server writes into the page whether this is a trial, so that the sign-in page knows without asking. */
export function isTrial(): boolean {
  return document.querySelector('meta[name="tributary-mode"]')?.getAttribute('content') === 'trial'
}
