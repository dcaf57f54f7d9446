/** The server writes the mode into the page, so that the sign-in page needs no request for it. */
export function isTrial(): boolean {
  return document.querySelector('meta[name="tributary-mode"]')?.getAttribute('content') === 'trial'
}
