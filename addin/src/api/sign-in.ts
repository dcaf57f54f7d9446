/** Signing in, in a separate window: in Excel on the web, a frame has no cookies and no password manager. */
import { openDialog } from '../host/office.ts'
import { call } from './call.ts'
import { PaneError } from './pane-error.ts'
import { endSession, parseSession, storeSession } from './session.ts'

export async function signIn(): Promise<'signed in' | 'closed'> {
  const message = await openDialog('/addin/dialog.html')
  if (message === null) return 'closed'
  const session = parseSession(message)
  if (session === null)
    throw new PaneError(
      'The sign-in window sent an unexpected reply, so you are not signed in. Close the window and the pane, and try again.',
    )
  storeSession(session)
  return 'signed in'
}

/**
 * Ends the session on the server, too. If the server cannot be reached, the session expires there when it is unused.
 */
export async function signOut(): Promise<void> {
  const current = await call('GET /me/sessions').then(
    (sessions) => sessions.find(({ IsThisSession }) => IsThisSession),
    () => undefined,
  )
  if (current !== undefined)
    await call('DELETE /me/sessions/:sessionId', { params: { sessionId: current.Id } }).catch(() => undefined)
  endSession()
}
