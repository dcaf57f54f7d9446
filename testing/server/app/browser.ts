/** A minimal browser with redirects, cookies and forms. */

export interface BrowserPage {
  /** The address after the last redirect. */
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The targets of all redirects, in order. */
  readonly trail: readonly string[]
}

const redirectsMax = 12

export class Browser {
  /** Cookies by host and port, then by name. */
  readonly cookies = new Map<string, Map<string, string>>()

  /**
   * Opens an address like a click on a page of the portal. Stops before it requests an address that matches `until`.
   */
  open(address: string, until?: RegExp): Promise<BrowserPage> {
    return this.#go(new URL(address), { headers: { 'sec-fetch-site': 'same-origin' } }, until)
  }

  submit(address: string, fields: Readonly<Record<string, string>>, until?: RegExp): Promise<BrowserPage> {
    return this.#go(new URL(address), { method: 'POST', body: new URLSearchParams(fields) }, until)
  }

  /** Sends a POST request like the portal's script. */
  async call(address: string, body: unknown, token?: string): Promise<Response> {
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    return this.#fetch(new URL(address), { method: 'POST', body: JSON.stringify(body), headers })
  }

  async #go(first: URL, init: RequestInit, until?: RegExp): Promise<BrowserPage> {
    let url = first
    let asking = init
    const trail: string[] = []
    for (let step = 0; step < redirectsMax; step += 1) {
      const reply = await this.#fetch(url, asking)
      const location = reply.headers.get('location')
      if (location === null)
        return { url, status: reply.status, headers: reply.headers, text: await reply.text(), trail }
      await reply.body?.cancel()
      const next = new URL(location, url)
      trail.push(next.href)
      if (until?.test(next.href) === true)
        return { url: next, status: reply.status, headers: reply.headers, text: '', trail }
      // After a redirect to another origin and back, the request is cross-site.
      asking = { headers: { 'sec-fetch-site': next.origin === url.origin ? 'same-origin' : 'cross-site' } }
      url = next
    }
    throw new Error(`${first.href} redirects without end.`)
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    const jar = this.#jar(url)
    const headers = new Headers(init.headers)
    headers.set('accept', 'text/html,*/*')
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const reply = await fetch(url, { ...init, headers, redirect: 'manual' })
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(cookie) ?? []
      const isGone = value === '' || /;\s*(?:max-age=0|expires=thu, 01 jan 1970)/iu.test(cookie)
      if (isGone) jar.delete(name)
      else jar.set(name, value)
    }
    return reply
  }

  #jar({ host }: URL): Map<string, string> {
    const jar = this.cookies.get(host) ?? new Map<string, string>()
    this.cookies.set(host, jar)
    return jar
  }
}
