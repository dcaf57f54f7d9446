/** Signing in, in a window of its own: a frame inside Excel on the web is shown no cookies and no password manager. */
import { askInDialog } from '../host/office.ts'
import { Refusal } from './call-error.ts'
import { call } from './call.ts'
import { asSession, endSession, storeSession } from './session.ts'

export async function signIn(): Promise<'signed in' | 'closed'> {
  const message = await askInDialog('/addin/dialog.html')
  if (message === null) return 'closed'
  const session = asSession(parsed(message))
  if (session === null)
    throw new Refusal('The sign-in window told nothing that the pane understands. Close both, and try again.')
  storeSession(session)
  return 'signed in'
}

/** On the server, too; if that cannot be reached, the session ends there by itself when nobody uses it. */
export async function signOut(): Promise<void> {
  const here = await call('GET /me/sessions').then(
    (sessions) => sessions.find(({ IsThisSession }) => IsThisSession),
    () => undefined,
  )
  if (here !== undefined)
    await call('DELETE /me/sessions/:sessionId', { params: { sessionId: here.Id } }).catch(() => undefined)
  endSession()
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
