/** A browser session: an access token, and the refresh cookie that is exchanged for the next one. */
export interface BrowserSession {
  readonly token: string
  readonly cookie: string
}

/** @param address of the server, such as `http://localhost:3000` */
export function openSession(
  address: string,
  account: { readonly emailAddress: string; readonly password: string },
): Promise<BrowserSession> {
  return requestSession(`${address}/api/auth/signin`, account, {})
}

/** Renews the session, like a browser whose token has expired. */
export function renewSession(address: string, { cookie }: BrowserSession): Promise<BrowserSession> {
  return requestSession(`${address}/api/auth/refresh`, {}, { cookie })
}

async function requestSession(
  address: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<BrowserSession> {
  const sent = { ...headers, 'content-type': 'application/json' }
  const reply = await fetch(address, { method: 'POST', headers: sent, body: JSON.stringify(body) })
  if (!reply.ok) throw new Error(`${address} answered ${reply.status}.`)
  const { accessToken } = (await reply.json()) as { accessToken: string }
  const pairs = reply.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  return { token: accessToken, cookie: pairs.join('; ') }
}
