/** A browser of a person who has signed in to a server. */
import { trialPassword } from '../../../server/src/trial/people.ts'
import { Browser } from './browser.ts'

/** @param home address of the server */
export async function signedInBrowser(home: string, emailAddress = 'admin@demo.example'): Promise<Browser> {
  const browser = new Browser()
  const reply = await browser.call(`${home}/api/auth/signin`, { emailAddress, password: trialPassword })
  if (reply.status !== 200) throw new Error(`signing in answered ${reply.status}`)
  await reply.body?.cancel()
  return browser
}
