/** Proof for the server that somebody sits before the form. Obtained unseen: nobody solves a puzzle for our own. */
import type { SignInOptions } from '@tributary/contract/sign-in'
import { call } from '../call.ts'
import { CallError } from '@tributary/client/call-error'

type Settings = SignInOptions['captcha']

/** The `recaptchaToken` of one call; it can be used once. Throws a CallError when it cannot be had. */
export async function solveCaptcha({ provider, siteKey }: Settings): Promise<string> {
  try {
    return provider === 'altcha' ? await work() : await providers[provider](siteKey ?? '')
  } catch (cause) {
    if (cause instanceof CallError) throw cause
    throw new CallError({ statusCode: 422, code: 'captchaFailed', message: failed })
  }
}

const failed = 'The check that you are a person did not pass. Reload the page and try again.'

/** The server asks for a moment's computing; the browser does it beside the page. */
async function work(): Promise<string> {
  // Named at the import itself, so that only these two parts of the library are loaded.
  const { pbkdf2, solveChallenge } = await import('altcha/lib')
  const asked = (await call('GET /registration/captcha')) as unknown as Parameters<
    typeof solveChallenge
  >[0]['challenge']
  const solution = await solveChallenge({ challenge: asked, deriveKey: pbkdf2.deriveKey })
  if (solution === null) throw new Error('No solution was found in time.')
  return btoa(JSON.stringify({ challenge: asked, solution }))
}

interface Turnstile {
  render(
    place: HTMLElement,
    options: { sitekey: string; appearance: string; callback: (token: string) => void; 'error-callback': () => void },
  ): void
}
interface HCaptcha {
  render(place: HTMLElement, options: { sitekey: string; size: string }): string
  execute(id: string, options: { async: true }): Promise<{ response: string }>
}
interface ReCaptcha {
  ready(work: () => void): void
  execute(siteKey: string, options: { action: string }): Promise<string>
}
declare global {
  interface Window {
    turnstile?: Turnstile
    hcaptcha?: HCaptcha
    grecaptcha?: ReCaptcha
  }
}

/** Widgets of others; their scripts are asked for only where the operator has chosen one. */
const providers: Readonly<Record<Exclude<Settings['provider'], 'altcha'>, (siteKey: string) => Promise<string>>> = {
  async turnstile(sitekey) {
    const widget = await load(
      'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
      () => window.turnstile,
    )
    return new Promise((resolve, reject) => {
      const failing = () => reject(new Error('Turnstile gave no token.'))
      widget.render(placeOfWidget(), {
        sitekey,
        appearance: 'interaction-only',
        callback: resolve,
        'error-callback': failing,
      })
    })
  },
  async hcaptcha(sitekey) {
    const widget = await load('https://js.hcaptcha.com/1/api.js?render=explicit', () => window.hcaptcha)
    const { response } = await widget.execute(widget.render(placeOfWidget(), { sitekey, size: 'invisible' }), {
      async: true,
    })
    return response
  },
  async recaptcha(siteKey) {
    const address = `https://www.google.com/recaptcha/api.js?render=${encodeURIComponent(siteKey)}`
    const widget = await load(address, () => window.grecaptcha)
    await new Promise<void>((resolve) => widget.ready(resolve))
    return widget.execute(siteKey, { action: 'submit' })
  },
}

async function load<Widget>(address: string, find: () => Widget | undefined): Promise<Widget> {
  if (find() === undefined) {
    await new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = address
      script.addEventListener('load', resolve)
      script.addEventListener('error', reject)
      document.head.append(script)
    })
  }
  const widget = find()
  if (widget === undefined) throw new Error('The script of the captcha did not start.')
  return widget
}

/** A token is good once, and a widget gives one: each gets a place of its own at the end of the page. */
function placeOfWidget(): HTMLElement {
  const place = document.createElement('div')
  document.body.append(place)
  return place
}
