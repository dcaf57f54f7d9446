import { call } from '../../api/call.ts'
import { beginLeaving, forgetSession } from '../../api/session/session.ts'
import { themeStorage } from '../theme-storage.ts'

/** Leaves the document, so that nothing stays in memory. Signing out also works if the server cannot be reached. */
export async function logOut(): Promise<void> {
  beginLeaving()
  const theme = themeStorage.get('auto')
  await call('POST /auth/signout').catch(() => undefined)
  forgetSession()
  // The server makes the browser clear its storage. The theme belongs to the browser, not to the user, so it is
  // restored.
  themeStorage.set(theme)
  window.location.replace('/')
}
